// Structured logs. They carry ids, codes and durations; never names, bodies, query strings or tokens.

import { type DestinationStream, destination, type Logger, type LoggerOptions, pino } from 'pino'

export function createLog(level: string, to: DestinationStream = destination(2)): Logger {
  const options: LoggerOptions = {
    level,
    base: { pid: process.pid },
    serializers: { err: describeError },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
  }
  return pino(options, to)
}

/** PostgreSQL puts the offending row into `detail` and the like, so only what names the place is kept. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const { code, constraint, table } = error as unknown as Record<string, string | undefined>
  return { name, message, code, constraint, table, stack, ...(cause ? { cause: describeError(cause) } : {}) }
}
