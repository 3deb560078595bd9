// The command line of `npm run simulate`.

import { parseArgs } from 'node:util'
import { CannotDo } from './command-line.ts'

export const SIMULATE_USAGE = `Pushes points into a running service as devices do, and checks afterwards that none is missing.

Usage: npm run simulate -- [options]

  --devices N            how many devices (100)
  --minutes N            how long they measure (1)
  --speed N              how many times faster than real devices (60): each second they measure a minute
  --organization NAME    the name or the id of an organization (the only one you belong to)
  --url ADDRESS          where the service is (http://127.0.0.1:8080)
  --username NAME        an administrator of the organization (that of the demo)

The password is read from ALMONER_PASSWORD, or asked for. With an access token in ALMONER_TOKEN neither is needed.
Interrupted, the devices send what they have, and it is checked.

It ends with 0 when all went well, with 1 when a point that the service took is missing, and with 2 when it could not be
done.`

export interface SimulateOptions {
  url: string
  username: string | undefined
  organization: string | undefined
  devices: number
  minutes: number
  speed: number
}

const [MOST_DEVICES, MOST_MINUTES, MOST_SPEED] = [100_000, 10_080, 100_000]

export function readSimulateOptions(args: string[]): SimulateOptions | 'help' {
  const given = parse(args)
  if (given.help) return 'help'
  const { url, username, organization } = given
  if (!URL.canParse(url)) throw new CannotDo('--url must be an address such as http://127.0.0.1:8080.')
  const devices = number('--devices', given.devices, MOST_DEVICES)
  if (!Number.isInteger(devices)) throw new CannotDo('--devices must be a whole number.')
  const minutes = number('--minutes', given.minutes, MOST_MINUTES)
  return { url, username, organization, devices, minutes, speed: number('--speed', given.speed, MOST_SPEED) }
}

function number(option: string, text: string, most: number): number {
  const value = /^\d{0,6}(\.\d{1,6})?$/.test(text) ? Number(text) : 0
  if (value > 0 && value <= most) return value
  throw new CannotDo(`${option} must be a number above 0, at most ${most.toLocaleString('en-US')}.`)
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        devices: { type: 'string', default: '100' },
        minutes: { type: 'string', default: '1' },
        speed: { type: 'string', default: '60' },
        organization: { type: 'string' },
        url: { type: 'string', default: 'http://127.0.0.1:8080' },
        username: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new CannotDo(`${(error as Error).message}\n\n${SIMULATE_USAGE}`)
  }
}
