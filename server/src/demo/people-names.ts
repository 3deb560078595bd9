// What someone born in some year is called.

import { FIRST_NAMES, NICKNAMES, type Origin, type Sex } from './first-names.ts'
import { LAST_NAMES } from './last-names.ts'
import { type Random, Weighted } from './random.ts'

export interface PersonName {
  firstName: string
  lastName: string
  preferredName: string | null
  origin: Origin
}

const ORIGINS = new Weighted<Origin>([
  ['general', 70],
  ['hispanic', 20],
  ['chinese', 2.2],
  ['vietnamese', 2],
  ['korean', 1.4],
  ['indian', 2.6],
  ['arabic', 1.8],
])
/** How many have a first name of their family's language, rather than one as anyone has. */
const KEEPING_THEIR_OWN: Record<Origin, number> = {
  general: 1,
  hispanic: 0.72,
  chinese: 0.55,
  vietnamese: 0.6,
  korean: 0.55,
  indian: 0.93,
  arabic: 0.9,
}
/** A name is half as frequent so many years before and after its best year. */
const FASHION_YEARS = 9
/** The larger, the more alike are the first and the last name of a list in frequency. */
const LAST_NAME_RANK = 20
const KEEPING_ACCENTS = 0.45
const WITH_NICKNAME = 0.3

const listed = (text: string) => text.trim().split(/,\s*/)

const lastNames = byOrigin(
  (origin) => new Weighted(listed(LAST_NAMES[origin]).map((name, rank) => [name, 1 / (rank + LAST_NAME_RANK)])),
)

interface Fashion {
  year: number
  name: string
  weight: number
}
const fashions: Record<Sex, Record<Origin, Fashion[]>> = {
  female: byOrigin((origin) => readFashions(FIRST_NAMES.female[origin])),
  male: byOrigin((origin) => readFashions(FIRST_NAMES.male[origin])),
}
const firstNamesByYear = new Map<string, Weighted<string>>()

function byOrigin<T>(make: (origin: Origin) => T): Record<Origin, T> {
  const origins = Object.keys(LAST_NAMES) as Origin[]
  return Object.fromEntries(origins.map((origin) => [origin, make(origin)])) as Record<Origin, T>
}

function readFashions(text: string): Fashion[] {
  return text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [year = '', names = ''] = line.split(':')
      return listed(names).map((entry) => {
        const space = entry.lastIndexOf(' ')
        return { year: Number(year), name: entry.slice(0, space), weight: Number(entry.slice(space + 1)) }
      })
    })
}

function firstNamesOf(sex: Sex, origin: Origin, birthYear: number): Weighted<string> {
  const key = `${sex} ${origin} ${birthYear}`
  const known = firstNamesByYear.get(key)
  if (known) return known
  const names = new Weighted(
    fashions[sex][origin].map(({ year, name, weight }): [string, number] => [
      name,
      weight / (1 + ((birthYear - year) / FASHION_YEARS) ** 2),
    ]),
  )
  firstNamesByYear.set(key, names)
  return names
}

export function personName(random: Random, sex: Sex, birthYear: number): PersonName {
  const origin = ORIGINS.pick(random)
  const tongue = random.chance(KEEPING_THEIR_OWN[origin]) ? origin : 'general'
  const given = firstNamesOf(sex, tongue, birthYear).pick(random)
  const family = familyName(random, sex, origin)
  // Many clerks, and many systems before this one, left accents out.
  const written = random.chance(KEEPING_ACCENTS) ? (name: string) => name : withoutAccents
  const preferred = preferredName(random, sex, birthYear, given, tongue)
  return {
    firstName: written(given),
    lastName: written(family),
    preferredName: preferred && written(preferred),
    origin,
  }
}

function familyName(random: Random, sex: Sex, origin: Origin): string {
  const names = lastNames[origin]
  const name = names.pick(random)
  const second = names.pick(random)
  if (second === name) return name
  if (origin === 'hispanic') {
    const custom = random.fraction()
    if (custom < 0.08) return `${name} ${second}`
    return custom < 0.14 ? `${name}-${second}` : name
  }
  return origin === 'general' && sex === 'female' && random.chance(0.03) ? `${name}-${second}` : name
}

function preferredName(random: Random, sex: Sex, birthYear: number, given: string, tongue: Origin): string | null {
  const isWanted = random.chance(WITH_NICKNAME)
  const nicknames = NICKNAMES[given]
  if (isWanted && nicknames) return random.pick(listed(nicknames))
  // Others use a name here that is easier for those around them.
  const isFar = tongue === 'chinese' || tongue === 'vietnamese' || tongue === 'korean'
  return isWanted && isFar ? firstNamesOf(sex, 'general', birthYear).pick(random) : null
}

export const withoutAccents = (name: string): string => name.normalize('NFD').replace(/[\u0300-\u036f]/g, '')
