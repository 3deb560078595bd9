import {
  action,
  anyone,
  boolean,
  datetime,
  defaulted,
  flat,
  integer,
  listOf,
  nullable,
  optional,
  signedIn,
  text,
  uuid,
} from '../vocabulary/index.ts'

/** Seconds. The longest lifetimes are also the ones given when a sign-in names none. */
export const ACCESS_TOKEN_LIFETIME = { minimum: 1, maximum: 3600 }
export const REFRESH_TOKEN_LIFETIME = { minimum: 1, maximum: 30 * 24 * 3600 }

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
  path: '/identity/v1/login/',
  access: anyone,
  body: {
    username: text({ minLength: 1, maxLength: 255 }),
    password: text({ minLength: 1, maxLength: 255 }),
    accessTokenExpirationSeconds: optional(integer(ACCESS_TOKEN_LIFETIME)),
    refreshTokenExpirationSeconds: optional(
      integer({ minimum: 1, description: 'Longer than 30 days is given as 30 days.' }),
    ),
    interactive: defaulted(
      boolean({ description: 'Whether a person is present; false leaves last-login-time as it is.' }),
      true,
    ),
    stickyAccessTokenExpiration: defaulted(
      boolean({ description: 'Keep the asked access lifetime through refreshes.' }),
      false,
    ),
  },
  answer: flat(tokens),
})

export const refresh = action({
  id: 'refresh',
  summary: 'Exchange a refresh token for new tokens',
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
