// The command line of `npm run demo`.

import { parseArgs } from 'node:util'
import { isCalendarDate } from '@almoner/contract'

export interface DemoOptions {
  patients: number
  seed: number
  until: Date
  /** The name or the id of an organization; the demo's own when not given. */
  organization: string | undefined
  /** How many days back readings go. */
  days: number
  /** The share of patients who have any, and how many at most. */
  monitored: number
  monitoredPatients: number
}

export class WrongDemoOptions extends Error {}

export const DEMO_USAGE = `Fills an organization with made-up patients, staff, groups, readings and alerts.

Usage: npm run demo -- [options]

  --patients N           how many patients (500)
  --organization NAME    the name or the id of an organization (the demo organization of the first start)
  --seed N               another number makes other people (1)
  --until YYYY-MM-DD     the day before which everything happened (today)
  --monitored SHARE      the share of patients who measure something at home, from 0 to 1 (0.2)
  --monitored-patients N how many of them at most (200)
  --days N               how many days back their readings go (90)

Run again it adds who and what is missing and nothing twice. It may be run beside the service.`

const MOST_PATIENTS = 10_000_000
const MOST_DAYS = 3650
const EARLIEST_UNTIL = '2010-01-01'

export function readDemoOptions(args: string[], now: Date): DemoOptions | 'help' {
  const given = parse(args)
  if (given.help) return 'help'
  const until = given.until ?? now.toISOString().slice(0, 10)
  if (!isCalendarDate(until) || until < EARLIEST_UNTIL)
    throw new WrongDemoOptions(`--until must be a day such as 2026-01-31, from ${EARLIEST_UNTIL} on.`)
  return {
    patients: whole('--patients', given.patients, 1, MOST_PATIENTS),
    seed: whole('--seed', given.seed, 0, 2 ** 32 - 1),
    until: new Date(`${until}T00:00:00Z`),
    organization: given.organization,
    days: whole('--days', given.days, 1, MOST_DAYS),
    monitored: share('--monitored', given.monitored),
    monitoredPatients: whole('--monitored-patients', given['monitored-patients'], 0, MOST_PATIENTS),
  }
}

function share(option: string, text: string): number {
  if (/^(0|1|[01]?\.\d{1,6})$/.test(text) && Number(text) <= 1) return Number(text)
  throw new WrongDemoOptions(`${option} must be a share from 0 to 1, such as 0.25.`)
}

function whole(option: string, text: string, least: number, most: number): number {
  if (/^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
  throw new WrongDemoOptions(`${option} must be a whole number from ${least} to ${most}.`)
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      strict: true,
      options: {
        patients: { type: 'string', default: '500' },
        seed: { type: 'string', default: '1' },
        until: { type: 'string' },
        organization: { type: 'string' },
        days: { type: 'string', default: '90' },
        monitored: { type: 'string', default: '0.2' },
        'monitored-patients': { type: 'string', default: '200' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    // What follows the first sentence is about the shell, and goes over several lines.
    const [fault = ''] = (error as Error).message.split(/\.\s|\n/)
    throw new WrongDemoOptions(`${fault.replace(/\.$/, '')}. See npm run demo -- --help.`)
  }
}
