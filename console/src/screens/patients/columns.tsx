// The columns of the list: what each is called, what it asks for, what it is sorted by and how it is shown.

import type { AnswerTo } from '@almoner/client'
import { Badge, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { useFormats } from '../../language/formats.ts'
import type { Words } from './messages.ts'
import type { SortField } from './search.ts'

export type Individual = AnswerTo<'listIndividuals'>['items'][number]
type ColumnName = keyof Words['column']

interface Shown {
  t: Words
  formats: ReturnType<typeof useFormats>
}

export interface Column {
  name: ColumnName
  /** The attributes it needs; the first is what it is sorted by. */
  fields: readonly [SortField, ...SortField[]]
  isNumber?: true
  show: (individual: Individual, shown: Shown) => ReactNode
}

const absent = (
  <Text span c="dimmed" size="sm" aria-hidden>
    –
  </Text>
)

const moment = (name: ColumnName & keyof Individual): Column => ({
  name,
  fields: [name as SortField],
  show: (individual, { formats }) => {
    const value = individual[name]
    return value instanceof Date ? <span title={formats.moment(value)}>{formats.ago(value)}</span> : absent
  },
})

const plain = (name: ColumnName & keyof Individual): Column => ({
  name,
  fields: [name as SortField],
  show: (individual) => String(individual[name] ?? '') || absent,
})

/** The newest reading, with its unit; when it was taken is told by pointing at it. */
const reading = (
  name: ColumnName,
  fields: Column['fields'],
  time: SortField & keyof Individual,
  unit: string,
): Column => ({
  name,
  fields: [...fields, time],
  isNumber: true,
  show: (individual, { t, formats }) => {
    const values = fields.map((field) => individual[field as keyof Individual])
    const taken = individual[time]
    if (values.some((value) => value === null || value === undefined)) return absent
    return (
      <span title={taken instanceof Date ? t.at(formats.moment(taken)) : undefined}>
        {values.map((value) => formats.number(Number(value))).join('/')}{' '}
        <Text span size="xs" c="dimmed">
          {unit}
        </Text>
      </span>
    )
  },
})

/** In whole years, today. */
function ageOf(birthDate: string, today = new Date()): number {
  const [year = 0, month = 0, day = 0] = birthDate.split('-').map(Number)
  const isBefore = today.getMonth() + 1 < month || (today.getMonth() + 1 === month && today.getDate() < day)
  return today.getFullYear() - year - (isBefore ? 1 : 0)
}

const QUIET_STATES = ['registered', 'init', 'confirmed']

export const columns: Column[] = [
  {
    name: 'name',
    fields: ['lastName', 'firstName'],
    show: nameOf,
  },
  {
    name: 'birthDate',
    fields: ['birthDate'],
    show: ({ birthDate }, { t, formats }) =>
      birthDate ? (
        <>
          {formats.day(birthDate)}{' '}
          <Text span size="xs" c="dimmed">
            {t.age(ageOf(birthDate))}
          </Text>
        </>
      ) : (
        absent
      ),
  },
  plain('preferredName'),
  plain('email'),
  {
    name: 'state',
    fields: ['state'],
    show: ({ state }, { t }) => {
      if (!state) return absent
      if (QUIET_STATES.includes(state)) return t.states[state]
      return (
        <Badge variant="default" size="sm" tt="none" fw={500}>
          {t.states[state]}
        </Badge>
      )
    },
  },
  {
    name: 'registrationInvite',
    fields: ['registrationInvite'],
    show: ({ registrationInvite }, { t }) => (registrationInvite ? t.invites[registrationInvite] : absent),
  },
  reading('bloodPressure', ['lastBpSystolic', 'lastBpDiastolic'], 'lastBpTime', 'mmHg'),
  reading('lastHeartRate', ['lastHeartRate'], 'lastHeartRateTime', '/min'),
  reading('lastBloodGlucose', ['lastBloodGlucose'], 'lastBloodGlucoseTime', 'mg/dL'),
  reading('lastBodyMass', ['lastBodyMass'], 'lastBodyMassTime', 'kg'),
  reading('lastO2Saturation', ['lastO2Saturation'], 'lastO2SaturationTime', '%'),
  reading('lastFeeling', ['lastFeeling'], 'lastFeelingTime', ''),
  moment('lastActivityTime'),
  moment('lastLoginTime'),
  moment('createdTime'),
]

const USUAL: ColumnName[] = ['name', 'birthDate', 'state', 'bloodPressure', 'lastHeartRate', 'lastActivityTime']

export const pathOf = ({ id }: Individual) => `/patients/${id}`

export function nameOf({ firstName, lastName }: Individual): string {
  return `${lastName}, ${firstName}`
}

/** The chosen ones in the order of the list, and always the name. */
export const chosenColumns = (chosen: string | undefined): Column[] => {
  const names = chosen ? ['name', ...chosen.split(',')] : USUAL
  return columns.filter(({ name }) => names.includes(name))
}

/** Undefined when they are the usual ones. */
export function printColumns(names: readonly string[]): string | undefined {
  const ordered = columns.map(({ name }) => name).filter((name) => names.includes(name))
  return ordered.join(',') === USUAL.join(',') ? undefined : ordered.join(',')
}

/** Where there is no head of a table to sort by. */
export const sortChoices = (shown: Column[], t: Words) =>
  shown.flatMap(({ name, fields: [field] }) => [
    { value: field, label: `${t.column[name]} ↑` },
    { value: `-${field}`, label: `${t.column[name]} ↓` },
  ])

export const sortable: SortField[] = columns.map(({ fields: [first] }) => first)
