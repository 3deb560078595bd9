// Patients by what someone types of their names.

import type { AnswerTo } from '@almoner/client'
import { ask } from '../session/asking.ts'

type Individual = AnswerTo<'listIndividuals'>['items'][number]

const MOST = 8

export const patientsNamed = (organizationId: string, words: string) =>
  ask('listIndividuals', {
    organizationId,
    // “Díaz, Rosa” is the same two words.
    filter: words ? { text: words.replaceAll(',', ' ').slice(0, 255) } : {},
    sort: [
      { field: 'lastName', descending: false },
      { field: 'firstName', descending: false },
    ],
    fields: ['firstName', 'lastName', 'birthDate', 'email'],
    page: { limit: MOST },
  })

/** Without accents, and in small letters. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export function isNamed({ firstName, lastName, email }: Individual, words: string): boolean {
  const known = plain([firstName, lastName, email].join(' '))
  return plain(words)
    .split(/[\s,]+/)
    .every((word) => known.includes(word))
}
