// Which organization gets the made-up people.

import type { Database } from '../platform/db/database.ts'

/** What the first start with DEMO makes. */
const DEMO_ORGANIZATION = 'Demo Clinic'

export class NoSuchOrganization extends Error {}

/**
 * By name or id. When none is named it is the first one, and only if it is the demo's own: made-up people sign in with
 * a password that everyone knows, which nobody wants among real ones by accident.
 */
export async function demoOrganization(
  db: Database,
  wanted: string | undefined,
): Promise<{ id: string; name: string }> {
  const all = await db.selectFrom('organizations').select(['id', 'name']).orderBy('createdAt').orderBy('id').execute()
  if (wanted === undefined) {
    const [first] = all
    if (first?.name === DEMO_ORGANIZATION) return first
    throw new NoSuchOrganization(
      `The first organization here is not ${DEMO_ORGANIZATION}. Name the one to fill with --organization: made-up people will be able to sign in there.`,
    )
  }
  const named = all.filter(({ id, name }) => id === wanted || name === wanted)
  if (named.length > 1)
    throw new NoSuchOrganization(`There are ${named.length} organizations named ${wanted}: give the id instead.`)
  const [organization] = named
  if (organization) return organization
  const names = all.slice(0, 5).map(({ name }) => name)
  throw new NoSuchOrganization(
    `There is no organization ${wanted}. There are: ${names.join(', ')}${all.length > 5 ? ', …' : ''}.`,
  )
}
