// The words everything else in the contract is said in.

export * from './access.ts'
export * from './codec.ts'
export * from './envelope.ts'
export * from './fields.ts'
export * from './filters.ts'
export * from './formats.ts'
export * from './headers.ts'
export * from './locales.ts'
export * from './naming.ts'
export * from './operation.ts'
export * from './printer.ts'
export * from './query.ts'
