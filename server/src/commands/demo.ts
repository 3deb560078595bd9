// `npm run demo`: fills an organization with made-up patients, staff, groups, readings and alerts. It may be run again, and beside a
// running service.

import { DEMO_USAGE, type DemoOptions, readDemoOptions } from '../demo/demo-options.ts'
import { demoOrganization } from '../demo/demo-organization.ts'
import { mailHost } from '../demo/population.ts'
import { duration, progressOn } from '../demo/progress.ts'
import { writeAlerts } from '../demo/write-alerts.ts'
import { type WrittenMetrics, writeMetrics } from '../demo/write-metrics.ts'
import { DEMO_PASSWORD, type Written, writePopulation } from '../demo/write-population.ts'
import { prepareDatabase } from '../service.ts'
import { withDatabase } from './with-database.ts'

const SAME_SIGNAL_MS = 1000

const fill = (options: DemoOptions) =>
  withDatabase(async ({ db, databaseUrl, settings, log }) => {
    if (!settings.demo)
      throw new Error('DEMO is false here, and made-up people sign in with a password that everyone knows.')
    const signal = stopOnSignal()
    const firstSignIn = await prepareDatabase(databaseUrl, settings, log)
    const { id: organizationId, name } = await demoOrganization(db, options.organization)
    const start = performance.now()
    const took = (since: number) => duration((performance.now() - since) / 1000)
    const stopped = (words: string) => {
      process.exitCode = 1
      // The bar stands still in the middle of its line.
      if (process.stderr.isTTY) process.stderr.write('\n')
      console.log(`Stopped after ${took(start)}: ${words}. Run it again to go on.`)
    }
    const people = { ...options, organizationId, onProgress: progressOn(process.stderr), signal }
    const written = await writePopulation(db, people)
    if (!written.isComplete) return stopped(counted(written))
    const until = options.until.toISOString().slice(0, 10)
    console.log(`${name}: ${counted(written)}, in ${took(start)} (seed ${options.seed}, until ${until}).`)
    const middle = performance.now()
    const onProgress = progressOn(process.stderr, undefined, 'days of readings')
    const metrics = await writeMetrics(db, { ...options, organizationId, onProgress, signal })
    if (!metrics.isComplete) return stopped(measured(metrics))
    if (metrics.patients > 0) console.log(`Of ${options.days} days: ${measured(metrics)}, in ${took(middle)}.`)
    const last = performance.now()
    const alerts = await writeAlerts(db, { ...options, organizationId })
    if (alerts !== null) console.log(`Rules that fired ${number(alerts)} alerts in the last days, in ${took(last)}.`)
    const host = mailHost(options.seed, 'demo.example')
    console.log(`Sign in as admin1@${host}, provider1@${host} or patient1@${host} with the password ${DEMO_PASSWORD}`)
    if (firstSignIn?.password) console.log(`or as ${firstSignIn.username} with the password ${firstSignIn.password}`)
  })

const number = (count: number) => count.toLocaleString('en-US')

function measured({ patients, points, pointsBefore }: WrittenMetrics): string {
  const before = pointsBefore > 0 ? ` (${number(pointsBefore)} were there already)` : ''
  return `${number(points)} points${before} of ${number(patients)} patients added`
}

function counted({ patients, patientsBefore, staff, groups }: Written): string {
  const before = patientsBefore > 0 ? ` (${number(patientsBefore)} were there already)` : ''
  return `${number(patients)} patients${before}, ${number(staff)} of staff and ${number(groups)} groups added`
}

/** The first signal lets the piece that is being written come to its end, a later one does not. */
function stopOnSignal(): AbortSignal {
  const controller = new AbortController()
  let asked: number | null = null
  const stop = () => {
    // Told twice at once means told by two: a terminal and npm.
    if (asked !== null && Date.now() - asked > SAME_SIGNAL_MS) process.exit(1)
    asked ??= Date.now()
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return controller.signal
}

try {
  const options = readDemoOptions(process.argv.slice(2), new Date())
  if (options === 'help') console.log(DEMO_USAGE)
  else await fill(options)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
