import type { Operation, ROLES, SERVICE_ROLES } from '@almoner/contract'
import { Problem } from '../errors/problem.ts'

interface Caller<Role> {
  memberships: {
    organizationId: string
    role: Role
    /** Sees only the individuals of the groups the caller leads or belongs to. */
    isRestricted?: boolean
  }[]
  /** Quota units a minute; null for the service's default. */
  quota: number | null
}

/** A person who is signed in. */
export interface Actor extends Caller<(typeof ROLES)[number]> {
  kind: 'user'
  userId: string
  individualId: string
  sessionId: string
  /** Background work of this caller waits so long: a developer's aid. */
  queueDelayMs: number
}

/** A device or a job with a token of its own. */
export interface ServiceActor extends Caller<(typeof SERVICE_ROLES)[number]> {
  kind: 'service'
  serviceAccountId: string
  /** What it is called: the source of what it measures. */
  name: string
  /** The ids of the operations it may call. */
  scopes: string[]
  /** Whose records it is for; null for a job, which sees everyone of its organization. */
  individualIds: string[] | null
}

export type AnyActor = Actor | ServiceActor

export const callerId = (actor: AnyActor): string => (actor.kind === 'user' ? actor.userId : actor.serviceAccountId)

/**
 * The organizations in which the caller may do this. Refuses when there is none, and when the request names an
 * organization outside them: one the caller does not belong to is not found, so that its existence does not leak.
 */
export function authorize(operation: Operation, actor: AnyActor, named: string | undefined): string[] {
  const { access } = operation
  if (actor.kind === 'service' && (access.kind !== 'roles' || !actor.scopes.includes(operation.id))) {
    throw new Problem('PermissionDenied')
  }
  const memberships: { organizationId: string; role: (typeof ROLES)[number] | (typeof SERVICE_ROLES)[number] }[] =
    actor.memberships
  const allowed = memberships.filter(({ role }) => access.kind !== 'roles' || access.roles.includes(role))
  const reach = [...new Set(allowed.map(({ organizationId }) => organizationId))]
  if (named === undefined) {
    if (access.kind === 'roles' && reach.length === 0) throw new Problem('PermissionDenied')
    return reach
  }
  if (!memberships.some(({ organizationId }) => organizationId === named)) {
    throw new Problem('NotFound', { what: 'organization' })
  }
  if (!reach.includes(named)) throw new Problem('PermissionDenied')
  return [named]
}
