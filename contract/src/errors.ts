// Every error code, its status and its wording: one table. `{name}` is filled from the problem's meta.

export const errors = {
  // The shape of the request
  BodyTooLarge: {
    status: 400,
    detail: 'The body is larger than the {limit} bytes this operation takes. Send less at once.',
  },
  MalformedBody: { status: 400, detail: 'The body is not acceptable JSON: {reason}.' },
  MalformedRequest: { status: 400, detail: 'The request is not well-formed HTTP: {reason}.' },
  MethodNotAllowed: { status: 400, detail: 'This path does not take {method}. It takes {allowed}.' },
  QueryTooLong: { status: 400, detail: 'The query string is longer than {limit} bytes. Ask for less at once.' },
  UnsupportedMediaType: {
    status: 400,
    detail: 'Bodies are taken as application/json or application/vnd.api+json in UTF-8. Set Content-Type.',
  },
  HttpsRequired: { status: 400, detail: 'This service is reached over HTTPS only.' },
  // The values in it
  InvalidParameter: { status: 400, detail: 'The parameter {parameter} {fault}.' },
  InvalidValue: { status: 400, detail: 'The value at {pointer} {fault}.' },
  MissingParameter: { status: 400, detail: 'The parameter {parameter} is required.' },
  MissingValue: { status: 400, detail: 'A value at {pointer} is required.' },
  TooManyFaults: { status: 400, detail: '{count} further faults are not listed.' },
  UnknownAttribute: { status: 400, detail: 'There is no attribute at {pointer}. Check its spelling.' },
  UnknownParameter: { status: 400, detail: 'There is no parameter {parameter}. Check its spelling.' },
  IdempotencyKeyReused: {
    status: 400,
    detail: 'This Idempotency-Key was used for a different request within the last 24 hours. Use a new key.',
  },
  RequestInProgress: {
    status: 400,
    detail: 'The first request with this Idempotency-Key is still being carried out. Send it again in a moment.',
  },
  AlertNotOpen: { status: 400, detail: 'This alert is {state} already. Read it again to see what became of it.' },
  AlreadyRegistered: { status: 400, detail: 'This user is registered already and needs no invitation.' },
  AutomaticGroup: {
    status: 400,
    detail: 'This group keeps itself: who is in it, its place and whether it is active cannot be changed. Use another.',
  },
  CsvCellCount: {
    status: 400,
    detail:
      'This line has {cells} cells and the header {columns}. Put values that hold the separator in quotation marks.',
  },
  CsvColumnMissing: { status: 400, detail: 'The file has no column {column}. Add it.' },
  CsvColumnTwice: { status: 400, detail: 'The file has the column {column} more than once. Keep one of them.' },
  CsvColumnUnknown: {
    status: 400,
    detail: 'An import knows no column {column}. Rename or remove it. It takes {columns}.',
  },
  CsvEmpty: { status: 400, detail: 'The file has no lines below the one that names its columns.' },
  CsvMalformed: { status: 400, detail: 'The file is not CSV from line {line} on: {reason}.' },
  CsvTooManyLines: { status: 400, detail: 'The file has more than {limit} lines. Split it.' },
  CsvWithoutHeader: {
    status: 400,
    detail: 'The first line of the file must name its columns, of {columns}. It names none of them.',
  },
  GroupCircle: {
    status: 400,
    detail: 'A group cannot be moved below itself or below a group that is below it. Choose another parent.',
  },
  LastAdministrator: { status: 400, detail: 'An organization keeps at least one administrator who can sign in.' },
  LinkExpired: { status: 400, detail: 'This link has expired. Ask for a new one.' },
  LinkInvalid: {
    status: 400,
    detail: 'This link is not valid. Open the newest message you were sent, or ask for a new one.',
  },
  LinkUsed: { status: 400, detail: 'This link was used already. Sign in, or ask for a new one.' },
  NoContact: { status: 400, detail: 'This user has no {channel} to send to. Add one, or choose another way.' },
  PasswordLeaked: { status: 400, detail: 'This password is among known leaked ones. Choose another.' },
  PasswordTooShort: { status: 400, detail: 'This password is too short. Use at least {least} characters.' },
  PasswordTooWeak: { status: 400, detail: 'This password is too easy to guess. {suggestions}' },
  PasswordWrong: { status: 400, detail: 'The current password is wrong.' },
  ProviderOnlyGroup: { status: 400, detail: 'A provider_only group takes no individuals. Use a regular group.' },
  RecordMerged: { status: 400, detail: 'This record was merged into the individual {id}. Use that one.' },
  ShippedClassificationSet: {
    status: 400,
    detail:
      'This set comes with the product and stays as it is. Create one of your own for the same field; it takes its place.',
  },
  StateNotAllowed: { status: 400, detail: 'A user in state {from} cannot become {to}.' },
  TagExists: { status: 400, detail: 'There is a tag named {name} already.' },
  TooManyPeriods: {
    status: 400,
    detail: 'There are readings of more than {days} days in this time. Ask for less of it at once.',
  },
  TooManyWebhooks: {
    status: 400,
    detail: 'An organization has at most {limit} webhooks. Delete one that is no longer needed.',
  },
  TotpAlreadyEnabled: { status: 400, detail: 'Another TOTP configuration is enabled. Disable it first.' },
  TotpCodesWrong: {
    status: 400,
    detail: 'These are not two codes that follow each other. Wait for a new one and enter both.',
  },
  UnknownScope: { status: 400, detail: 'There is no operation {scope} to give access to.' },
  UsernameMismatch: { status: 400, detail: 'The username must equal the email or the mobile phone.' },
  UsernameTaken: { status: 400, detail: 'There is a user with this username already.' },
  WebhookDisabled: { status: 400, detail: 'This webhook is disabled. Enable it first.' },
  // Who is calling
  LoginFailed: { status: 403, detail: 'The username or the password is wrong.' },
  MfaCodeWrong: { status: 403, detail: 'The code is wrong or has expired. Ask for a new one after five wrong tries.' },
  MfaRequired: { status: 403, detail: 'A second factor is required: {methods}.' },
  MfaTicketInvalid: { status: 403, detail: 'The mfa-ticket is not valid any more. Answer a new email challenge.' },
  NotAuthenticated: {
    status: 403,
    detail: 'This needs a signed-in caller. Send Authorization: Bearer <access token>.',
  },
  PasswordResetRequired: { status: 403, detail: 'A new password must be set before signing in. Ask for a reset link.' },
  PermissionDenied: { status: 403, detail: 'This is not open to your role, or not within your scopes.' },
  ServiceDocumentsRequired: { status: 403, detail: 'Documents must be agreed to before signing in: {titles}.' },
  TokenExpired: { status: 403, detail: 'The token has expired. Refresh it or sign in again.' },
  TokenInvalid: { status: 403, detail: 'The token is not valid. Sign in again.' },
  TotpInvalid: { status: 403, detail: 'The TOTP code is wrong or was used already. Wait for a new one.' },
  TotpRequired: { status: 403, detail: 'A TOTP code is required. Send it as totp-code.' },
  // What is asked for
  NotFound: { status: 404, detail: 'There is no such {what}, or you may not see it.' },
  // How often, and when we fail
  QuotaExceeded: { status: 429, detail: 'The quota of {limit} units is used up. Try again in {seconds} seconds.' },
  StillChecking: { status: 429, detail: 'Your last password is still being checked. Try again in {seconds} seconds.' },
  TooManyMessages: {
    status: 429,
    detail: 'This person was sent many messages already. Try again in {seconds} seconds.',
  },
  TooManyStreams: {
    status: 429,
    detail: 'You follow {limit} streams already. Close one, or try again in {seconds} seconds.',
  },
  TooManySignInAttempts: { status: 429, detail: 'Too many failed sign-ins. Try again in {seconds} seconds.' },
  InternalError: {
    status: 500,
    detail: 'Something failed on our side. Quote request id {requestId} when you report it.',
  },
} as const satisfies Record<string, { status: number; detail: string }>

export type ErrorCode = keyof typeof errors

type Slots<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Slots<Rest> : never

/** The meta a code needs, because its wording names it. */
export type ErrorMeta<Code extends ErrorCode> = {
  [Name in Slots<(typeof errors)[Code]['detail']>]: string | number | readonly string[]
}

/** One entry of `{errors: […]}`, as it is on the wire. */
export interface ErrorEntry {
  status: string
  code: ErrorCode
  detail: string
  meta?: Record<string, unknown>
}

export function errorEntry(code: ErrorCode, meta: Record<string, unknown> = {}): ErrorEntry {
  const { status, detail } = errors[code]
  const wording = detail.replace(/\{(\w+)\}/g, (_, name: string) => [meta[name]].flat().join(', '))
  return { status: String(status), code, detail: wording, ...(Object.keys(meta).length > 0 ? { meta } : {}) }
}
