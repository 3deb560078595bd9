// Groups that keep themselves come with English names. Whoever renames one means the name.

import { type Language, useLanguage } from './language.ts'

const SPANISH: Record<string, string> = { 'All participants': 'Todos los pacientes', Unassigned: 'Sin asignar' }

const nameIn =
  (language: Language) =>
  ({ type, name }: { type: string; name: string }): string =>
    language === 'es' && type !== 'regular' && type !== 'provider_only' ? (SPANISH[name] ?? name) : name

const namesIn = { en: nameIn('en'), es: nameIn('es') }

export const useGroupName = () => namesIn[useLanguage()]
