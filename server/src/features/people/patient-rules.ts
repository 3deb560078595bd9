// What must hold of a patient besides the form of each value.

import { type ErrorEntry, isTimeZone, kebab } from '@almoner/contract'
import { Problem } from '../../platform/errors/problem.ts'

interface Facts {
  firstName?: string | undefined
  lastName?: string | undefined
  preferredName?: string | null | undefined
  birthDate?: string | undefined
  tz?: string | null | undefined
}

/** The day that has begun somewhere on earth: fourteen hours ahead of UTC. */
const latestDay = (now: Date): string => new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 10)
const EARLIEST_DAY = '1870-01-01'

export function patientFaults(facts: Facts, now: Date, pointer = '/data/attributes'): ErrorEntry[] {
  const { birthDate, tz } = facts
  const faults: ErrorEntry[] = []
  const refuse = (name: string, fault: string) =>
    faults.push(...new Problem('InvalidValue', { pointer: `${pointer}/${name}`, fault }).entries)
  for (const name of ['firstName', 'lastName', 'preferredName'] as const)
    if (facts[name]?.trim() === '') refuse(kebab(name), 'must not be blank')
  if (birthDate !== undefined && birthDate > latestDay(now)) refuse('birth-date', 'must not lie in the future')
  if (birthDate !== undefined && birthDate < EARLIEST_DAY) refuse('birth-date', `must not be before ${EARLIEST_DAY}`)
  if (tz != null && !isTimeZone(tz)) refuse('tz', 'must be a time zone such as America/New_York')
  return faults
}
