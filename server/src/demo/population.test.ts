import { formats, LOCALES } from '@almoner/contract'
import { REGISTRATION_INVITES, USER_STATES } from '@almoner/contract/identity/users'
import { GENDERS } from '@almoner/contract/people/patients'
import fc from 'fast-check'
import { isValidPhoneNumber } from 'libphonenumber-js'
import { validate, version } from 'uuid'
import { describe, expect, test } from 'vitest'
import { clinicGroups } from './groups.ts'
import { type Patient, patient, patients, TAGS } from './population.ts'
import { clinicPosts, clinicStaff } from './staff.ts'

const FIRST = { seed: 1, until: new Date('2026-08-01T00:00:00Z') }
const OTHER = { seed: 77, until: new Date('2024-02-29T00:00:00Z') }
const many = [...patients(FIRST, 50_000)]
const others = [...patients(OTHER, 5000)]

const populations = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  until: fc
    .date({ min: new Date('2010-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    .map((moment) => new Date(`${moment.toISOString().slice(0, 10)}T00:00:00Z`)),
})
const ZONES = new Set(Intl.supportedValuesOf('timeZone'))
const share = (isSo: (one: Patient) => boolean, among = many) => among.filter(isSo).length / among.length

/** Who does not hold to what, of so many that each cannot be expected by itself. */
const faultsOf = (people: Patient[], holds: (one: Patient) => Record<string, boolean | undefined>) =>
  people.flatMap((one) =>
    Object.entries(holds(one)).flatMap(([what, isSo]) => (isSo ? [] : [`${what} of ${one.username}`])),
  )

describe('the same again', () => {
  test('the same seed, day and index make the same person', () => {
    fc.assert(
      fc.property(populations, fc.nat(3_000_000), (population, index) => {
        expect(patient({ ...population }, index)).toEqual(patient(population, index))
      }),
    )
  })

  test('a larger population holds the smaller one, and its groups and staff', () => {
    fc.assert(
      fc.property(populations, fc.integer({ min: 1, max: 300 }), fc.nat(4000), (population, count, more) => {
        const small = [...patients(population, count)]
        expect([...patients(population, count + Math.min(more, 50))].slice(0, count)).toEqual(small)
        const clinic = (size: number) => ({
          groups: clinicGroups(population.seed, size),
          staff: clinicStaff(population, size),
          posts: clinicPosts(population, size),
        })
        const larger = clinic(count + more)
        for (const [part, things] of Object.entries(clinic(count)))
          expect(larger[part as keyof typeof larger]).toEqual(expect.arrayContaining<unknown>(things))
      }),
      { numRuns: 20 },
    )
  })

  test('another seed makes other people, another day the same sign-in names', () => {
    const namesOf = (people: Patient[]) => people.map(({ firstName, lastName }) => `${firstName} ${lastName}`)
    const seeded = [...patients({ ...FIRST, seed: 2 }, 500)]
    expect(namesOf(seeded)).not.toEqual(namesOf(many.slice(0, 500)))
    const signIns = new Set(many.map(({ username }) => username))
    expect(seeded.filter(({ username }) => signIns.has(username))).toEqual([])
    const later = [...patients({ ...FIRST, until: new Date('2026-08-02T00:00:00Z') }, 500)]
    expect(later.map(({ username }) => username)).toEqual(many.slice(0, 500).map(({ username }) => username))
  })
})

describe('what the interface would take', () => {
  test('is in every record', () => {
    const faults = faultsOf([...many.slice(0, 5000), ...others, many.at(-1) as Patient], (person) => {
      const { email, mobilePhone, individualId, userId, createdAt } = person
      return {
        email: email === null || formats.email?.check(email) === true,
        phone: mobilePhone === null || (formats.phonenumberE164?.check(mobilePhone) && isValidPhoneNumber(mobilePhone)),
        username: [email, mobilePhone].includes(person.username),
        birthDate: formats.date?.check(person.birthDate),
        ids: [individualId, userId].every((id) => validate(id) && version(id) === 7),
        timeOfId: Number.parseInt(userId.replace('-', '').slice(0, 12), 16) === createdAt.getTime(),
        gender: GENDERS.includes(person.gender),
        locale: LOCALES.includes(person.locale),
        state: USER_STATES.includes(person.state) && REGISTRATION_INVITES.includes(person.registrationInvite),
        tz: person.tz === null || ZONES.has(person.tz),
        name: [person.firstName, person.lastName].every((name) => name.length > 1 && name === name.trim()),
      }
    })
    expect(faults).toEqual([])
  })

  test('addresses and numbers are nobody’s, and each is one person’s', () => {
    const faults = faultsOf([...many, ...others], ({ email, mobilePhone }) => ({
      email: email === null || /^[a-z._]+\d+@(seed77\.)?(example\.(org|com|net)|demo\.example)$/.test(email),
      phone: mobilePhone === null || /^\+1\d{3}555(?!1212|4334)\d{4}$/.test(mobilePhone),
    }))
    expect(faults).toEqual([])
    expect(new Set(many.map(({ username }) => username)).size).toBe(many.length)
    const numbers = many.flatMap(({ mobilePhone }) => mobilePhone ?? [])
    expect(new Set(numbers).size).toBe(numbers.length)
    // A clinic of ordinary size has only numbers that are kept for fiction.
    expect(numbers.slice(0, 5000).every((number) => /55501\d\d$/.test(number))).toBe(true)
  })

  test('with more people than numbers, the last have none', () => {
    const late = [...patients(FIRST, 3_000_100, 3_000_000)]
    expect(late.every(({ mobilePhone, email }) => mobilePhone === null && email !== null)).toBe(true)
  })
})

describe('what could have happened', () => {
  test('everything comes in its order, and before the day it is until', () => {
    const opened = FIRST.until.getTime() - 3.02 * 365.25 * 86_400_000
    const faults = faultsOf(many, ({ createdAt, registeredAt, lastLoginAt, lastActivityAt, birthDate }) => {
      const moments = [new Date(birthDate), createdAt, registeredAt, lastLoginAt, lastActivityAt, FIRST.until]
      const times = moments.flatMap((moment) => moment?.getTime() ?? [])
      return {
        order: times.every((time, place) => place === 0 || time >= (times[place - 1] as number)),
        created: createdAt.getTime() > opened,
      }
    })
    expect(faults).toEqual([])
  })

  test('state, invitation, registration and what was verified go together', () => {
    const faults = faultsOf([...many, ...others], (person) => {
      const { state, registrationInvite, emailVerified, phoneVerified } = person
      const isRegistered = person.registeredAt !== null
      const isVerified = emailVerified || phoneVerified
      const needsRegistration = ['registered', 'registered_disabled', 'force_reset_password'].includes(state)
      return {
        state: state === 'archived' || isRegistered === needsRegistration,
        invite: (registrationInvite === 'accepted') === isRegistered,
        login: (person.lastLoginAt !== null) === isRegistered && (person.lastActivityAt !== null) === isRegistered,
        verified: isVerified || !(isRegistered || state === 'confirmed'),
        notVerified: !isVerified || (state !== 'init' && ['sent', 'accepted'].includes(registrationInvite)),
        email: !emailVerified || person.email !== null,
        phone: !phoneVerified || person.mobilePhone !== null,
      }
    })
    expect(faults).toEqual([])
  })

  test('the first three can sign in', () => {
    expect(many.filter(({ canSignIn }) => canSignIn).map(({ username, state }) => [username, state])).toEqual([
      ['patient1@demo.example', 'registered'],
      ['patient2@demo.example', 'registered'],
      ['patient3@demo.example', 'registered'],
    ])
  })
})

describe('a panel of chronic care', () => {
  const age = ({ birthDate }: Patient) => 2026 - Number(birthDate.slice(0, 4))

  test.each([
    ['is registered', 0.55, (one: Patient) => one.state === 'registered'],
    ['is not registered yet', 0.25, (one: Patient) => one.state === 'init'],
    ['is confirmed', 0.08, (one: Patient) => one.state === 'confirmed'],
    ['is archived', 0.05, (one: Patient) => one.state === 'archived'],
    ['is disabled', 0.04, (one: Patient) => one.state === 'disabled'],
    ['was registered and is disabled', 0.02, (one: Patient) => one.state === 'registered_disabled'],
    ['is to reset the password', 0.01, (one: Patient) => one.state === 'force_reset_password'],
    ['is in no group', 0.15, ({ groupIds }: Patient) => groupIds.length === 0],
    ['is from 45 to 85', 0.83, (one: Patient) => age(one) >= 45 && age(one) <= 85],
    ['reads Spanish', 0.08, ({ locale }: Patient) => locale === 'es_US'],
    ['has a hyphen or an apostrophe in the last name', 0.04, ({ lastName }: Patient) => /[-']/.test(lastName)],
  ])('%s: a share of %d', (_, expected, isSo) => {
    expect(Math.abs(share(isSo) - expected)).toBeLessThan(0.02)
  })

  test('some are called by another name, have accents, tags or wishes of how to be reached', () => {
    for (const isSo of [
      ({ preferredName }: Patient) => preferredName !== null,
      ({ firstName, lastName }: Patient) => /[áéíóúñ]/i.test(firstName + lastName),
      ({ tags }: Patient) => tags.length > 0,
      ({ communicationPreferences }: Patient) => 'sms' in communicationPreferences,
    ]) {
      expect(share(isSo)).toBeGreaterThan(0.02)
      expect(share(isSo)).toBeLessThan(0.7)
    }
    expect(new Set(many.flatMap(({ tags }) => tags))).toEqual(new Set(TAGS.map(({ name }) => name)))
  })

  test('one in 2000 was entered twice', () => {
    const twins = many.filter((_, index) => index % 2000 === 41)
    const key = ({ firstName, lastName, birthDate }: Patient) => `${firstName} ${lastName} ${birthDate}`
    const counts = Map.groupBy(many, key)
    expect(twins.every((twin) => (counts.get(key(twin))?.length ?? 0) >= 2)).toBe(true)
    expect(twins).toHaveLength(25)
  })

  test('every group is one of the clinic’s, and sizes differ', () => {
    const groups = new Map(clinicGroups(1, many.length).map((group) => [group.id, group]))
    const sizes = Map.groupBy(
      many.flatMap(({ groupIds }) => groupIds),
      (id) => id,
    )
    for (const id of sizes.keys()) expect(groups.get(id)).toMatchObject({ nodeType: 'group', type: 'regular' })
    const [largest = 0, , , , middle = 0] = [...sizes.values()].map(({ length }) => length).sort((a, b) => b - a)
    expect(largest).toBeGreaterThan(middle * 1.3)
    expect(many.every(({ groupIds }) => new Set(groupIds).size === groupIds.length)).toBe(true)
  })
})

test('groups and staff grow slowly', () => {
  const sizes = [500, 20_000, 200_000].map((count) => [clinicGroups(1, count).length, clinicStaff(FIRST, count).length])
  expect(sizes).toEqual([
    [13, 6],
    [56, 82],
    [149, 802],
  ])
})

test('every group has a leader, and every provider is somewhere', () => {
  const posts = clinicPosts(FIRST, 5000)
  const led = new Set(posts.filter(({ kind }) => kind === 'leader').map(({ groupId }) => groupId))
  expect(led).toEqual(new Set(clinicGroups(1, 5000).map(({ id }) => id)))
  const providers = clinicStaff(FIRST, 5000).filter(({ role }) => role === 'provider')
  expect(new Set(posts.map(({ username }) => username))).toEqual(new Set(providers.map(({ username }) => username)))
})
