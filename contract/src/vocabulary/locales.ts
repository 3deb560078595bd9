import { oneOf } from './formats.ts'

export const LOCALES = ['en_US', 'es_US'] as const
export type Locale = (typeof LOCALES)[number]

export const locale = () => oneOf(LOCALES)
