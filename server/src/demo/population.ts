// The patients of a made-up clinic. The same seed, day and index give the same person, whatever else is made: a larger
// population holds the smaller one. Nothing here looks at a clock or a database.

import type { Locale } from '@almoner/contract'
import type { Gender } from '@almoner/contract/people/patients'
import { type Account, DAY_MS, patientAccount, registeredAccount } from './accounts.ts'
import type { Origin, Sex } from './first-names.ts'
import { groupsOfPatient } from './groups.ts'
import { type PersonName, personName, withoutAccents } from './people-names.ts'
import { phoneOf } from './phone-numbers.ts'
import { Random, Weighted } from './random.ts'

export interface Population {
  /** A whole number below 2³². */
  seed: number
  /** The day before which everything happened. */
  until: Date
}

export interface Person extends Account {
  individualId: string
  userId: string
  firstName: string
  lastName: string
  preferredName: string | null
  birthDate: string
  gender: Gender
  email: string | null
  mobilePhone: string | null
  locale: Locale
  tz: string | null
  communicationPreferences: Record<string, { enabled: boolean }>
  username: string
  /** Whether to be given the password that all who sign in share. */
  canSignIn: boolean
  createdAt: Date
}

export interface Patient extends Person {
  groupIds: string[]
  tags: string[]
}

/** Draws for one purpose do not change those for another. */
const DRAWS = { identity: 10, record: 11, care: 12 }
const YEARS_OPEN = 3
/** Names go by age as if it were this year, so that someone made again on another day has the same name. */
const FASHION_YEAR = 2026
const WITH_PASSWORD = 3
/** Every so many there is one who was entered twice: the first of them early enough for a small clinic to have one. */
const DUPLICATE = { every: 2000, first: 41, within: 30 }

export function* patients(population: Population, count: number, from = 0): Generator<Patient> {
  for (let index = from; index < count; index++) yield patient(population, index)
}

export function patient(population: Population, index: number): Patient {
  const { seed, until } = population
  const random = new Random(seed, DRAWS.record, index)
  const isDuplicate = index % DUPLICATE.every === DUPLICATE.first
  const identity = identityOf(population, isDuplicate ? index - 1 - random.below(DUPLICATE.within) : index)
  const { sex, age, origin, birthDate, firstName, lastName } = identity
  const createdAt = workingHour(random, until)
  const [individualId, userId] = [random.uuid(createdAt), random.uuid(createdAt)]
  const canSignIn = index < WITH_PASSWORD
  const { email, mobilePhone, tz } = contacts(random, seed, index, identity)
  const circumstances = { createdAt, until, hasEmail: email !== null, hasPhone: mobilePhone !== null }
  const locale: Locale = origin === 'hispanic' && random.chance(0.4) ? 'es_US' : 'en_US'
  const care = new Random(seed, DRAWS.care, index)
  return {
    individualId,
    userId,
    firstName,
    lastName,
    preferredName: isDuplicate ? null : identity.preferredName,
    birthDate,
    gender: GENDERS.pick(random) ?? sex,
    email,
    mobilePhone,
    locale,
    tz: random.chance(0.9) ? tz : null,
    communicationPreferences: preferences(random, mobilePhone !== null),
    username: email ?? (mobilePhone as string),
    canSignIn,
    createdAt,
    ...(canSignIn ? registeredAccount : patientAccount)(random, circumstances),
    groupIds: groupsOfPatient(care, seed, index + 1, sex, age),
    tags: TAGS.filter(({ share }) => care.chance(share(identity, locale))).map(({ name }) => name),
  }
}

interface Identity extends PersonName {
  sex: Sex
  age: number
  birthDate: string
}

function identityOf({ seed, until }: Population, index: number): Identity {
  const random = new Random(seed, DRAWS.identity, index)
  const sex = random.chance(0.54) ? 'female' : 'male'
  const age = random.chance(0.86) ? clamp(random.bell(66, 11), 41, 99) : random.between(18, 48)
  const born = new Date(until.getTime() - age * 365.25 * DAY_MS)
  const birthDate = born.toISOString().slice(0, 10)
  return { sex, age, birthDate, ...personName(random, sex, Math.floor(FASHION_YEAR - age)) }
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)

/** Null is the gender that goes with the name. */
const GENDERS = new Weighted<Gender | null>([
  [null, 96.5],
  ['unknown', 1.5],
  ['pnta', 1.2],
  ['other', 0.8],
])

