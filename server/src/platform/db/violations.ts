const UNIQUE_VIOLATION = '23505'

/** Whether a write failed because such a row is there already, by the name of the index that says so. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === UNIQUE_VIOLATION && constraint === index
}
