// The staff of a made-up clinic, and which groups each leads or belongs to. Like patients, they do not change when the
// clinic grows: more come.

import { DAY_MS, registeredAccount } from './accounts.ts'
import { type ClinicGroup, clinicGroups } from './groups.ts'
import { personName } from './people-names.ts'
import { phoneOf } from './phone-numbers.ts'
import { mailHost, type Person, type Population, workingHour } from './population.ts'
import { Random } from './random.ts'

export interface StaffMember extends Person {
  role: 'org-admin' | 'provider'
}

export interface Post {
  groupId: string
  kind: 'leader' | 'member'
  username: string
}

const DRAWS = { staff: 20, leaders: 21, members: 22 }
const PATIENTS_EACH = 250
const FEWEST_PROVIDERS = 4
const ADMINISTRATORS = 2
/** Phone numbers of staff begin where those of patients have not come yet: nobody minds if they meet there. */
const FIRST_PHONE = 1_000_000

const providersWith = (patients: number) => Math.max(FEWEST_PROVIDERS, Math.round(patients / PATIENTS_EACH))

const providerName = (seed: number, index: number) => `provider${index + 1}@${mailHost(seed, 'demo.example')}`

export function clinicStaff(population: Population, patients: number): StaffMember[] {
  const { seed } = population
  return [
    ...Array.from({ length: ADMINISTRATORS }, (_, index) =>
      member(population, index, 'org-admin', `admin${index + 1}@${mailHost(seed, 'demo.example')}`),
    ),
    ...Array.from({ length: providersWith(patients) }, (_, index) =>
      member(population, ADMINISTRATORS + index, 'provider', providerName(seed, index)),
    ),
  ]
}

function member({ seed, until }: Population, place: number, role: StaffMember['role'], email: string): StaffMember {
  const random = new Random(seed, DRAWS.staff, place)
  const sex = random.chance(0.65) ? 'female' : 'male'
  const createdAt = workingHour(random, until)
  const born = new Date(createdAt.getTime() - random.between(27, 66) * 365.25 * DAY_MS)
  const { firstName, lastName } = personName(random, sex, born.getUTCFullYear())
  const { number: mobilePhone, tz } = phoneOf(seed, FIRST_PHONE + place)
  return {
    individualId: random.uuid(createdAt),
    userId: random.uuid(createdAt),
    firstName,
    lastName,
    preferredName: null,
    birthDate: born.toISOString().slice(0, 10),
    gender: sex,
    email,
    mobilePhone,
    locale: 'en_US',
    tz,
    communicationPreferences: {},
    username: email,
    canSignIn: true,
    createdAt,
    ...registeredAccount(random, { createdAt, until, hasEmail: true, hasPhone: mobilePhone !== null }),
    role,
  }
}

/** Who leads and who belongs to which group. Every group has a leader, and every provider is somewhere. */
export function clinicPosts({ seed }: Population, patients: number): Post[] {
  const groups = clinicGroups(seed, patients)
  const posts = new Map<string, Post>()
  // A leader is not a member besides.
  const add = (kind: Post['kind'], { id: groupId }: ClinicGroup, provider: number) => {
    const [key, username] = [`${groupId} ${provider}`, providerName(seed, provider)]
    if (!posts.has(key)) posts.set(key, { groupId, kind, username })
  }
  for (const group of groups) add('leader', group, leaderOf(seed, group))
  for (let provider = 0; provider < providersWith(patients); provider++)
    for (const group of groupsOfProvider(seed, provider, groups)) add('member', group, provider)
  return [...posts.values()]
}

/** One of those who were there when the group opened. */
const leaderOf = (seed: number, { place, opensAt }: ClinicGroup) =>
  new Random(seed, DRAWS.leaders, place).below(providersWith(opensAt))

/** Some of the groups that were open when the provider came, and a team of the same site. */
function groupsOfProvider(seed: number, provider: number, groups: ClinicGroup[]): Set<ClinicGroup> {
  const random = new Random(seed, DRAWS.members, provider)
  const patients = provider < FEWEST_PROVIDERS ? 1 : provider * PATIENTS_EACH
  const open = groups.filter(({ opensAt, nodeType }) => opensAt <= patients && nodeType === 'group')
  const programmes = open.filter(({ type }) => type === 'regular')
  const chosen = Array.from({ length: 1 + random.below(3) }, () => random.pick(programmes))
  const teams = open.filter(({ type, parentId }) => type === 'provider_only' && parentId === chosen[0]?.parentId)
  return new Set([...chosen, random.pick(teams)])
}
