export * from './catalogue.ts'
export * from './errors.ts'
export * from './events.ts'
export * from './vocabulary/index.ts'
