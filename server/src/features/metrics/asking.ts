// What the operations that read metrics ask in common: of whom, of which time, of which sources.

import type { Conditions } from '@almoner/contract'
import type { AnyActor } from '../../platform/auth/actor.ts'
import { isInSight, sightOf } from '../../platform/auth/sight.ts'
import { Problem } from '../../platform/errors/problem.ts'
import type { Context } from '../../platform/http/implementation.ts'
import { ownersOfOne } from './queries/owners.ts'

/** The first and the last time that can be written, in seconds since 1970. */
export const EARLIEST = Date.parse('0001-01-01T00:00:00Z') / 1000
export const LATEST = Date.parse('9999-12-31T23:59:59Z') / 1000

export const boundsOf = (asked: { beginDatetime?: Date; endDatetime?: Date }): { from: number; to: number } => ({
  from: asked.beginDatetime ? Math.ceil(asked.beginDatetime.getTime() / 1000) : EARLIEST,
  to: asked.endDatetime ? Math.floor(asked.endDatetime.getTime() / 1000) : LATEST,
})

/** Exact, in any case. */
export function isSourceOf(filter: Conditions<string> | undefined): (source: string) => boolean {
  const groups = (filter ?? []).map((group) => group.map(({ value }) => value?.toLowerCase()))
  return (source) => groups.every((names) => names.includes(source.toLowerCase()))
}

/** In which organizations the caller sees this patient; the audit trail is told of it. */
export async function seenOwner(
  { db, actor, reach, audit }: Context<AnyActor>,
  individualId: string,
): Promise<{ organizationIds: string[] }> {
  const sight = await sightOf(db, actor, reach)
  const seen = (await ownersOfOne(db, individualId)).filter((owner) => isInSight(sight, owner))
  const [first] = seen
  if (!first) throw new Problem('NotFound', { what: 'individual' })
  if (first.mergedInto) throw new Problem('RecordMerged', { id: first.mergedInto })
  const organizationIds = seen.map(({ organizationId }) => organizationId)
  audit.touched([individualId], organizationIds)
  return { organizationIds }
}

export function refuseUnlessAdministrator(actor: AnyActor, organizationIds: string[]): void {
  const isAdministrator = actor.memberships.some(
    ({ organizationId, role }) => role === 'org-admin' && organizationIds.includes(organizationId),
  )
  if (!isAdministrator) throw new Problem('PermissionDenied')
}
