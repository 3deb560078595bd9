import { formats } from '@almoner/contract'
import { describe, expect, test } from 'vitest'
import { type ErrorCode, errorEntry, errors } from '../../contract/src/errors.ts'
import { faultInSpanish, inSpanish } from '../src/language/spanish-errors.ts'

describe('what is wrong with a value is said in Spanish', () => {
  test.each([
    ['must not be empty', 'No puede quedar vacío.'],
    ['must have at most 200 characters', 'Debe tener como máximo 200 caracteres.'],
    ['must be at least 1', 'Debe ser 1 o más.'],
    ['must be one of male, female', 'Debe ser uno de estos: male, female.'],
    ['must be a number from 0 to 500', 'Debe ser un número de 0 a 500.'],
    ['must not overlap the range at /ranges/1', 'No puede coincidir en parte con el intervalo at /ranges/1.'],
    ['must be something that nobody thought of', null],
  ])('%s', (fault, words) => expect(faultInSpanish(fault)).toBe(words))

  test.each(Object.values(formats).map(({ wording }) => wording))('also where a value is not %s', (wording) => {
    expect(faultInSpanish(`must be ${wording}`)).toMatch(/^Debe ser .*\.$/)
  })
})

test('a wording names only what the service tells with its code', () => {
  for (const code of Object.keys(errors) as ErrorCode[]) {
    const names = [...errors[code].detail.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const told = Object.fromEntries(names.map((name) => [name, `<${name}>`]))
    // A name that is not told would leave nothing between two words.
    expect(inSpanish(errorEntry(code, told)), code).not.toMatch(/\{\w+\}| {2}|\s[.,]|^:/)
  }
})
