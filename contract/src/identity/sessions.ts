import {
  action,
  anyone,
  boolean,
  datetime,
  defaulted,
  exactly,
  flat,
  integer,
  list,
  listOf,
  many,
  nullable,
  optional,
  remove,
  resource,
  signedIn,
  text,
  uuid,
} from '../vocabulary/index.ts'

/** Seconds. The longest lifetimes are also the ones given when a sign-in names none. */
export const ACCESS_TOKEN_LIFETIME = { minimum: 1, maximum: 3600 }
export const REFRESH_TOKEN_LIFETIME = { minimum: 1, maximum: 30 * 24 * 3600 }

export const username = text({ minLength: 1, maxLength: 255 })
/** A password that is checked, not one that is being chosen. */
export const givenPassword = text({ minLength: 1, maxLength: 255 })

const tokens = {
  accessToken: text(),
  accessTokenExpiresAt: datetime(),
  refreshToken: text(),
  refreshTokenExpiresAt: datetime(),
  userId: uuid(),
  individualId: uuid(),
  organizationIds: listOf(uuid()),
  redirectUrl: nullable(text()),
}

export const login = action({
  id: 'login',
  summary: 'Sign in',
  givesSecrets: true,
  description:
    'A second factor may be asked for: 403 `TotpRequired`, or `MfaRequired` with the methods in `meta.methods`. ' +
    'Documents to agree to are named by 403 `ServiceDocumentsRequired`. Send the sign-in again with what is missing.',
  path: '/identity/v1/login/',
  access: anyone,
  body: {
    username,
    password: givenPassword,
    accessTokenExpirationSeconds: optional(integer(ACCESS_TOKEN_LIFETIME)),
    refreshTokenExpirationSeconds: optional(
      integer({ minimum: 1, description: 'Longer than 30 days is given as 30 days.' }),
    ),
    interactive: defaulted(
      boolean({ description: 'Whether a person is present; false leaves last-login-time as it is.' }),
      true,
    ),
    locale: optional(text({ maxLength: 35, description: 'Kept as the language of the user when it is one we speak.' })),
    mfaTicket: optional(
      text({
        maxLength: 512,
        description: 'What the right answer to an email challenge gave; works once, for 10 minutes.',
      }),
    ),
    totpCode: optional(text({ maxLength: 255 })),
    serviceDocumentAgreements: optional(
      listOf(uuid(), { maxItems: 100, description: 'The documents agreed to by this sign-in.' }),
    ),
    stickyAccessTokenExpiration: defaulted(
      boolean({ description: 'Keep the asked access lifetime through refreshes.' }),
      false,
    ),
    simulatedQueueDelay: optional(
      integer({
        minimum: 1,
        maximum: 3_600_000,
        description: 'For developers: background work waits this many milliseconds.',
      }),
    ),
  },
  answer: flat(tokens),
})

export const refresh = action({
  id: 'refresh',
  summary: 'Exchange a refresh token for new tokens',
  givesSecrets: true,
  description: 'Each refresh token works once. Using a spent one ends the sign-in it came from.',
  path: '/identity/v1/refresh/',
  access: anyone,
  body: { refreshToken: text({ minLength: 1, maxLength: 255 }) },
  answer: flat(tokens),
})

export const logout = action({
  id: 'logout',
  summary: 'End this sign-in',
  path: '/identity/v1/logout/',
  access: signedIn,
  answer: flat({}),
})

export const Session = resource('sessions', {
  userId: uuid(),
  isCurrent: boolean({ description: 'Whether this call was made with it.' }),
  ip: nullable(text()),
  userAgent: nullable(text()),
  createdAt: datetime(),
  lastUsedAt: datetime({ description: 'When its tokens were last refreshed.' }),
})

export const listSessions = list({
  id: 'list-sessions',
  summary: 'List the sign-ins that are not ended',
  path: '/identity/v1/sessions/',
  access: signedIn,
  filter: { userId: exactly(uuid({ description: "Yourself when left out; another's for an administrator." })) },
  answer: many(Session),
})

export const endSession = remove({
  id: 'end-session',
  summary: 'End a sign-in',
  recorded: true,
  path: '/identity/v1/sessions/{id}/',
  access: signedIn,
})
