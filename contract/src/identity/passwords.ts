import { Type } from 'typebox'
import {
  action,
  anyone,
  boolean,
  defaulted,
  flat,
  integer,
  listOf,
  nullable,
  oneOf,
  signedIn,
  text,
} from '../vocabulary/index.ts'
import { givenPassword, username } from './sessions.ts'

export const STRENGTH_LABELS = ['very-weak', 'weak', 'fair', 'good', 'strong'] as const
/** New passwords below `fair`, or shorter than this, are refused. */
export const LEAST_STRENGTH = 2
export const LEAST_LENGTH = 12

export const newPassword = text({
  minLength: 1,
  maxLength: 255,
  description: 'At least 12 characters, and of fair strength.',
})
export const linkToken = text({ minLength: 1, maxLength: 255, description: 'The token of the link that was sent.' })

export const checkPasswordStrength = action({
  id: 'check-password-strength',
  summary: 'Check how strong a password is',
  path: '/identity/v1/check-password-strength/',
  access: signedIn,
  body: {
    password: text({ minLength: 1, maxLength: 255 }),
    checkPwned: defaulted(boolean({ description: 'Also ask whether it is among known leaked passwords.' }), false),
  },
  answer: flat({
    pwned: Type.Object({
      message: text(),
      times: nullable(integer({ minimum: 0, description: 'How often it was seen; null when that is not known.' })),
    }),
    strength: Type.Object({ label: oneOf(STRENGTH_LABELS), value: integer({ minimum: 0, maximum: 4 }) }),
    suggestions: listOf(text()),
  }),
})

export const changePassword = action({
  id: 'change-password',
  summary: 'Change your password',
  description: 'Your other sign-ins end.',
  path: '/identity/v1/change-password/',
  access: signedIn,
  body: { currentPassword: givenPassword, password: newPassword },
  answer: flat({}),
})

export const requestPasswordReset = action({
  id: 'request-password-reset',
  summary: 'Have a link sent that resets a password',
  description: 'Answers the same whether or not there is such a user.',
  path: '/identity/v1/request-password-reset/',
  access: anyone,
  body: { username },
  answer: flat({}),
})

export const resetPassword = action({
  id: 'reset-password',
  summary: 'Set a new password with the link that was sent',
  description: 'All sign-ins of the user end.',
  path: '/identity/v1/reset-password/',
  access: anyone,
  body: { token: linkToken, password: newPassword },
  answer: flat({ username: text() }),
})
