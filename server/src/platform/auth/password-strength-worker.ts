// The thread of password-strength.ts: holds the dictionaries and judges one password after the other.

import { parentPort } from 'node:worker_threads'
import type { Locale } from '@almoner/contract'
import { type TranslationKeys, ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as english from '@zxcvbn-ts/language-en'
import * as spanish from '@zxcvbn-ts/language-es-es'
import type { StrengthAnswer, StrengthQuestion } from './password-strength.ts'

// The time a judgement takes grows with both of these. At the library's own limits the long random password of a
// password manager takes seconds; at these a fraction of one. What follows the 64th character does not make a password
// weaker, and 16 readings of letters written as digits and signs are enough to recognise the words people write so.
const JUDGED_CHARACTERS = 64
const MAXIMUM_READINGS = 16

// A shorter part of a name would be found in any password.
const SHORTEST_PART = 3

const wordings: Record<Locale, TranslationKeys> = {
  en_US: english.translations,
  es_US: spanish.translations,
}

// Without translations feedback comes as keys, so that one set of dictionaries serves both languages. People choose
// words of both, whichever they read.
const judge = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary, ...spanish.dictionary },
  graphs: common.adjacencyGraphs,
  maxLength: JUDGED_CHARACTERS,
  l33tMaxSubstitutions: MAXIMUM_READINGS,
})

function answer({ password, userInputs, locale }: StrengthQuestion): StrengthAnswer {
  const { score, feedback } = judge.check(password, userInputs.flatMap(knownWords))
  const { warnings, suggestions } = wordings[locale]
  return {
    value: score,
    suggestions: [
      ...(feedback.warning ? [warnings[feedback.warning as keyof typeof warnings]] : []),
      ...feedback.suggestions.map((key) => suggestions[key as keyof typeof suggestions]),
    ],
  }
}

/** An input and its parts: of jane.doe@clinic.example also jane, doe, clinic and example. Cut as the password is. */
const knownWords = (input: string): string[] =>
  [input, ...input.split(/[^\p{L}\p{N}]+/u)]
    .filter((word) => word.length >= SHORTEST_PART)
    .map((word) => word.slice(0, JUDGED_CHARACTERS))

parentPort?.on('message', (question: StrengthQuestion) => parentPort?.postMessage(answer(question)))
parentPort?.postMessage('ready')
