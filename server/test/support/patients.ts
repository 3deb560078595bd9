// Patients by the thousand, who never sign in.

import { v7 } from 'uuid'
import type { TestService } from './service.ts'

export interface TestPatient {
  individualId: string
  userId: string
}

/** One for each pair of first and last name, in the order given. */
export async function makePatients(
  { db }: TestService,
  organizationId: string,
  names: (readonly [firstName: string, lastName: string])[],
): Promise<TestPatient[]> {
  const createdAt = new Date()
  const people = names.map(([firstName, lastName]) => ({ individualId: v7(), userId: v7(), firstName, lastName }))
  for (let start = 0; start < people.length; start += 1000) {
    const some = people.slice(start, start + 1000)
    const email = (id: string) => `${id}@example.org`
    await db
      .insertInto('individuals')
      .values(
        some.map(({ individualId: id, firstName, lastName }) => ({
          id,
          firstName,
          lastName,
          email: email(id),
          createdAt,
        })),
      )
      .execute()
    await db
      .insertInto('users')
      .values(
        some.map(({ individualId, userId }) => ({
          id: userId,
          individualId,
          username: email(individualId),
          passwordHash: null,
          createdAt,
        })),
      )
      .execute()
    await db
      .insertInto('memberships')
      .values(some.map(({ userId }) => ({ userId, organizationId, role: 'patient' as const })))
      .execute()
  }
  return people
}

export const manyNames = (count: number) =>
  Array.from({ length: count }, (_, index) => ['Pat', `Number ${index}`] as const)
