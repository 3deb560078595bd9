// The clinic's tree of groups. It grows with the number of patients: each group opens when there are so many, and a
// patient comes into groups that were open by then. So a larger clinic holds the smaller one unchanged.

import type { Sex } from './first-names.ts'
import { Random, Weighted } from './random.ts'

export interface ClinicGroup {
  id: string
  parentId: string | null
  name: string
  nodeType: 'division' | 'group'
  type: 'regular' | 'provider_only'
  tags: string[]
  /** How many patients the clinic has when it opens. */
  opensAt: number
  /** The same in every size of the clinic. */
  place: number
}

/** When groups were made. It is no part of the population's time, so that their ids are the same on every day. */
export const FOUNDED = new Date('2005-01-03T15:00:00Z')

const SITES = [
  'North campus',
  'South campus',
  'Riverside',
  'Lakeview',
  'Downtown',
  'Eastgate',
  'Westfield',
  'Harbor Point',
  'Maple Grove',
  'University Park',
  'Cedar Hills',
  'Mission District',
  'Stonebridge',
  'Fairmont',
  'Prairie View',
  'Oak Hollow',
  'Summit',
  'Bayside',
  'Springdale',
  'Union Square',
]

interface Programme {
  name: string
  tag: string
  weight: number
  fits?(sex: Sex, age: number): boolean
}
const PROGRAMMES: Programme[] = [
  { name: 'Hypertension', tag: 'chronic care', weight: 30 },
  { name: 'Diabetes', tag: 'chronic care', weight: 24 },
  { name: 'Heart failure', tag: 'chronic care', weight: 11, fits: (_, age) => age >= 45 },
  { name: 'Post-surgical', tag: 'recovery', weight: 9 },
  { name: 'Maternal health', tag: 'family', weight: 14, fits: (sex, age) => sex === 'female' && age < 46 },
  { name: 'COPD', tag: 'chronic care', weight: 8, fits: (_, age) => age >= 40 },
  { name: 'Chronic kidney disease', tag: 'chronic care', weight: 6 },
  { name: 'Weight management', tag: 'prevention', weight: 6 },
  { name: 'Cardiac rehabilitation', tag: 'recovery', weight: 4, fits: (_, age) => age >= 40 },
  { name: 'Behavioral health', tag: 'mental health', weight: 6 },
  { name: 'Cancer survivorship', tag: 'recovery', weight: 3 },
  { name: 'Stroke recovery', tag: 'recovery', weight: 3, fits: (_, age) => age >= 40 },
  { name: 'Asthma', tag: 'chronic care', weight: 3 },
  { name: 'Chronic pain', tag: 'chronic care', weight: 3 },
  { name: 'Medication management', tag: 'prevention', weight: 3, fits: (_, age) => age >= 60 },
  { name: 'Transitional care', tag: 'recovery', weight: 2, fits: (_, age) => age >= 55 },
]
/** Teams of staff, each there when its site has so many programmes. */
const TEAMS = [
  { name: 'care team', afterProgrammes: 1 },
  { name: 'care managers', afterProgrammes: 6 },
  { name: 'pharmacists', afterProgrammes: 11 },
]

// Eight programmes at 500 patients, 115 at 200,000.
const GROWTH = 0.445
const [FIRST_MANY, FIRST_PROGRAMMES, AT_ONCE] = [500, 8, 6]

interface Opening {
  site: number
  programme: number
  opensAt: number
}
/** The programmes of all sites in the order in which they open. */
const OPENINGS: Opening[] = SITES.flatMap((_, site) =>
  PROGRAMMES.map((_, programme) => ({ site, programme, order: 3 * site + programme })),
)
  .sort((one, other) => one.order - other.order || one.site - other.site)
  .map(({ site, programme }, place) => ({
    site,
    programme,
    opensAt: place < AT_ONCE ? 1 : Math.ceil(FIRST_MANY * ((place + 1) / FIRST_PROGRAMMES) ** (1 / GROWTH)),
  }))

const weighted = new Weighted(
  OPENINGS.map((opening): [Opening, number] => [
    opening,
    (PROGRAMMES[opening.programme] as Programme).weight / (1 + opening.site) ** 0.6,
  ]),
)

function openWith(patients: number): number {
  let [low, high] = [1, OPENINGS.length]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((OPENINGS[middle - 1] as Opening).opensAt <= patients) low = middle
    else high = middle - 1
  }
  return low
}

const IDS = 1
const PLACES_OF_A_SITE = 100
const idOf = (seed: number, place: number) => new Random(seed, IDS, place).uuid(FOUNDED)
const divisionPlace = (site: number) => site * PLACES_OF_A_SITE
const programmePlace = ({ site, programme }: Opening) => divisionPlace(site) + 1 + programme
const teamPlace = (site: number, team: number) => divisionPlace(site) + 1 + PROGRAMMES.length + team

/** All groups of a clinic with so many patients; what is above comes before what is below. */
export function clinicGroups(seed: number, patients: number): ClinicGroup[] {
  const open = OPENINGS.slice(0, openWith(patients))
  return SITES.flatMap((site, number) => {
    const here = open.filter((opening) => opening.site === number)
    return here.length > 0 ? groupsOfSite(seed, site, here) : []
  })
}

function groupsOfSite(seed: number, name: string, openings: Opening[]): ClinicGroup[] {
  const [{ site, opensAt }] = openings as [Opening, ...Opening[]]
  const identified = (place: number) => ({ id: idOf(seed, place), place })
  const division = { ...identified(divisionPlace(site)), nodeType: 'division', type: 'regular' } as const
  const below = { parentId: division.id, nodeType: 'group' } as const
  const programmes = openings.map((opening): ClinicGroup => {
    const { name: programme, tag } = PROGRAMMES[opening.programme] as Programme
    const naming = { name: `${programme}, ${name}`, tags: [tag] }
    return { ...identified(programmePlace(opening)), ...below, ...naming, type: 'regular', opensAt: opening.opensAt }
  })
  const teams = TEAMS.flatMap((team, place): ClinicGroup[] => {
    const opening = openings[team.afterProgrammes - 1]
    const naming = { name: `${name} ${team.name}`, tags: ['staff'] }
    const common = { ...identified(teamPlace(site, place)), ...below, ...naming, type: 'provider_only' } as const
    return opening ? [{ ...common, opensAt: opening.opensAt }] : []
  })
  return [{ ...division, parentId: null, name, tags: [], opensAt }, ...programmes, ...teams]
}

const UNASSIGNED = 0.15
const IN_TWO = 0.25
/** Draws until a programme fits the person; whoever it does not, stays unassigned. */
const DRAWS = 8

/** The ids of the groups of the patient who came when there were so many. */
export function groupsOfPatient(random: Random, seed: number, patients: number, sex: Sex, age: number): string[] {
  const open = openWith(patients)
  if (random.chance(UNASSIGNED)) return []
  const fits = ({ programme }: Opening) => PROGRAMMES[programme]?.fits?.(sex, age) ?? true
  let first: Opening | undefined
  for (let draws = 0; draws < DRAWS && !first; draws++) {
    const opening = weighted.pick(random, open)
    if (fits(opening)) first = opening
  }
  if (!first) return []
  if (!random.chance(IN_TWO)) return [idOf(seed, programmePlace(first))]
  // A second programme is one of the same site, where there is another.
  const { site } = first
  const others = OPENINGS.slice(0, open).filter((one) => one.site === site && one !== first && fits(one))
  return [first, ...(others.length > 0 ? [random.pick(others)] : [])].map((one) => idOf(seed, programmePlace(one)))
}
