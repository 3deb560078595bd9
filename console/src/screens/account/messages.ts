import { messages } from '../../language/language.ts'

export const account = messages(
  {
    title: 'My account',
    language: 'Language',
    languageSaved: 'Your language is saved.',
  },
  {
    title: 'Mi cuenta',
    language: 'Idioma',
    languageSaved: 'Su idioma está guardado.',
  },
)
