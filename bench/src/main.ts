// `npm run bench` runs every benchmark, `npm run bench -- http` one of them.

import { alertsBenchmark } from './alerts.ts'
import { httpBenchmark } from './http.ts'
import { identityBenchmark } from './identity.ts'
import { ingestBenchmark } from './ingest.ts'
import { growthBenchmark, readBenchmark, sizeBenchmark } from './metrics.ts'
import { peopleBenchmark } from './people.ts'

const benchmarks: Record<string, () => Promise<void>> = {
  http: httpBenchmark,
  identity: identityBenchmark,
  people: peopleBenchmark,
  ingest: ingestBenchmark,
  read: readBenchmark,
  size: sizeBenchmark,
  growth: growthBenchmark,
  alerts: alertsBenchmark,
}

// Leaving by the front door stops the databases and services that were started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !benchmarks[name])
if (unknown) {
  console.error(`There is no benchmark ${unknown}. There are: ${Object.keys(benchmarks).join(', ')}.`)
  process.exit(1)
}
for (const name of asked.length > 0 ? asked : Object.keys(benchmarks)) await benchmarks[name]?.()
