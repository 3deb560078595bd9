import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Almoner } from '@almoner/client'
import { sql } from 'kysely'
import { pino } from 'pino'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { importPatientsTask, resumeImports } from '../../src/features/people/patient-import-task.ts'
import { startProcess, stopProcess, temporaryDirectory } from '../support/process.ts'
import {
  call,
  makeOrganization,
  makePerson,
  PASSWORD,
  type Person,
  startTestService,
  type TestService,
  until,
} from '../support/service.ts'

const IMPORTS = '/showboat/v1/patient-imports/'
const LINES = '/showboat/v1/patient-import-lines/'
const EXPORT = '/showboat/v1/patients-export/'
const HEADER = 'first-name,last-name,birth-date,gender,email,mobile-phone,groups'

let service: TestService
let organizationId: string
let otherOrganizationId: string
let admin: Person
let provider: Person
let outsider: Person

beforeAll(async () => {
  service = await startTestService({ role: 'all' })
  organizationId = await makeOrganization(service)
  otherOrganizationId = await makeOrganization(service, 'Hilltop Practice')
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  provider = await makePerson(service, [{ organizationId, role: 'provider' }])
  outsider = await makePerson(service, [{ organizationId: otherOrganizationId, role: 'org-admin' }])
})

type Options = Partial<Parameters<Almoner['importPatients']>[0]['body']>

const csvOf = (...lines: string[]) => [HEADER, ...lines].join('\n')
const someone = (name: string, email = `${v7()}@example.org`) => `${name},Imported,1990-05-01,female,${email},,`
const freeEmail = () => `${v7()}@example.org`

