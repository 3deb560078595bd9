// Who may call an operation. The platform checks it before the handler runs.

/** What a person may be in an organization. */
export const ROLES = ['org-admin', 'provider', 'patient'] as const
/** What calls the service without being a person. */
export const SERVICE_ROLES = ['device', 'job'] as const
export type Role = (typeof ROLES)[number] | (typeof SERVICE_ROLES)[number]

/**
 * - `anyone`: no token needed.
 * - `signed-in`: any valid token; the handler's reach is every organization the caller belongs to.
 * - `roles`: the caller holds one of these roles; the reach is the organizations where that is so. When the request
 *   names an organization (`organization-id` in its query or attributes), it must be within that reach.
 *   A service account is held to its scopes besides: the ids of the operations it may call.
 */
export type Access = { kind: 'anyone' } | { kind: 'signed-in' } | { kind: 'roles'; roles: readonly Role[] }

export const anyone = { kind: 'anyone' } as const satisfies Access
export const signedIn = { kind: 'signed-in' } as const satisfies Access
export const roles = <const R extends readonly Role[]>(...allowed: R) => ({ kind: 'roles', roles: allowed }) as const
