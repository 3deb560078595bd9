import { printDatetime } from '@almoner/contract'
import { EXPORT_COLUMNS, exportPatients, PATIENT_COLUMNS } from '@almoner/contract/people/patient-files'
import { sightOf } from '../../platform/auth/sight.ts'
import { implement } from '../../platform/http/implementation.ts'
import { printCsv } from './patient-csv.ts'
import { type ExportedPatient, patientsAfter, sharedGroupNames } from './queries/patient-export.ts'

const PATIENTS_A_PIECE = 1000

type Column = (typeof PATIENT_COLUMNS | typeof EXPORT_COLUMNS)[number]
const COLUMNS: Column[] = [...PATIENT_COLUMNS, ...EXPORT_COLUMNS]

export const patientExport = [
  implement(exportPatients, async ({ organizationId, filter }, { db, actor, reach, now, audit }) => {
    const sight = await sightOf(db, actor, reach)
    const sharedNames = await sharedGroupNames(db, organizationId)
    async function* content() {
      yield printCsv([COLUMNS], { isBeginning: true })
      let after: string | null = null
      for (;;) {
        const from: string | null = after
        const asked = { organizationId, states: filter.state, after: from }
        const some: ExportedPatient[] = await patientsAfter(db, sight, asked, PATIENTS_A_PIECE)
        const ids = some.map(({ individualId }) => individualId)
        audit.touched(ids, [organizationId])
        if (some.length > 0) yield printCsv(some.map(rowOf), { isBeginning: false })
        if (some.length < PATIENTS_A_PIECE) return
        after = ids.at(-1) ?? null
      }
    }
    const rowOf = (patient: ExportedPatient): string[] => {
      const cells = cellsOf(patient, sharedNames)
      return COLUMNS.map((column) => cells[column] ?? '')
    }
    return { name: `patients-${now.toISOString().slice(0, 10)}.csv`, content: content() }
  }),
]

const cellsOf = (patient: ExportedPatient, sharedNames: Set<string>): Record<Column, string | null> => ({
  'first-name': patient.firstName,
  'last-name': patient.lastName,
  'birth-date': patient.birthDate,
  gender: patient.gender,
  email: patient.email,
  'mobile-phone': patient.mobilePhone,
  locale: patient.locale,
  username: patient.username,
  'preferred-name': patient.preferredName,
  tz: patient.tz,
  groups: patient.groups.map((group) => groupName(group, sharedNames)).join('; '),
  'individual-id': patient.individualId,
  state: patient.state,
  'registration-invite': patient.registrationInvite,
  'created-time': printDatetime(patient.createdTime),
})

/** Its name, unless an import could not read that. */
const groupName = ({ id, name }: ExportedPatient['groups'][number], sharedNames: Set<string>): string =>
  name.includes(';') || sharedNames.has(name.trim().toLowerCase()) ? id : name
