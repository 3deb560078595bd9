let hasArrived = false

/** Whether this is the first page since the browser loaded the console. */
export function arrive(): boolean {
  const isFirst = !hasArrived
  hasArrived = true
  return isFirst
}
