// From a value in code to its JSON on the wire, in one walk: what `encoder` and JSON.stringify do in two, without the
// copy in between. A page of a hundred resources is a few thousand attributes.

import type { TSchema } from 'typebox'
import { encoder, isAsOnTheWire } from './codec.ts'
import { kebab } from './naming.ts'

type Print = (value: unknown, beside?: Record<string, unknown>) => string

interface JsonSchema {
  properties?: Record<string, TSchema>
  items?: TSchema
}

export function printer(schema: TSchema): Print {
  const { properties, items } = schema as JsonSchema
  // Whole lists of what needs no conversion are printed fastest in one go.
  if (items) return isAsOnTheWire(items) ? (value) => JSON.stringify(value) : printList(printer(items))
  if (properties) return printObject(properties)
  const encode = encoder(schema)
  return (value, beside) => printValue(encode(value, beside))
}

// Nothing in it that JSON writes otherwise.
const PLAIN = /^[ !#-[\]-~]*$/

function printValue(value: unknown): string {
  if (typeof value === 'string') return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return JSON.stringify(value)
}

const printList =
  (print: Print): Print =>
  (value) => {
    if (!Array.isArray(value)) return JSON.stringify(value)
    let printed = ''
    for (let place = 0; place < value.length; place++) printed += (place > 0 ? ',' : '') + print(value[place])
    return `[${printed}]`
  }

/** Only what is declared is printed. */
function printObject(properties: Record<string, TSchema>): Print {
  const members = Object.entries(properties).map(([name, schema]) => {
    const key = `${JSON.stringify(kebab(name))}:`
    // As few pieces as can be: many attributes of a page are null.
    return { name, key, next: `,${key}`, absent: `${key}null`, nextAbsent: `,${key}null`, print: printer(schema) }
  })
  return (value) => {
    if (value === null || typeof value !== 'object') return JSON.stringify(value)
    const source = value as Record<string, unknown>
    let printed = ''
    for (const { name, key, next, absent, nextAbsent, print } of members) {
      const member = source[name]
      if (member === undefined) continue
      const isFirst = printed === ''
      if (member === null) printed += isFirst ? absent : nextAbsent
      else printed += (isFirst ? key : next) + print(member, source)
    }
    return `{${printed}}`
  }
}
