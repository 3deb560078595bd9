/** Whether a failure means that the connection to the database broke, and not that it was asked for something wrong. */
export function isConnectionLost(error: unknown): boolean {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  return /^(EPIPE|ECONN|57P0|08)/.test(code) || /^Connection terminated|connection error/i.test(message)
}
