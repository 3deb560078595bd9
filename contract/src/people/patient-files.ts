// Patients as a CSV file, in and out.

import { TASK_STATES } from '../identity/tasks.ts'
import { NOTIFICATIONS, USER_STATES } from '../identity/users.ts'
import {
  boolean,
  create,
  datetime,
  defaulted,
  file,
  get,
  integer,
  list,
  listOf,
  many,
  matches,
  nullable,
  objectOf,
  one,
  oneOf,
  resource,
  roles,
  text,
  uuid,
} from '../vocabulary/index.ts'

/** The columns of a file of patients, named as the attributes are. */
export const PATIENT_COLUMNS = [
  'first-name',
  'last-name',
  'birth-date',
  'gender',
  'email',
  'mobile-phone',
  'locale',
  'username',
  'preferred-name',
  'tz',
  'groups',
] as const

/** An export has these besides, and an import passes over them. */
export const EXPORT_COLUMNS = ['individual-id', 'state', 'registration-invite', 'created-time'] as const

export const REQUIRED_COLUMNS = ['first-name', 'last-name', 'birth-date', 'gender'] as const satisfies Column[]

type Column = (typeof PATIENT_COLUMNS)[number]

export const IMPORT_LIMITS = { bytes: 10 * 1024 * 1024, lines: 50_000 }
export const LINE_OUTCOMES = ['created', 'would-create', 'refused'] as const

const IMPORTS = '/showboat/v1/patient-imports/'

export const PatientImport = resource('patient-imports', {
  organizationId: uuid(),
  dryRun: boolean(),
  state: oneOf(TASK_STATES),
  taskId: uuid({ description: 'The task that does the work; it says how far it is.' }),
  lineCount: integer({ description: 'Lines below the header; blank ones are not counted.' }),
  createdCount: integer({ description: 'Lines that made a patient; in a dry run, those that would have.' }),
  refusedCount: integer(),
  warningCount: integer({ description: 'Lines that are good and yet worth a look.' }),
  createdAt: datetime(),
  finishedAt: nullable(datetime()),
})

export const importPatients = create({
  id: 'import-patients',
  summary: 'Create patients from a CSV file',
  description: `The first line names the columns: ${PATIENT_COLUMNS.join(', ')}. Case does not matter, and a space or an underscore is as good as a hyphen. ${REQUIRED_COLUMNS.join(', ')} and one of email and mobile-phone are required; what else an export has (${EXPORT_COLUMNS.join(', ')}) is passed over. Cells are separated by comma, semicolon or tab. An empty cell is a value left out. Dates are YYYY-MM-DD; a gender may also be m or f; groups are names or ids, separated by semicolons. An apostrophe that an export put before a formula is taken away. Each line is held to the rules of \`create-patient\`; one that is refused does not disturb the others. The work goes on as a task; the lines can be listed while it does, and afterwards.`,
  path: IMPORTS,
  access: roles('org-admin'),
  recorded: true,
  cost: 50,
  // A file of the greatest size, with its quotation marks and line breaks escaped.
  bodyLimit: 12 * 1024 * 1024,
  resource: PatientImport,
  attributes: {
    organizationId: uuid(),
    csv: text({ maxLength: IMPORT_LIMITS.bytes, description: 'At most 10 MiB in UTF-8 and 50,000 lines.' }),
    dryRun: defaulted(boolean({ description: 'Says of each line what would happen, and stores no patient.' }), false),
    notifications: defaulted(
      listOf(oneOf(NOTIFICATIONS), { maxItems: 2, description: 'How to send the invitations; none when empty.' }),
      [],
    ),
  },
})

export const getPatientImport = get({
  id: 'get-patient-import',
  summary: 'Get an import of patients',
  path: `${IMPORTS}{id}/`,
  access: roles('org-admin'),
  answer: one(PatientImport),
})

export const PatientImportLine = resource('patient-import-lines', {
  line: integer({ description: 'Where the line begins in the file, as an editor counts.' }),
  outcome: oneOf(LINE_OUTCOMES),
  individualId: nullable(uuid()),
  faults: listOf(
    objectOf({
      code: text({ description: 'One of the codes of errors.' }),
      detail: text(),
      column: nullable(text({ description: 'Null when it is about the whole line.' })),
    }),
  ),
  warnings: listOf(
    objectOf({
      code: oneOf(['PossibleDuplicate']),
      detail: text(),
      individualIds: listOf(uuid(), { description: 'Patients with the same name and birth date.' }),
      lines: listOf(integer(), { description: 'Earlier lines of the file with the same name and birth date.' }),
    }),
  ),
})

export const listPatientImportLines = list({
  id: 'list-patient-import-lines',
  summary: 'List what came of the lines of an import',
  description: 'In the order of the file. Lines that were not reached yet are not listed.',
  path: '/showboat/v1/patient-import-lines/',
  access: roles('org-admin'),
  query: { importId: uuid() },
  filter: { outcome: matches(oneOf(LINE_OUTCOMES)) },
  answer: many(PatientImportLine),
})

export const exportPatients = get({
  id: 'export-patients',
  summary: 'Get the patients of an organization as a CSV file',
  description: `All that the caller sees, in the order of ids. Archived ones are left out unless \`filter[state]\` names them. The columns are those of an import and ${EXPORT_COLUMNS.join(', ')}. A group whose name does not tell it from others is written as its id. A cell that a spreadsheet would take for a formula begins with an apostrophe.`,
  path: '/showboat/v1/patients-export/',
  access: roles('org-admin', 'provider'),
  recorded: true,
  cost: 20,
  query: { organizationId: uuid() },
  filter: { state: matches(oneOf(USER_STATES)) },
  answer: file('text/csv; charset=utf-8'),
})