/** Records are made on weekdays while an American clinic is open, and more of late than at first. */
export function workingHour(random: Random, until: Date): Date {
  const day = Math.floor(random.fraction() ** 1.2 * YEARS_OPEN * 365.25) + 1
  const midnight = new Date(until.getTime() - day * DAY_MS)
  const weekday = midnight.getUTCDay()
  const back = weekday === 0 ? 2 : weekday === 6 ? 1 : 0
  const second = Math.floor(random.between(13, 23) * 3600)
  return new Date(midnight.getTime() - back * DAY_MS + second * 1000)
}

const MAIL_HOSTS = new Weighted([
  ['example.org', 45],
  ['example.com', 40],
  ['example.net', 15],
])

/** Several populations may live in one database, and a sign-in name is one person's: each has hosts of its own. */
export const mailHost = (seed: number, host: string): string => (seed === 1 ? host : `seed${seed}.${host}`)

function contacts(random: Random, seed: number, index: number, { firstName, lastName, age }: Identity) {
  const { number, tz } = phoneOf(seed, index)
  const host = mailHost(seed, MAIL_HOSTS.pick(random))
  const address = `${mailbox(random, firstName, lastName)}${index + 1}@${host}`
  const draw = random.fraction()
  if (index < WITH_PASSWORD)
    return { email: `patient${index + 1}@${mailHost(seed, 'demo.example')}`, mobilePhone: number, tz }
  // Numbers are shared between populations, so only in the first of them they serve as names to sign in with.
  const onlyPhone = seed === 1 && number !== null && draw < (age > 75 ? 0.16 : 0.06)
  return { email: onlyPhone ? null : address, mobilePhone: onlyPhone || draw < 0.62 ? number : null, tz }
}

/** The part before the number, which makes the address one person's: it ends in no digit. */
function mailbox(random: Random, firstName: string, lastName: string): string {
  const [first, last] = [letters(firstName), letters(lastName)]
  return random.pick([`${first}.${last}`, `${first[0]}${last}`, `${first}${last[0]}`, `${last}.${first}`, `${first}_`])
}

const letters = (name: string) =>
  withoutAccents(name)
    .replaceAll('ø', 'o')
    .replace(/[^a-zA-Z]/g, '')
    .toLowerCase()

const [yes, no] = [{ enabled: true }, { enabled: false }]
const PREFERENCES = new Weighted<Patient['communicationPreferences']>([
  [{}, 60],
  [{ email: yes, sms: no }, 18],
  [{ email: yes, voice: no }, 7],
  [{ email: no }, 2],
])
const PREFERENCES_WITH_PHONE = new Weighted<Patient['communicationPreferences']>([
  [{}, 55],
  [{ email: yes, sms: yes }, 16],
  [{ email: yes, sms: no }, 12],
  [{ email: no, sms: yes }, 9],
  [{ email: yes, sms: no, voice: yes }, 4],
  [{ mobile: yes, web: no }, 3],
])
const preferences = (random: Random, hasPhone: boolean) =>
  (hasPhone ? PREFERENCES_WITH_PHONE : PREFERENCES).pick(random)

interface Tag {
  name: string
  /** How many of those who are so have it. */
  share(identity: { age: number; origin: Origin }, locale: Locale): number
}
export const TAGS: Tag[] = [
  { name: 'High risk', share: ({ age }) => (age > 75 ? 0.14 : 0.06) },
  { name: 'Medicare', share: ({ age }) => (age >= 65 ? 0.7 : 0.02) },
  { name: 'Medicaid', share: ({ age }) => (age >= 65 ? 0.08 : 0.2) },
  { name: 'Home monitoring', share: () => 0.12 },
  { name: 'Interpreter needed', share: (_, locale) => (locale === 'es_US' ? 0.35 : 0.004) },
  { name: 'Fall risk', share: ({ age }) => (age > 78 ? 0.16 : 0.01) },
  { name: 'Lives alone', share: ({ age }) => (age > 70 ? 0.09 : 0.02) },
  { name: 'Care plan due', share: () => 0.05 },
  { name: 'Research consent', share: () => 0.06 },
  { name: 'Missed visits', share: ({ age }) => (age < 45 ? 0.08 : 0.03) },
]
