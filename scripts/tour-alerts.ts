// Rules and readings of the made-up clinic that fire alerts now, so that there is something to see.

type People = Record<'administrator' | 'provider', { username: string; password: string }>
type Answer = { data: { id: string; attributes: Record<string, unknown> }[] }

const RULES = [
  {
    name: 'High systolic pressure',
    'metric-type': 'BloodPressure',
    field: 'systolic',
    direction: 'above',
    threshold: 160,
    'clear-threshold': 150,
    severity: 'critical',
  },
  {
    name: 'High diastolic pressure',
    'metric-type': 'BloodPressure',
    field: 'diastolic',
    direction: 'above',
    threshold: 100,
    severity: 'warning',
  },
  {
    name: 'Low blood glucose',
    'metric-type': 'BloodGlucose',
    field: 'value',
    direction: 'below',
    threshold: 70,
    severity: 'warning',
  },
  { name: 'Fast pulse', 'metric-type': 'Pulse', field: 'value', direction: 'above', threshold: 110, severity: 'info' },
]
const READINGS = [
  { type: 'BloodPressure', systolic: 182, diastolic: 104 },
  { type: 'BloodGlucose', value: 58 },
  { type: 'BloodPressure', systolic: 171, diastolic: 92 },
  { type: 'Pulse', value: 124 },
  { type: 'BloodGlucose', value: 64 },
  { type: 'BloodPressure', systolic: 148, diastolic: 108 },
]

export async function fillAlerts(url: string, { administrator, provider }: People): Promise<void> {
  const call = async (path: string, token: string, body?: unknown) => {
    const response = await fetch(new URL(path, url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const signIn = async (who: object) =>
    ((await call('/identity/v1/login/', '', who)) as { 'access-token': string })['access-token']
  const token = await signIn(administrator)
  const profile = (await call('/identity/v1/profile/', await signIn(provider))) as { data: { attributes: object } }
  const told = (profile.data.attributes as Record<string, string>)['individual-id']
  const [organization] = ((await call('/identity/v1/organizations/', token)) as Answer).data
  if (!organization) throw new Error('The tour has no organization.')
  for (const rule of RULES) {
    const attributes = {
      ...rule,
      kind: 'watermark',
      'organization-id': organization.id,
      notify: { 'individual-ids': [told] },
    }
    await call('/lachesis/v1/alert-rules/', token, { data: { type: 'alert-rules', attributes } })
  }
  const asked = `?organization-id=${organization.id}&page[limit]=${READINGS.length}&fields=first-name`
  const { data: patients } = (await call(`/caredb/v1/aggregation-individuals/${asked}`, token)) as Answer
  for (const [at, reading] of READINGS.entries()) {
    const time = new Date(Date.now() + at * 1000).toISOString().slice(0, 19).replace('T', ' ')
    const attributes = { 'individual-id': patients[at]?.id, type: reading.type, data: [{ ...reading, time }] }
    await call('/lachesis/v1/timeseries/', token, { data: [{ type: 'time-series', attributes }] })
  }
}
