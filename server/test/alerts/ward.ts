// A clinic with rules, and readings that fire them.

import { sql } from 'kysely'
import { type Clinic, push } from '../metrics/clinic.ts'
import { type Answer, call, makePerson, type Person } from '../support/service.ts'

export const RULES = '/lachesis/v1/alert-rules/'
export const ALERTS = '/lachesis/v1/alerts/'

/** So many seconds from now, as the interface writes a moment. */
export const moment = (seconds = 0): string =>
  new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')

export const HIGH_PULSE = {
  ...{ name: 'High pulse', 'metric-type': 'Pulse', kind: 'watermark', direction: 'above', threshold: 100 },
  severity: 'warning',
}

const ruleBody = (attributes: object) => ({ data: { type: 'alert-rules', attributes } })

export const createRule = (
  { service, organizationId, admin }: Clinic,
  attributes: object = {},
  token = admin.token,
): Promise<Answer> =>
  call(service, RULES, {
    token,
    body: ruleBody({ 'organization-id': organizationId, ...HIGH_PULSE, ...attributes }),
  })

/** A rule that holds since a while ago. */
export async function makeRule(clinic: Clinic, attributes: object = {}, secondsAgo = 7 * 86_400): Promise<string> {
  const { status, body } = await createRule(clinic, attributes)
  if (status !== 201) throw new Error(JSON.stringify(body))
  await sql`update alert_rules set effective_from = effective_from - make_interval(secs => ${secondsAgo})
    where id = ${body.data.id}`.execute(clinic.service.db)
  return body.data.id
}

export const changeRule = ({ service, admin }: Clinic, id: string, attributes: object, token = admin.token) =>
  call(service, `${RULES}${id}/`, {
    method: 'PATCH',
    token,
    body: { data: { type: 'alert-rules', id, attributes } },
  })

export async function pulse(
  clinic: Clinic,
  individualId: string,
  value: number,
  at = 0,
  source?: string,
): Promise<void> {
  const { status } = await push(clinic, individualId, [{ type: 'Pulse', time: moment(at), value }], source)
  if (status !== 201) throw new Error(`The push was answered ${status}.`)
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
type Attributes = any

/** The newest first, as someone sees them. */
export async function alertsOf(
  { service, admin }: Clinic,
  individualId: string,
  token = admin.token,
): Promise<{ id: string; attributes: Attributes }[]> {
  const { body } = await call(service, `${ALERTS}?filter[individual-id]=${individualId}&page[limit]=1000`, { token })
  return body.data
}

/** Of each alert the state and the reason, the newest first. */
export const statesOf = async (clinic: Clinic, individualId: string): Promise<string[]> =>
  (await alertsOf(clinic, individualId)).map(({ attributes }) =>
    [attributes.state, attributes['clear-reason']].filter((word) => word).join(' '),
  )

export async function eventsOf({ service }: Clinic, individualId: string): Promise<string[]> {
  const { rows } = await sql<{
    said: string
  }>`select concat_ws(' ', replace(kind, 'metric.alert-', ''), data ->> 'reason') as said
    from events where individual_id = ${individualId} and kind like 'metric.alert-%' order by id`.execute(service.db)
  return rows.map(({ said }) => said)
}

/** Providers who see only the groups they lead, and those below. */
export async function restrictProviders({ service, organizationId }: Clinic): Promise<void> {
  await service.db
    .updateTable('organizations')
    .set({ restrictProvidersToGroups: true })
    .where('id', '=', organizationId)
    .execute()
}

export const makeProvider = ({ service, organizationId }: Clinic): Promise<Person> =>
  makePerson(service, [{ organizationId, role: 'provider' }])

export async function makeGroup(
  { admin, organizationId }: Clinic,
  name: string,
  { leader, above, individualIds = [] }: { leader?: Person; above?: string; individualIds?: string[] } = {},
): Promise<string> {
  const { id } = await admin.almoner.createGroup({
    body: { organizationId, name, ...(leader ? { leaderIds: [leader.userId] } : {}) },
  })
  if (above) await admin.almoner.moveGroup({ id, body: { toParentGroupId: above } })
  if (individualIds.length > 0) await admin.almoner.addIndividualsToGroup({ id, body: { individualIds } })
  return id
}
