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
  // Who is calling
  LoginFailed: { status: 403, detail: 'The username or the password is wrong.' },
  NotAuthenticated: {
    status: 403,
    detail: 'This needs a signed-in caller. Send Authorization: Bearer <access token>.',
  },
  PermissionDenied: { status: 403, detail: 'Your role does not allow this.' },
  TokenExpired: { status: 403, detail: 'The token has expired. Refresh it or sign in again.' },
  TokenInvalid: { status: 403, detail: 'The token is not valid. Sign in again.' },
  // What is asked for
  NotFound: { status: 404, detail: 'There is no such {what}, or you may not see it.' },
  // How often, and when we fail
  QuotaExceeded: { status: 429, detail: 'The quota of {limit} units is used up. Try again in {seconds} seconds.' },
  TooManySignInAttempts: { status: 429, detail: 'Too many failed sign-ins. Try again in {seconds} seconds.' },
  InternalError: {
    status: 500,
    detail: 'Something failed on our side. Quote request id {requestId} when you report it.',
  },
} as const satisfies Record<string, { status: number; detail: string }>

export type ErrorCode = keyof typeof errors

type Slots<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Slots<Rest> : never

/** The meta a code needs, because its wording names it. */
export type ErrorMeta<Code extends ErrorCode> = { [Name in Slots<(typeof errors)[Code]['detail']>]: string | number }

/** One entry of `{errors: […]}`, as it is on the wire. */
export interface ErrorEntry {
  status: string
  code: ErrorCode
  detail: string
  meta?: Record<string, unknown>
}

export function errorEntry(code: ErrorCode, meta: Record<string, unknown> = {}): ErrorEntry {
  const { status, detail } = errors[code]
  const wording = detail.replace(/\{(\w+)\}/g, (_, name: string) => String(meta[name]))
  return { status: String(status), code, detail: wording, ...(Object.keys(meta).length > 0 ? { meta } : {}) }
}
