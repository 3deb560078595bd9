import { Type } from 'typebox'
import {
  action,
  anyone,
  boolean,
  create,
  datetime,
  exactly,
  flat,
  integer,
  list,
  listOf,
  many,
  nullable,
  one,
  operation,
  optional,
  resource,
  signedIn,
  text,
  uuid,
} from '../vocabulary/index.ts'
import { givenPassword, username } from './sessions.ts'

const TOTP_PATH = '/identity/v1/mfa-totp/'

export const TotpConfiguration = resource('mfa-totp', {
  userId: uuid(),
  enabled: boolean(),
  createdAt: datetime(),
  enabledAt: nullable(datetime()),
  lastUsed: nullable(datetime()),
  secret: optional(
    Type.Object(
      {
        sharedSecretKey: text(),
        provisioningUri: text(),
        provisioningQrcode: Type.Object({
          contentsBase64: text(),
          height: integer(),
          width: integer(),
          mimetype: text(),
        }),
      },
      { description: 'Only in the answer that creates it.' },
    ),
  ),
})

export const listTotp = list({
  id: 'list-totp',
  summary: 'List TOTP configurations',
  path: TOTP_PATH,
  access: signedIn,
  filter: { userId: exactly(uuid({ description: "Yourself when left out; another's for an administrator." })) },
  answer: many(TotpConfiguration),
})

export const initiateTotp = operation({
  id: 'initiate-totp',
  summary: 'Begin to set up TOTP',
  givesSecrets: true,
  description: 'Answers the secret, once. It is in use after it has been enabled.',
  method: 'POST',
  path: TOTP_PATH,
  status: 201,
  access: signedIn,
  body: { shape: 'flat', fields: {} },
  answer: one(TotpConfiguration),
})

export const enableTotp = action({
  id: 'enable-totp',
  summary: 'Enable a TOTP configuration',
  path: `${TOTP_PATH}{id}/enable/`,
  access: signedIn,
  body: {
    codes: listOf(text({ maxLength: 255 }), {
      minItems: 2,
      maxItems: 2,
      description: 'Two codes that follow each other.',
    }),
    password: givenPassword,
  },
  answer: one(TotpConfiguration),
})

export const disableTotp = action({
  id: 'disable-totp',
  summary: 'Disable a TOTP configuration',
  path: `${TOTP_PATH}{id}/disable/`,
  access: signedIn,
  body: { password: givenPassword },
  answer: one(TotpConfiguration),
})

export const MfaEmailChallenge = resource('mfa-email-challenges', { expiresAt: datetime() })

export const createMfaEmailChallenge = create({
  id: 'create-mfa-email-challenge',
  summary: 'Have a code sent by email as the second factor of a sign-in',
  path: '/identity/v1/mfa-email-challenges/',
  access: anyone,
  resource: MfaEmailChallenge,
  attributes: { username, password: givenPassword },
})

export const respondToMfaEmailChallenge = action({
  id: 'respond-to-mfa-email-challenge',
  summary: 'Answer an email challenge with its code',
  givesSecrets: true,
  path: '/identity/v1/mfa-email-challenges/{id}/respond/',
  access: anyone,
  body: { code: text({ minLength: 1, maxLength: 16 }) },
  answer: flat({ mfaTicket: text({ description: 'Sign in with it as mfa-ticket.' }) }),
})
