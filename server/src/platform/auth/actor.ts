import type { Operation, Role } from '@almoner/contract'
import { Problem } from '../errors/problem.ts'

/** Who is calling. */
export interface Actor {
  userId: string
  individualId: string
  sessionId: string
  memberships: { organizationId: string; role: Role }[]
  /** Quota units a minute; null for the service's default. */
  quota: number | null
}

/**
 * The organizations in which the caller may do this. Refuses when there is none, and when the request names an
 * organization outside them: one the caller does not belong to is not found, so that its existence does not leak.
 */
export function authorize(operation: Operation, actor: Actor, named: string | undefined): string[] {
  const { access } = operation
  const allowed = actor.memberships.filter(({ role }) => access.kind !== 'roles' || access.roles.includes(role))
  const reach = [...new Set(allowed.map(({ organizationId }) => organizationId))]
  if (named === undefined) {
    if (access.kind === 'roles' && reach.length === 0) throw new Problem('PermissionDenied')
    return reach
  }
  if (!actor.memberships.some(({ organizationId }) => organizationId === named))
    throw new Problem('NotFound', { what: 'organization' })
  if (!reach.includes(named)) throw new Problem('PermissionDenied')
  return [named]
}
