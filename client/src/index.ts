export type { HappenedEvent } from '@almoner/contract/integrator/events'
export { type Almoner, connect } from './connect.ts'
export { AlmonerError } from './error.ts'
export type { CallOptions, ConnectOptions, Tokens } from './options.ts'