async function finished(id: string, who = admin) {
  const deadline = Date.now() + 120_000
  for (;;) {
    const got = await who.almoner.getPatientImport({ id })
    if (got.state === 'completed' || got.state === 'failed') break
    if (Date.now() > deadline) throw new Error('The import did not end within two minutes.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const lines = []
  for await (const line of who.almoner.listPatientImportLines.each({ importId: id, page: { limit: 1000 } }))
    lines.push(line)
  return { ...(await who.almoner.getPatientImport({ id })), lines }
}

async function imported(csv: string, options: Options = {}, who = admin) {
  const { id } = await who.almoner.importPatients({ body: { organizationId, csv, ...options } })
  return finished(id, who)
}

const refusal = (csv: string, attributes: object = {}, token = admin.token) =>
  call(service, IMPORTS, {
    token,
    body: {
      data: { type: 'patient-imports', attributes: { 'organization-id': organizationId, csv, ...attributes } },
    },
  })

const patientCount = async (organization = organizationId) => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from listed_individuals
    where organization_id = ${organization} and account_type = 'regular'`.execute(service.db)
  return rows[0]?.count ?? 0
}

const exported = async (who = admin, organization = organizationId, query = '') => {
  const { status, headers, body } = await call(service, `${EXPORT}?organization-id=${organization}${query}`, {
    token: who.token,
  })
  const text = String(body)
  return { status, headers, text, rows: text.split('\r\n').slice(1, -1) }
}

describe('importing patients', () => {
  test('makes a patient of each line, as create-patient would', async () => {
    const { id: cardiology } = await admin.almoner.createGroup({ body: { name: 'Cardiology', organizationId } })
    const { id: nights } = await admin.almoner.createGroup({ body: { name: 'Night Team', organizationId } })
    const [first, second] = [freeEmail(), freeEmail()]
    const csv = [
      'First Name,last_name,BIRTH-DATE,Gender,Email,Mobile Phone,Locale,Username,Preferred Name,Tz,Groups',
      `Ana,Núñez,1980-02-29,F,${first},(202) 555-0123,es_US,,Anita,America/New_York,cardiology; ${nights}`,
      `  Ben  ,"O'Neil, Jr",2001-12-31,PNTA,${second},,,,,,`,
    ].join('\n')
    const done = await imported(csv)
    expect(done).toMatchObject({
      organizationId,
      dryRun: false,
      state: 'completed',
      lineCount: 2,
      createdCount: 2,
      refusedCount: 0,
      warningCount: 0,
      finishedAt: expect.any(Date),
    })
    expect(done.lines).toMatchObject([
      { line: 2, outcome: 'created', faults: [], warnings: [] },
      { line: 3, outcome: 'created', faults: [], warnings: [] },
    ])
    const [ana, ben] = await Promise.all(
      done.lines.map((line) => admin.almoner.modifyPatient({ id: line.individualId ?? '', body: {} })),
    )
    expect(ana).toMatchObject({
      firstName: 'Ana',
      lastName: 'Núñez',
      preferredName: 'Anita',
      birthDate: '1980-02-29',
      gender: 'female',
      email: first,
      mobilePhone: '+12025550123',
      locale: 'es_US',
      tz: 'America/New_York',
      username: first,
      individualGroupIds: [cardiology, nights].toSorted(),
    })
    expect(ben).toMatchObject({
      firstName: 'Ben',
      lastName: "O'Neil, Jr",
      gender: 'pnta',
      locale: 'en_US',
      mobilePhone: null,
      individualGroupIds: [],
    })
  })

  test('is a task that can be asked about, and keeps nothing of the file', async () => {
    const { id, taskId } = await admin.almoner.importPatients({
      body: { organizationId, csv: csvOf(someone('Task'), 'Bad,,1990-01-01,male,,,') },
    })
    await finished(id)
    expect(await admin.almoner.getTask({ id: taskId })).toMatchObject({
      kind: 'import-patients',
      organizationId,
      state: 'completed',
      done: 2,
      total: 2,
      error: null,
      result: { 'import-id': id, 'line-count': 2, 'created-count': 1, 'refused-count': 1 },
    })
    const { rows } = await sql`select from patient_import_lines where import_id = ${id}
      and (cells is not null or person_key is not null or username is not null)`.execute(service.db)
    expect(rows).toEqual([])
  })

  test('tells events and the audit trail of every patient', async () => {
    const { id, lines } = await imported(csvOf(someone('Event1'), someone('Event2')))
    const ids = lines.map(({ individualId }) => individualId ?? '')
    const events = await service.db
      .selectFrom('events')
      .select('individualId')
      .where('kind', '=', 'individual.created')
      .where('individualId', 'in', ids)
      .execute()
    expect(events).toHaveLength(2)
    const { items } = await admin.almoner.listAuditEvents({
      organizationId,
      filter: { individualId: ids[0] ?? '', operation: 'import-patients' },
    })
    expect(items).toMatchObject([{ userId: admin.userId, outcome: 'success', individualIds: ids, requestId: id }])
  })

  test('sends the invitations that were asked for, and refuses whom they cannot reach', async () => {
    const csv = csvOf(someone('Invited'), 'Phone,Only,1990-01-01,male,,+12025550124,')
    const { lines } = await imported(csv, { notifications: ['email'] })
    expect(lines).toMatchObject([
      { outcome: 'created' },
      { outcome: 'refused', faults: [{ code: 'NoContact', column: 'email' }] },
    ])
    const messages = await service.db
      .selectFrom('outboundMessages')
      .select(['purpose', 'channel'])
      .where('individualId', '=', lines[0]?.individualId ?? '')
      .execute()
    expect(messages).toEqual([{ purpose: 'invitation', channel: 'email' }])
  })

  test('names every fault at its line and column, and makes patients of the good lines around', async () => {
    const taken = (
      await admin.almoner.createPatient({
        body: {
          organizationId,
          firstName: 'T',
          lastName: 'T',
          birthDate: '1990-01-01',
          gender: 'male',
          email: freeEmail(),
        },
      })
    ).email
    for (const name of ['Twins', 'TWINS'])
      await admin.almoner.createGroup({ body: { name, organizationId, nodeType: 'group' } })
    await admin.almoner.createGroup({ body: { name: 'Staff only', organizationId, type: 'provider_only' } })
    const line = (values: Record<string, string>) => {
      const full: Record<string, string> = {
        'first-name': 'Fay',
        'last-name': 'Fault',
        'birth-date': '1990-01-01',
        gender: 'female',
        email: freeEmail(),
        ...values,
      }
      return [...COLUMNS].map((column) => full[column] ?? '').join(',')
    }
    const COLUMNS =
      'first-name last-name birth-date gender email mobile-phone locale username preferred-name tz groups'.split(' ')
    const wrong: [Record<string, string>, [code: string, column: string | null, detail: RegExp][]][] = [
      [{ 'first-name': '' }, [['MissingValue', 'first-name', /A value at first-name is required/]]],
      [{ 'last-name': 'x'.repeat(256) }, [['InvalidValue', 'last-name', /last-name must have at most 255 characters/]]],
      [{ 'birth-date': '05/01/1990' }, [['InvalidValue', 'birth-date', /a real calendar date, YYYY-MM-DD/]]],
      [{ 'birth-date': '2023-02-29' }, [['InvalidValue', 'birth-date', /a real calendar date/]]],
      [{ 'birth-date': '2999-01-01' }, [['InvalidValue', 'birth-date', /must not lie in the future/]]],
      [{ gender: 'woman' }, [['InvalidValue', 'gender', /must be one of male, female, pnta, other, unknown/]]],
      [{ email: 'nobody' }, [['InvalidValue', 'email', /an email address/]]],
      [{ email: '' }, [['MissingValue', 'email', /A value at email is required/]]],
      [{ 'mobile-phone': '12' }, [['InvalidValue', 'mobile-phone', /a phone number that exists/]]],
      [{ locale: 'fr_FR' }, [['InvalidValue', 'locale', /must be one of en_US, es_US/]]],
      [{ username: 'other@example.org' }, [['UsernameMismatch', 'username', /must equal the email/]]],
      [{ tz: 'Mars/Olympus' }, [['InvalidValue', 'tz', /a time zone/]]],
      [{ groups: 'Nowhere' }, [['InvalidValue', 'groups', /names Nowhere, which is no active group/]]],
      [{ groups: 'Staff only' }, [['InvalidValue', 'groups', /names Staff only, which is no active group/]]],
      [{ groups: v7() }, [['InvalidValue', 'groups', /is no active group/]]],
      [{ groups: 'twins' }, [['InvalidValue', 'groups', /the name of 2 groups; write the id/]]],
      [{ email: taken ?? '' }, [['UsernameTaken', 'email', /a user with this username already/]]],
      [{ email: (taken ?? '').toUpperCase() }, [['UsernameTaken', 'email', /already/]]],
      [
        { 'first-name': '', 'birth-date': 'x', groups: 'Nowhere' },
        [
          ['MissingValue', 'first-name', /required/],
          ['InvalidValue', 'birth-date', /calendar date/],
          ['InvalidValue', 'groups', /Nowhere/],
        ],
      ],
      [
        { 'birth-date': '1869-12-31', tz: '+02:00', groups: 'Nowhere' },
        [
          ['InvalidValue', 'birth-date', /must not be before/],
          ['InvalidValue', 'tz', /time zone/],
          ['InvalidValue', 'groups', /Nowhere/],
        ],
      ],
    ]
    const lines = wrong.flatMap(([values]) => [line({}), line(values)])
    const ends = ['Too,few', `${line({})},surplus`, `${line({})},,`, '', ',,,', line({})]
    const before = await patientCount()
    const done = await imported([COLUMNS.join(','), ...lines, ...ends].join('\n'))
    const refused = done.lines.filter(({ outcome }) => outcome === 'refused')
    for (const [index, [values, expected]] of wrong.entries()) {
      const { line, faults } = refused[index] ?? { line: 0, faults: [] }
      expect([values, line]).toEqual([values, 2 * index + 3])
      expect(faults.map(({ code, column }) => [code, column]).toSorted()).toEqual(
        expected.map(([code, column]) => [code, column]).toSorted(),
      )
      for (const [, column, detail] of expected)
        expect(faults.find((fault) => fault.column === column)?.detail).toMatch(detail)
    }
    const [few, surplus] = refused.slice(wrong.length)
    const at = 2 * wrong.length + 2
    expect(few).toMatchObject({ line: at, faults: [{ code: 'CsvCellCount', column: null }] })
    expect(few?.faults[0]?.detail).toContain('2 cells and the header 11')
    expect(surplus).toMatchObject({ line: at + 1, faults: [{ code: 'CsvCellCount' }] })
    expect(refused).toHaveLength(wrong.length + 2)
    expect(done.lines.at(-1)).toMatchObject({ line: at + 5, outcome: 'created' })
    expect(done).toMatchObject({
      lineCount: 2 * wrong.length + 4,
      createdCount: wrong.length + 2,
      refusedCount: wrong.length + 2,
    })
    expect(await patientCount()).toBe(before + wrong.length + 2)
    const page = await admin.almoner.listPatientImportLines({
      importId: done.id,
      filter: { outcome: 'refused' },
      page: { limit: 3, offset: 1 },
    })
    expect([page.total, page.items.map(({ line }) => line)]).toEqual([wrong.length + 2, [5, 7, 9]])
  })

  test('two lines for the same username: the first is taken, the second refused', async () => {
    const email = freeEmail()
    const { lines } = await imported(csvOf(someone('One', email), someone('Two', email.toUpperCase())))
    expect(lines).toMatchObject([
      { outcome: 'created' },
      { outcome: 'refused', faults: [{ code: 'UsernameTaken', column: 'email' }] },
    ])
  })

  test('someone who looks the same is a warning, whether of the file or of the organization', async () => {
    const known = await admin.almoner.createPatient({
      body: {
        organizationId,
        firstName: 'José',
        lastName: 'Doble',
        birthDate: '1970-07-07',
        gender: 'male',
        email: freeEmail(),
      },
    })
    const twin = () => `JOSE,doble,1970-07-07,m,${freeEmail()},,`
    const { lines, warningCount } = await imported(csvOf(twin(), someone('Other'), twin()))
    expect(warningCount).toBe(2)
    expect(lines.map(({ warnings }) => warnings)).toMatchObject([
      [{ code: 'PossibleDuplicate', individualIds: [known.id], lines: [] }],
      [],
      [{ code: 'PossibleDuplicate', individualIds: [known.id, lines[0]?.individualId], lines: [2] }],
    ])
  })

  test('semicolons, a byte order mark, CRLF and quoted line breaks are read, and lines counted as an editor does', async () => {
    const [first, second] = [freeEmail(), freeEmail()]
    const csv = [
      '\ufefffirst-name;last-name;birth-date;gender;email;groups',
      '',
      `"Ann\r\nMarie";"said ""Sam""; senior";1990-01-01;f;${first};`,
      `Bob; "Spaced" ;1990-01-01;M;${second};`,
      'Cid;Nobody;1990-01-01;x;;',
      '',
    ].join('\r\n')
    const { lines } = await imported(csv)
    expect(lines.map(({ line, outcome }) => [line, outcome])).toEqual([
      [3, 'created'],
      [5, 'created'],
      [6, 'refused'],
    ])
    const ann = await admin.almoner.modifyPatient({ id: lines[0]?.individualId ?? '', body: {} })
    expect(ann).toMatchObject({ firstName: 'Ann\r\nMarie', lastName: 'said "Sam"; senior' })
    const bob = await admin.almoner.modifyPatient({ id: lines[1]?.individualId ?? '', body: {} })
    expect(bob.lastName).toBe('Spaced')
  })

  test.each([
    ['tabs', '\t', '\n'],
    ['tabs and line ends of old', '\t', '\r'],
    ['commas and mixed line ends', ',', '\r\n'],
  ])('%s separate as well', async (_, separator, end) => {
    const names = ['last-name', 'first-name', 'gender', 'birth-date', 'email', 'individual-id', 'state']
    const cells = ['Separated', 'Sep', 'other', '1999-09-09', freeEmail(), 'passed over', 'registered']
    const csv = `${names.join(separator)}\n${cells.join(separator)}${end}${cells.join(separator)}`
    const { lines } = await imported(csv)
    expect(lines.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, 'created'],
      [3, 'refused'],
    ])
  })

  test.each([
    ['nothing', '', ['CsvEmpty']],
    ['only blank lines', '\n , \n\r\n', ['CsvEmpty']],
    ['only a header', `${HEADER}\n`, ['CsvEmpty']],
    ['only blank lines below the header', `${HEADER}\n,,,,,,\n\n`, ['CsvEmpty']],
    ['no header', 'Ada,Lovelace,1815-12-10,female,ada@example.org\n', ['CsvWithoutHeader']],
    ['JSON', '{"data":[{"first-name":"Ada"}]}', ['CsvMalformed 1']],
    ['a web page', '<!doctype html>\n<p>"Hello"', ['CsvWithoutHeader']],
    ['quotation marks that never end', `${HEADER}\nAda,"Lovelace,1815-12-10\nx\n`, ['CsvMalformed 2']],
    [
      'quotation marks within a cell',
      `${HEADER}\n\nAda "Countess" Byron,L,1990-01-01,f,a@b.org,,\n`,
      ['CsvMalformed 3'],
    ],
    ['something after quotation marks', `${HEADER}\n"Ada\n\n"x,L,1990-01-01,f,a@b.org,,\n`, ['CsvMalformed 2']],
    [
      'every fault of a header',
      'First Name,first_name,Colour,,first-name,birthdate\nx\n',
      [
        'CsvColumnUnknown Colour',
        'CsvColumnUnknown without a name, number 4',
        'CsvColumnTwice first-name',
        'CsvColumnUnknown birthdate',
        'CsvColumnMissing last-name',
        'CsvColumnMissing birth-date',
        'CsvColumnMissing gender',
        'CsvColumnMissing email or mobile-phone',
      ],
    ],
    [
      'more faults than anyone reads',
      `${HEADER},${Array.from({ length: 300 }, (_, index) => `c${index}`).join(',')}\nx\n`,
      [...Array.from({ length: 100 }, (_, index) => `CsvColumnUnknown c${index}`), 'TooManyFaults'],
    ],
  ])('a file with %s is refused at once, and says why', async (_, csv, expected) => {
    const { status, body } = await refusal(csv)
    const faults = body.errors.map(({ code, meta }: { code: string; meta?: Record<string, unknown> }) =>
      [code, meta?.column ?? meta?.line ?? ''].join(' ').trim(),
    )
    expect([status, faults.toSorted()]).toEqual([400, expected.toSorted()])
  })

  test('a file of 10 MiB or 50,000 lines is read, and one that is larger is not', async () => {
    const limit = 10 * 1024 * 1024
    const padded = (bytes: number, character: string) =>
      `${HEADER}\n${character.repeat(Math.floor((bytes - HEADER.length - 1) / Buffer.byteLength(character)))}`
    const codes = async (csv: string) => {
      const { status, body } = await refusal(csv, { 'dry-run': true })
      return [status, body.errors?.[0].code, body.errors?.[0].detail.includes('10')]
    }
    expect(await codes(padded(limit, ' '))).toEqual([400, 'CsvEmpty', false])
    expect(await codes(padded(limit + 1, ' '))).toEqual([400, 'InvalidValue', true])
    expect(await codes(padded(limit + 4, 'é'))).toEqual([400, 'InvalidValue', true])
    expect((await codes(padded(limit + 2 * 1024 * 1024, ' ')))[1]).toBe('BodyTooLarge')
    const many = (count: number) => `${HEADER}\n${'Too,few\n'.repeat(count)}`
    expect((await codes(many(50_001))).slice(0, 2)).toEqual([400, 'CsvTooManyLines'])
    const done = await refusal(many(50_000), { 'dry-run': true })
    expect([done.status, done.body.data.attributes['line-count']]).toEqual([201, 50_000])
    // Nobody waits for it.
    await sql`update patient_imports set finished_at = now() where id = ${done.body.data.id}`.execute(service.db)
  }, 60_000)

  test('more than a thousand lines come out as they went in', async () => {
    const lines = Array.from({ length: 1230 }, (_, index) =>
      index % 10 === 7 ? `Many${index},,1990-01-01,male,${freeEmail()},,` : someone(`Many${index}`),
    )
    const done = await imported(csvOf(...lines))
    expect(done).toMatchObject({ lineCount: 1230, createdCount: 1107, refusedCount: 123 })
    expect(done.lines.map(({ line }) => line)).toEqual(lines.map((_, index) => index + 2))
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from individuals
      where first_name like 'Many%'`.execute(service.db)
    expect(rows[0]?.count).toBe(1107)
  }, 120_000)

  test('is for administrators of the organization, and others see neither import nor lines', async () => {
    const { id } = await imported(csvOf(someone('Mine')))
    const outcome = async (path: string, who: Person) => {
      const { status, body } = await call(service, path, { token: who.token })
      return [status, body.errors?.[0].code]
    }
    expect(await outcome(`${IMPORTS}${id}/`, outsider)).toEqual([404, 'NotFound'])
    expect(await outcome(`${LINES}?import-id=${id}`, outsider)).toEqual([404, 'NotFound'])
    expect(await outcome(`${IMPORTS}${id}/`, provider)).toEqual([403, 'PermissionDenied'])
    expect(await outcome(`${LINES}?import-id=${id}`, provider)).toEqual([403, 'PermissionDenied'])
    expect((await refusal(csvOf(someone('X')), {}, outsider.token)).status).toBe(404)
    expect((await refusal(csvOf(someone('X')), {}, provider.token)).status).toBe(403)
  })

  test('a group of another organization is not found by its name', async () => {
    await outsider.almoner.createGroup({ body: { name: 'Foreign', organizationId: otherOrganizationId } })
    const { lines } = await imported(csvOf(`Far,Away,1990-01-01,male,${freeEmail()},,Foreign`))
    expect(lines).toMatchObject([{ outcome: 'refused', faults: [{ column: 'groups' }] }])
  })
})

describe('a dry run', () => {
  test('says what an import then does, and stores no patient', async () => {
    await admin.almoner.createGroup({ body: { name: 'Dry', organizationId } })
    const [twice, early] = [freeEmail(), freeEmail()]
    const twin = (email = freeEmail()) => `Dora,Dry,1975-05-05,f,${email},,dry`
    const filler = Array.from({ length: 60 }, (_, index) => someone(`Dry${index}`))
    // What is a copy of an earlier line is found, though a batch lies between.
    const csv = csvOf(
      twin(twice),
      twin(),
      someone('Early', early),
      'Bad,,x,,,,',
      ...filler,
      someone('Copy', twice),
      someone('Late', early.toUpperCase()),
      twin(),
      `No,Group,1990-01-01,m,${freeEmail()},,Nowhere`,
    )
    const before = await patientCount()
    const dry = await imported(csv, { dryRun: true, notifications: ['email'] })
    expect(await patientCount()).toBe(before)
    const { rows: sent } = await sql`select from outbound_messages where recipient = ${twice}`.execute(service.db)
    expect(sent).toEqual([])
    const real = await imported(csv, { notifications: ['email'] })
    expect(await patientCount()).toBe(before + real.createdCount)
    expect(dry).toMatchObject({ dryRun: true, createdCount: 64, refusedCount: 4, warningCount: 2, lineCount: 68 })
    const told = ({ lines }: typeof dry) =>
      lines.map(({ line, outcome, faults, warnings }) => ({
        line,
        isRefused: outcome === 'refused',
        faults,
        warnings: warnings.map((warning) => warning.lines),
      }))
    expect(told(dry)).toEqual(told(real))
    expect(told(dry).filter(({ warnings }) => warnings.length > 0)).toMatchObject([
      { line: 3, warnings: [[2]] },
      { line: 68, warnings: [[2, 3]] },
    ])
    expect(new Set(dry.lines.map(({ outcome }) => outcome))).toEqual(new Set(['would-create', 'refused']))
    expect(dry.lines.every(({ individualId }) => individualId === null)).toBe(true)
    expect(real).toMatchObject({ createdCount: 64, refusedCount: 4, warningCount: 2 })
  })
})

describe('an import that is interrupted', () => {
  const log = pino({ level: 'silent' })
  let quiet: TestService
  let clinic: string
  let owner: Person

  beforeAll(async () => {
    quiet = await startTestService({ role: 'web' })
    clinic = await makeOrganization(quiet)
    owner = await makePerson(quiet, [{ organizationId: clinic, role: 'org-admin' }])
  })

  const start = (lines: string[]) =>
    owner.almoner.importPatients({ body: { organizationId: clinic, csv: csvOf(...lines) } })
  const people = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => someone(`${name}${index}`))
  const made = async (name: string) => {
    const { rows } = await sql<{ firstName: string }>`select first_name from individuals
      where first_name like ${`${name}%`}`.execute(quiet.db)
    return rows.map(({ firstName }) => firstName)
  }
  const services = { publicUrl: 'http://localhost', outbox: null as never }
  const run = (importId: string) =>
    importPatientsTask(services).run({ importId }, { db: quiet.db, now: new Date(), log })

  /** The database refuses whoever has this first name. */
  const failOn = async (name: string | null, code = '') => {
    await sql`drop trigger if exists fails on individuals`.execute(quiet.db)
    if (name === null) return
    await sql`create or replace function fail() returns trigger language plpgsql as ${sql.lit(
      `begin raise exception 'no more room' using errcode = '${code}'; end`,
    )}`.execute(quiet.db)
    await sql`create trigger fails before insert on individuals for each row when (new.first_name = ${sql.lit(name)})
      execute function fail()`.execute(quiet.db)
  }

  test('goes on where it stopped when its process was killed, and makes nobody twice', async () => {
    const { id, taskId } = await start(people(1500, 'Killed'))
    const environment = { DATABASE_URL: quiet.databaseUrl, DATA_DIR: await temporaryDirectory() }
    const first = startProcess(environment, ['--role', 'worker'])
    await first.ready
    await until(async () => (await owner.almoner.getTask({ id: taskId })).done >= 100)
    first.child.kill('SIGKILL')
    await first.exited
    const halfway = await owner.almoner.getTask({ id: taskId })
    expect([halfway.state, halfway.done < 1500]).toEqual(['running', true])
    expect(await made('Killed')).toHaveLength(halfway.done)
    // The killed one's job stays locked; the import is resumed without it.
    const resumeAt = async (minutes: number) => {
      await resumeImports.run({}, { db: quiet.db, now: new Date(Date.now() + minutes * 60_000), log })
      const { rows } = await sql`select from graphile_worker.jobs
        where task_identifier = 'import-patients' and locked_at is null`.execute(quiet.db)
      return rows.length
    }
    expect([await resumeAt(0), await resumeAt(6), await resumeAt(7)]).toEqual([0, 1, 1])
    const second = startProcess(environment, ['--role', 'worker'])
    const done = await finished(id, owner)
    expect(done).toMatchObject({ state: 'completed', createdCount: 1500, refusedCount: 0 })
    const names = await made('Killed')
    expect([names.length, new Set(names).size]).toEqual([1500, 1500])
    await stopProcess(second)
  }, 120_000)

  test('run by several at once, it makes nobody twice', async () => {
    const { id } = await start(people(220, 'Crowd'))
    await Promise.all([run(id), run(id), run(id)])
    for (let turn = 0; turn < 20; turn++) await run(id)
    expect(await finished(id, owner)).toMatchObject({ createdCount: 220, refusedCount: 0 })
    expect(await made('Crowd')).toHaveLength(220)
    await run(id)
    expect(await made('Crowd')).toHaveLength(220)
  })

  test('a line that cannot be stored is refused, and the others are not disturbed', async () => {
    const { id } = await start(people(9, 'Store'))
    await failOn('Store4', '54000')
    await run(id)
    await failOn(null)
    const { state, createdCount, lines } = await finished(id, owner)
    expect([state, createdCount]).toEqual(['completed', 8])
    expect(lines[4]).toMatchObject({ line: 6, outcome: 'refused', faults: [{ code: 'InternalError', column: null }] })
    expect(lines[4]?.faults[0]?.detail).toContain(id)
  })

  test('one that fails in the middle keeps what was done, and is given up when it fails again and again', async () => {
    const lines = people(120, 'Fails')
    const { id, taskId } = await start(lines)
    await failOn('Fails70', '53100')
    for (let attempt = 1; attempt <= 4; attempt++) await expect(run(id)).rejects.toThrow('no more room')
    expect(await made('Fails')).toHaveLength(50)
    expect(await owner.almoner.getTask({ id: taskId })).toMatchObject({ state: 'running', done: 50, total: 120 })
    await run(id)
    await failOn(null)
    const { state, createdCount, lines: listed } = await finished(id, owner)
    expect([state, createdCount, listed.length]).toEqual(['failed', 50, 50])
    expect(await owner.almoner.getTask({ id: taskId })).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('failed on our side'),
    })
    const { rows } = await sql`select from patient_import_lines where import_id = ${id} and cells is not null`.execute(
      quiet.db,
    )
    expect(rows).toEqual([])
  })
})

describe('exporting patients', () => {
  let clinic: string
  let owner: Person
  const create = (values: Record<string, unknown>, who = owner, organization = clinic) =>
    who.almoner.createPatient({
      body: {
        organizationId: organization,
        firstName: 'Eve',
        lastName: 'Export',
        birthDate: '1990-01-01',
        gender: 'female',
        email: freeEmail(),
        ...values,
      },
    })

  beforeAll(async () => {
    clinic = await makeOrganization(service, 'Export Clinic')
    owner = await makePerson(service, [{ organizationId: clinic, role: 'org-admin' }])
  })

  test('answers a file of everyone, with a line for each', async () => {
    const { id: groupId } = await owner.almoner.createGroup({ body: { name: 'Exported', organizationId: clinic } })
    const patient = await create({
      lastName: 'Line, "quoted"\nbroken',
      mobilePhone: '+12025550188',
      preferredName: 'Evi',
      tz: 'America/Chicago',
      individualGroupIds: [groupId],
    })
    const { headers, text } = await exported(owner, clinic)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toMatch(/filename="patients-\d{4}-\d\d-\d\d\.csv"/)
    const [header] = text.split('\r\n')
    expect(header).toBe(
      `${HEADER.replace('groups', 'locale,username,preferred-name,tz,groups')},individual-id,state,registration-invite,created-time`,
    )
    expect(text).toContain(
      `Eve,"Line, ""quoted""\nbroken",1990-01-01,female,${patient.email},+12025550188,en_US,${patient.username},Evi,America/Chicago,Exported,${patient.id},init,none,`,
    )
  })

  test('leaves archived ones out unless they are asked for', async () => {
    const kept = await create({ firstName: 'Kept' })
    const gone = await create({ firstName: 'Gone' })
    await owner.almoner.archiveIndividual({ id: gone.id })
    expect((await exported(owner, clinic)).text).not.toContain(gone.id)
    const archived = await exported(owner, clinic, '&filter[state]=archived')
    expect(archived.text).toContain(gone.id)
    expect(archived.text).not.toContain(kept.id)
    const both = await exported(owner, clinic, '&filter[state]=archived,init')
    expect([both.text.includes(gone.id), both.text.includes(kept.id)]).toEqual([true, true])
    expect((await exported(owner, clinic, '&filter[state]=odd')).status).toBe(400)
  })

  test('goes on beyond a thousand, and is in the audit trail whole', async () => {
    const large = await makeOrganization(service, 'Large Clinic')
    const head = await makePerson(service, [{ organizationId: large, role: 'org-admin' }])
    await sql`with people as (
        insert into individuals (id, first_name, last_name, email, locale, created_at)
        select gen_random_uuid(), 'N' || n, 'Large', 'n' || n || '@large.example', 'en_US', now()
        from generate_series(1, 2500) n returning id, email),
      accounts as (insert into users (id, individual_id, username, created_at)
        select gen_random_uuid(), id, email, now() from people returning id)
      insert into memberships (user_id, organization_id, role) select id, ${large}, 'patient' from accounts`.execute(
      service.db,
    )
    const { rows } = await exported(head, large)
    expect([rows.length, new Set(rows).size]).toEqual([2500, 2500])
    const named = async () => {
      const { items } = await head.almoner.listAuditEvents({
        organizationId: large,
        filter: { operation: 'export-patients' },
      })
      return new Set(items.flatMap(({ individualIds }) => individualIds)).size
    }
    await until(async () => (await named()) === 2500)
  })

  test('shows a provider of a restricted organization only those of the own groups', async () => {
    const strict = await makeOrganization(service, 'Strict Clinic')
    await sql`update organizations set restrict_providers_to_groups = true where id = ${strict}`.execute(service.db)
    const head = await makePerson(service, [{ organizationId: strict, role: 'org-admin' }])
    const nurse = await makePerson(service, [{ organizationId: strict, role: 'provider' }])
    const { id: groupId } = await head.almoner.createGroup({ body: { name: 'Ward', organizationId: strict } })
    await service.db
      .insertInto('groupStaff')
      .values({ groupId, kind: 'member', userId: nurse.userId, addedAt: new Date() })
      .execute()
    const seen = await create({ individualGroupIds: [groupId] }, head, strict)
    const hidden = await create({}, head, strict)
    const { text } = await exported(nurse, strict)
    expect([text.includes(seen.id), text.includes(hidden.id)]).toEqual([true, false])
    expect((await exported(head, strict)).rows).toHaveLength(2)
  })

  test('is not for other organizations, nor for patients', async () => {
    expect((await exported(outsider, clinic)).status).toBe(404)
    const patient = await makePerson(service, [{ organizationId: clinic, role: 'patient' }])
    expect((await exported(patient, clinic)).status).toBe(403)
  })

  test('writes nothing that a spreadsheet would run, and an import reads it back as it was', async () => {
    const [from, to] = [await makeOrganization(service, 'From'), await makeOrganization(service, 'To')]
    const [giver, taker] = [
      await makePerson(service, [{ organizationId: from, role: 'org-admin' }]),
      await makePerson(service, [{ organizationId: to, role: 'org-admin' }]),
    ]
    const names = [
      '=1+1',
      '+cmd|x',
      '-2',
      '@SUM(A1)',
      "'=x",
      "''-y",
      "'quoted'",
      '\tTab',
      'Ünï, "q"\r\nz',
      '＝1',
      '\nBreak',
      'Plain',
    ]
    const groups = ['=Team', 'One; Two', 'Plain team']
    const made = await Promise.all(
      groups.map((name) => giver.almoner.createGroup({ body: { name, organizationId: from } })),
    )
    for (const name of groups.slice(0, 3)) await taker.almoner.createGroup({ body: { name, organizationId: to } })
    const individualGroupIds = [made[0]?.id ?? '', made[2]?.id ?? '']
    for (const [index, lastName] of names.entries())
      await create({ firstName: `R${index}`, lastName, mobilePhone: '+12025550177', individualGroupIds }, giver, from)
    const { text, rows } = await exported(giver, from)
    for (const cell of ["'=1+1", "'+cmd|x", "'-2", "'@SUM(A1)", "''=x", "'＝1"]) expect(text).toContain(`,${cell},`)
    expect(text).toContain(',+12025550177,')
    expect(text).toContain(",'=Team; Plain team,")
    // Addresses are one person's everywhere, so the copies have others.
    const { lines } = await imported(text.replaceAll('@example.org', '@copy.example'), { organizationId: to }, taker)
    expect(lines.map(({ outcome }) => outcome)).toEqual(names.map(() => 'created'))
    const ofThem = (one: string[]) =>
      one.map((row) => row.replace(/,[^,]*,[^,]*,[^,]*,[^,]*$/, '').replaceAll('copy.example', 'example.org'))
    const again = await exported(taker, to)
    expect(ofThem(again.rows).toSorted()).toEqual(ofThem(rows).toSorted())
  })

  test('writes the id of a group whose name is not its own', async () => {
    const twins = await Promise.all(
      ['Same', 'same', 'Semi;colon'].map((name) =>
        owner.almoner.createGroup({ body: { name, organizationId: clinic } }),
      ),
    )
    const ids = twins.map(({ id }) => id)
    const patient = await create({ individualGroupIds: ids })
    const row = (await exported(owner, clinic)).rows.find((one) => one.includes(patient.id)) ?? ''
    for (const id of ids) expect(row).toContain(id)
    const copy = row.replaceAll('@example.org', '@again.example')
    const header = (await exported(owner, clinic)).text.split('\r\n')[0]
    const { lines } = await imported(`${header}\n${copy}`, { organizationId: clinic }, owner)
    const read = await owner.almoner.modifyPatient({ id: lines[0]?.individualId ?? '', body: {} })
    expect(read.individualGroupIds).toEqual(ids.toSorted())
  })
})

describe('the command', () => {
  const COMMAND = resolve(import.meta.dirname, '../../../client/src/commands/patients.ts')
  let directory: string

  beforeAll(async () => {
    directory = await temporaryDirectory()
  })

  const command = (args: string[], environment: Record<string, string> = {}) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
      const env = { PATH: process.env.PATH ?? '', ALMONER_PASSWORD: PASSWORD, ...environment }
      const all = [COMMAND, ...args, '--url', service.url]
      const child = execFile(process.execPath, all, { env }, (error, stdout, stderr) =>
        done({ code: error ? Number(error.code) : 0, stdout, stderr }),
      )
      child.stdin?.end()
    })
  const file = async (name: string, content: string | Buffer) => {
    const path = join(directory, name)
    await writeFile(path, content)
    return path
  }
  const asAdmin = () => ['--organization', 'riverside clinic', '--username', admin.username]

  test('imports a file and ends well when every line was good', async () => {
    const path = await file('good.csv', csvOf(someone('Command1'), someone('Command2')))
    const before = await admin.almoner.listSessions()
    const { code, stdout, stderr } = await command(['import', path, ...asAdmin()])
    expect([code, stderr]).toEqual([0, '2 of 2 lines\n'])
    expect(stdout).toContain('2 lines: 2 patients created, 0 lines refused')
    // It signed out again.
    expect((await admin.almoner.listSessions()).total).toBe(before.total)
  })

  test('shows twenty of the refused lines, says how to see the others, and ends with 1', async () => {
    const bad = Array.from({ length: 23 }, () => 'Bad,Line,yesterday,f,,,')
    const path = await file('bad.csv', csvOf(...bad, someone('Fine')))
    const { code, stdout } = await command(['import', path, ...asAdmin(), '--dry-run'])
    expect(code).toBe(1)
    expect(stdout).toContain('24 lines: 1 patient would be created, 23 lines refused')
    expect(stdout.match(/^line \d+: birth-date: /gm)).toHaveLength(20)
    const [, id] = /3 more.*report ([0-9a-f-]{36})/s.exec(stdout) ?? []
    const report = await command(['report', id ?? '', '--username', admin.username])
    expect([report.code, report.stdout.match(/^line \d+: birth-date: /gm)?.length]).toEqual([0, 23])
  })

  test('exports to a file or to the screen, and reads what it wrote', async () => {
    const path = join(directory, 'out.csv')
    const toFile = await command(['export', ...asAdmin(), '--output', path])
    expect(toFile.code).toBe(0)
    const written = await readFile(path, 'utf8')
    const toScreen = await command(['export', ...asAdmin()], { ALMONER_PASSWORD: '', ALMONER_TOKEN: admin.token })
    expect(toScreen).toMatchObject({ code: 0, stdout: written })
    expect(written.split('\r\n').length - 2).toBe((await exported()).rows.length)
  })

  test.each([
    ['no command', [], /Usage/],
    ['a command that is not there', ['improt'], /Usage/],
    ['no file', ['import'], /Usage/],
    ['an option that is not there', ['export', '--colour'], /colour/],
    ['no organization', ['export'], /--organization/],
    ['no such file', ['import', '/nowhere.csv', '--organization', 'x', '--username', 'x'], /nowhere\.csv/],
    [
      'a way of notifying that is not there',
      ['import', 'x.csv', '--organization', 'x', '--notify', 'pigeon'],
      /email, sms/,
    ],
  ])('with %s it says what is wrong and ends with 2', async (_, args, wording) => {
    const { code, stderr } = await command(args)
    expect(code).toBe(2)
    expect(stderr).toMatch(wording)
    expect(stderr).not.toContain('    at ')
  })

  test('refuses a file that is not UTF-8, an organization that is not there, a wrong password and a bad header', async () => {
    const latin = await file('latin.csv', Buffer.from(`${HEADER}\nJos\xe9`, 'latin1'))
    expect(await command(['import', latin, ...asAdmin()])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('UTF-8'),
    })
    const good = await file('fine.csv', csvOf(someone('X')))
    const elsewhere = await command(['import', good, '--organization', 'Nowhere', '--username', admin.username])
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('Riverside Clinic') })
    const wrong = await command(['import', good, ...asAdmin()], { ALMONER_PASSWORD: 'wrong' })
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('password is wrong') })
    const none = await command(['import', good, ...asAdmin()], { ALMONER_PASSWORD: '' })
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('ALMONER_PASSWORD') })
    const header = await file('header.csv', 'first-name,colour\nx,y\n')
    const refused = await command(['import', header, ...asAdmin()])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('no column colour') })
    expect(refused.stderr).toContain('no column birth-date')
  })
})
