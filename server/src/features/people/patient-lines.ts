// One line of a file of patients: held to the rules of create-patient, and told off in their words.

import { bodySchema, decoder, type ErrorEntry, errorEntry, type InputOf, wireSchema } from '@almoner/contract'
import { PATIENT_COLUMNS } from '@almoner/contract/people/patient-files'
import { createPatient, GENDERS } from '@almoner/contract/people/patients'
import { Problem } from '../../platform/errors/problem.ts'
import { faultsOf, Validators } from '../../platform/http/validation.ts'
import { checkContacts } from '../identity/index.ts'
import { patientFaults } from './patient-rules.ts'
import type { LineReport, NamedGroup } from './queries/patient-import.ts'

type Patient = InputOf<typeof createPatient>['body']
export type Fault = LineReport['faults'][number]

export interface ReadLine {
  /** Null when there is a fault. */
  patient: Patient | null
  username: string
  faults: Fault[]
}

interface Import {
  organizationId: string
  notifications: Patient['notifications']
  columns: string[]
}

/** The ids of groups by their names without case, and by themselves. */
export type GroupIndex = Map<string, string[]>

export function groupIndex(groups: NamedGroup[]): GroupIndex {
  const index: GroupIndex = new Map(groups.map(({ id }) => [id, [id]]))
  for (const { id, name } of groups) {
    const key = name.trim().toLowerCase()
    index.set(key, [...(index.get(key) ?? []), id])
  }
  return index
}

export type LineReader = (cells: string[], of: Import, groups: GroupIndex, now: Date) => ReadLine

const GROUPS = 'groups'
const GENDER_LETTERS: Record<string, string> = { m: 'male', f: 'female' }

/** Compiled from the contract once, as the operation itself is. */
export function lineReader(): LineReader {
  const schema = bodySchema(createPatient.body)
  const validate = new Validators().compile(wireSchema(schema))
  const decode = decoder(schema)
  return (cells, of, groups, now) => {
    const refused = (entries: ErrorEntry[], values: Values) => ({
      patient: null,
      username: '',
      faults: entries.map((entry) => faultOf(entry, values)),
    })
    if (withoutBlankEnd(cells, of.columns.length).length !== of.columns.length)
      return refused(new Problem('CsvCellCount', { cells: cells.length, columns: of.columns.length }).entries, {})
    const { [GROUPS]: named = '', ...values } = valuesOf(of.columns, cells)
    const { ids, faults } = groupsNamed(named, groups)
    const attributes = {
      ...values,
      'organization-id': of.organizationId,
      'individual-group-ids': ids,
      notifications: of.notifications,
    }
    const body = { data: { type: createPatient.body.type, attributes } }
    const wrong = faultsOf(validate, body, 'body')
    if (wrong.length > 0) return refused([...wrong, ...faults], values)
    const patient = (decode(body) as { data: { attributes: Patient } }).data.attributes
    const contacts = checkContacts(patient)
    faults.push(...contacts.faults, ...patientFaults(patient, now))
    if (faults.length > 0) return refused(faults, values)
    return { patient, username: contacts.username, faults: [] }
  }
}

/** What went wrong with a line that was good in itself, such as a username that is taken. */
export const refusalOf = (problem: Problem, patient: Patient): Fault[] =>
  problem.entries.map((entry) => faultOf(entry, { username: patient.username, email: patient.email }))

type Values = Record<string, string | undefined>

function valuesOf(columns: string[], cells: string[]): Record<string, string> {
  const values: Record<string, string> = {}
  for (const column of PATIENT_COLUMNS) {
    const cell = cells[columns.indexOf(column)]
    if (cell) values[column] = cell
  }
  if (values.gender) values.gender = genderOf(values.gender)
  return values
}

function genderOf(value: string): string {
  const lower = value.toLowerCase()
  return GENDER_LETTERS[lower] ?? GENDERS.find((one) => one === lower) ?? value
}

/** Cells that a spreadsheet added after the last column. */
function withoutBlankEnd(cells: string[], length: number): string[] {
  return cells.slice(length).every((cell) => cell === '') ? cells.slice(0, length) : cells
}

function groupsNamed(cell: string, groups: GroupIndex): { ids: string[]; faults: ErrorEntry[] } {
  const faults: ErrorEntry[] = []
  const names = cell.split(';').map((name) => name.trim())
  const ids = names.flatMap((name) => {
    if (name === '') return []
    const meant = groups.get(name.toLowerCase()) ?? []
    if (meant.length === 1) return meant
    const fault =
      meant.length === 0
        ? `names ${name}, which is no active group for patients of this organization`
        : `names ${name}, which is the name of ${meant.length} groups; write the id of the one that is meant`
    faults.push(...new Problem('InvalidValue', { pointer: GROUPS, fault }).entries)
    return []
  })
  return { ids, faults }
}

/** The same words, with the column in place of the attribute. */
function faultOf({ code, meta = {}, detail }: ErrorEntry, values: Values): Fault {
  const { pointer, channel } = meta
  if (typeof pointer === 'string') {
    const name = pointer.replace('/data/attributes/', '').split('/')[0] ?? ''
    const column = name === 'individual-group-ids' ? GROUPS : name
    return { code, detail: errorEntry(code, { ...meta, pointer: column }).detail, column }
  }
  if (code === 'NoContact') return { code, detail, column: channel === 'email' ? 'email' : 'mobile-phone' }
  if (code === 'UsernameTaken')
    return { code, detail, column: values.username ? 'username' : values.email ? 'email' : 'mobile-phone' }
  return { code, detail, column: null }
}
