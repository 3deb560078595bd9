export {
  catalogue,
  type ErrorCode,
  type ErrorEntry,
  events,
  type Locale,
  type Page,
  type Role,
} from '@almoner/contract'
export type { HappenedEvent } from '@almoner/contract/integrator/events'
export { type Almoner, type AnswerTo, connect } from './connect.ts'
export { AlmonerError } from './error.ts'
export type { CallOptions, ConnectOptions, TokenStore, Tokens } from './options.ts'
