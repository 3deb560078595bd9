// English and Spanish: which one is spoken, and how texts are declared.

import type { Locale } from '@almoner/client'
import { useSyncExternalStore } from 'react'

export type Language = 'en' | 'es'
export const LANGUAGES: { language: Language; locale: Locale; name: string }[] = [
  { language: 'en', locale: 'en_US', name: 'English' },
  { language: 'es', locale: 'es_US', name: 'Español' },
]
/** As the browser's own formats know them. */
export const LANGUAGE_TAGS: Record<Language, string> = { en: 'en-US', es: 'es-US' }

type Text = string | ((...args: never[]) => string)
type Texts = { [key: string]: Text | Texts }
type SameShape<T> = {
  [Key in keyof T]: T[Key] extends (...args: infer A) => string
    ? (...args: A) => string
    : T[Key] extends string
      ? string
      : SameShape<T[Key]>
}

export interface Messages<T> {
  en: T
  es: SameShape<T>
}

/** The texts of one screen. Spanish has exactly the texts that English has. */
export const messages = <T extends Texts>(en: T, es: SameShape<T>): Messages<T> => ({ en, es })

const KEPT = 'almoner-language'
const listeners = new Set<() => void>()
let current: Language = initial()

function initial(): Language {
  const kept = localStorage.getItem(KEPT)
  return (LANGUAGES.find(({ language }) => language === kept) ?? browserLanguage()).language
}

function browserLanguage() {
  const spoken = navigator.languages.map((tag) => LANGUAGES.find(({ language }) => tag.startsWith(language)))
  return spoken.find((one) => one !== undefined) ?? (LANGUAGES[0] as (typeof LANGUAGES)[number])
}

/** Kept in this browser, so that the next sign-in page already speaks it. */
export function speak(language: Language): void {
  current = language
  localStorage.setItem(KEPT, language)
  document.documentElement.lang = language
  for (const listener of listeners) listener()
}

export const speakLocale = (locale: Locale): void => speak(languageOf(locale))
export const languageOf = (locale: Locale): Language => (locale.startsWith('es') ? 'es' : 'en')
export const currentLanguage = (): Language => current

/** Now, and again whenever another language is spoken. */
export function onLanguage(listener: (language: Language) => void): void {
  listeners.add(() => listener(current))
  listener(current)
}

export const useLanguage = (): Language =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => current,
  )

export const useMessages = <T>(of: Messages<T>): T => of[useLanguage()] as T

document.documentElement.lang = current
