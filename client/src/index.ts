export type { ErrorCode, ErrorEntry, Locale, Page, Role } from '@almoner/contract'
export { type Almoner, type AnswerTo, connect } from './connect.ts'
export { AlmonerError } from './error.ts'
export type { CallOptions, ConnectOptions, TokenStore, Tokens } from './options.ts'
