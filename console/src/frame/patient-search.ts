// Patients by what someone types of their names.

import type { AnswerTo } from '@almoner/client'
import { queryOptions } from '@tanstack/react-query'
import { almoner } from '../session/session.ts'

type Individual = AnswerTo<'listIndividuals'>['items'][number]

const MOST = 8

const wordsOf = (text: string) => text.split(/[\s,]+/).filter(Boolean)
/** Without accents, and in small letters. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export const isNamed = ({ firstName = '', lastName = '' }: Individual, words: string): boolean =>
  wordsOf(plain(words)).every((word) => plain(`${firstName} ${lastName}`).includes(word))

/** One word is part of either name; of two, one is part of each. */
export const patientsNamed = (organizationId: string, words: string) =>
  queryOptions({
    queryKey: ['patientsNamed', organizationId, words],
    queryFn: async ({ signal }): Promise<Individual[]> => {
      // A comma means “or” to the service: “Diaz, Rosa” is the same two words.
      const [first = '', second] = wordsOf(words)
      const contains = (word: string) => ({ contains: word })
      const ways =
        second === undefined
          ? [{ lastName: contains(first) }, { firstName: contains(first) }]
          : [
              { firstName: contains(first), lastName: contains(second) },
              { firstName: contains(second), lastName: contains(first) },
            ]
      const pages = await Promise.all(
        ways.map((filter) =>
          almoner.listIndividuals(
            { organizationId, filter, fields: ['firstName', 'lastName', 'birthDate'], page: { limit: MOST } },
            { signal },
          ),
        ),
      )
      const found = new Map(pages.flatMap(({ items }) => items).map((one) => [one.id, one]))
      return [...found.values()].slice(0, MOST)
    },
  })
