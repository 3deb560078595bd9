// A clinic with patients whose metrics are pushed and read over HTTP.

import { sql } from 'kysely'
import type { ProcessRole } from '../../src/platform/processes/command-line.ts'
import {
  type Answer,
  call,
  makeOrganization,
  makePerson,
  type Person,
  startTestService,
  type TestService,
} from '../support/service.ts'

export const TIMESERIES = '/lachesis/v1/timeseries/'
export type Point = Record<string, unknown>

export interface Clinic {
  service: TestService
  organizationId: string
  admin: Person
  newPatient(): Promise<string>
}

export async function openClinic(environment: Record<string, string> = {}, role: ProcessRole = 'web'): Promise<Clinic> {
  const service = await startTestService({ environment, role })
  const organizationId = await makeOrganization(service)
  const admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  let number = 0
  const newPatient = async () => {
    const lastName = `Lee${++number}`
    const more = { gender: 'unknown', email: `${lastName}@example.org`, organizationId } as const
    return (
      await admin.almoner.createPatient({ body: { firstName: 'Pat', lastName, birthDate: '1960-01-01', ...more } })
    ).id
  }
  return { service, organizationId, admin, newPatient }
}

interface SeriesBody {
  type?: unknown
  source?: unknown
}

export const item = (individualId: string, data: unknown, { type, source }: SeriesBody = {}) => ({
  type: 'time-series',
  attributes: {
    'individual-id': individualId,
    type: type ?? (data as Point[])[0]?.type,
    ...(source === undefined ? {} : { source }),
    data,
  },
})

export const pushItems = (
  { service }: Clinic,
  token: string,
  items: object[],
  headers: Record<string, string> = {},
): Promise<Answer> => call(service, TIMESERIES, { token, body: { data: items }, headers })

/** Pushes one series as the administrator. */
export const push = (clinic: Clinic, individualId: string, points: Point[], source?: string): Promise<Answer> =>
  pushItems(clinic, clinic.admin.token, [item(individualId, points, { source })])

export function readPath(individualId: string, type: string, more: Record<string, string> = {}): string {
  return `${TIMESERIES}?${new URLSearchParams({ 'individual-id': individualId, type, ...more })}`
}

/** Reads as the administrator. */
export const read = (
  { service, admin }: Clinic,
  individualId: string,
  type: string,
  more: Record<string, string> = {},
): Promise<Answer> =>
  call(service, readPath(individualId, type, { 'page[limit]': '1000', ...more }), { token: admin.token })

export const pointsOf = async (...asked: Parameters<typeof read>): Promise<Point[]> => (await read(...asked)).body.data

/** The codes and pointers of what an answer finds at fault. */
export const faultsOf = ({ body }: Answer): string[] =>
  (body.errors ?? []).map((error: { code: string; meta?: { pointer?: string } }) =>
    `${error.code} ${error.meta?.pointer ?? ''}`.trim(),
  )

/** How many rows each table of metrics has, to see that nothing was stored. */
export async function rowCounts({ service }: Clinic): Promise<number[]> {
  const tables = ['metric_series', 'metric_segments', 'metric_points', 'metric_replaced_points', 'listed_readings']
  const counts = tables.map((table) => sql`(select count(*)::int from ${sql.table(table)})`)
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(service.db)
  return rows[0]?.counts ?? []
}

/** `count` moments from a start, so many seconds apart, as the interface writes them. */
export const moments = (start: string, count: number, step: number): string[] =>
  Array.from({ length: count }, (_, index) => printed(Date.parse(`${start.replace(' ', 'T')}Z`) + index * step * 1000))

export const printed = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')
