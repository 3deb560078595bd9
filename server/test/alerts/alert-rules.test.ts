// What a rule may be, and who may make it.

import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Clinic, faultsOf, openClinic } from '../metrics/clinic.ts'
import { call, makeOrganization, makePerson, type Person } from '../support/service.ts'
import {
  changeRule,
  createRule,
  HIGH_PULSE,
  makeGroup,
  makeProvider,
  makeRule,
  RULES,
  restrictProviders,
} from './ward.ts'

let clinic: Clinic
let patient: string
let provider: Person
let outsider: Person

beforeAll(async () => {
  clinic = await openClinic()
  patient = await clinic.newPatient()
  provider = await makeProvider(clinic)
  const elsewhere = await makeOrganization(clinic.service, 'Elsewhere')
  outsider = await makePerson(clinic.service, [{ organizationId: elsewhere, role: 'org-admin' }])
})

const AT = '/data/attributes'
const range = { kind: 'range', direction: null, threshold: null, from: 50, to: 60, period: 10 }
const silence = { kind: 'no-data', direction: null, threshold: null, hours: 24 }
const pressure = { 'metric-type': 'BloodPressure' }
const notify = (more: object) => ({ notify: more })

describe('a rule is taken', () => {
  test.each<[string, object]>([
    ['with the least there is', {}],
    ['with its only field named', { field: 'value' }],
    ['with a clear threshold at the threshold', { 'clear-threshold': 100 }],
    ['with one on the other side', { 'clear-threshold': 90.5 }],
    ['below, clearing above', { direction: 'below', threshold: 50, 'clear-threshold': 55 }],
    ['of the shortest range', { ...range, period: 1 }],
    ['of the longest range', { ...range, period: 43_200 }],
    ['of a narrow range', { ...range, from: 50, to: 50.5 }],
    ['of the shortest silence', { ...silence, hours: 1 }],
    ['of the longest silence', { ...silence, hours: 8760 }],
    ['of silence of a type without numbers', { ...silence, 'metric-type': 'Auscultation' }],
    ['of one field of several', { ...pressure, field: 'diastolic' }],
    ['with a name of one letter', { name: 'x' }],
    ['with a name of 255', { name: 'x'.repeat(255) }],
    ['that tells the patient by every way', notify({ patient: true, channels: ['in-app', 'email', 'sms'] })],
    ['that is off', { enabled: false }],
  ])('%s', async (_, attributes) => {
    const answer = await createRule(clinic, attributes)
    expect([answer.status, ...faultsOf(answer)]).toEqual([201])
    const got = await call(clinic.service, `${RULES}${answer.body.data.id}/`, { token: clinic.admin.token })
    expect(got.body.data).toEqual(answer.body.data)
    expect(got.body.data.attributes).toMatchObject({ ...HIGH_PULSE, ...attributes, 'created-by': clinic.admin.userId })
  })

  test('with everything it may name', async () => {
    const group = await makeGroup(clinic, 'Told')
    const attributes = {
      'individual-id': patient,
      notify: {
        'individual-ids': [provider.individualId],
        'group-ids': [group],
        patient: false,
        channels: ['sms'],
      },
      'worklist-entry': { 'group-id': group, text: 'Call.', 'due-in-hours': 8760 },
    }
    const { status, body } = await createRule(clinic, attributes)
    expect([status, body.data.attributes]).toEqual([201, expect.objectContaining(attributes)])
  })

  test('with the one field of its type filled in, and told in the app', async () => {
    const { body } = await createRule(clinic)
    expect(body.data.attributes).toMatchObject({
      ...{ field: 'value', enabled: true, 'individual-id': null, 'group-id': null, 'worklist-entry': null },
      notify: { 'individual-ids': [], 'group-ids': [], patient: false, channels: ['in-app'] },
    })
  })
})

describe('a rule is refused with all its faults', () => {
  const cases: [string, object, string[]][] = [
    ['a name of no letter', { name: '' }, ['name']],
    ['a name of 256', { name: 'x'.repeat(256) }, ['name']],
    ['no severity', { severity: undefined }, ['severity']],
    ['a severity that is not there', { severity: 'grave' }, ['severity']],
    ['a kind that is not there', { kind: 'trend' }, ['kind']],
    ['a type that is not there', { 'metric-type': 'Mood' }, ['metric-type']],
    ['no threshold and no direction', { direction: null, threshold: null }, ['direction', 'threshold']],
    ['a threshold that is no number', { threshold: 'high' }, ['threshold']],
    ['a clear threshold beyond, above', { 'clear-threshold': 100.5 }, ['clear-threshold']],
    ['a clear threshold beyond, below', { direction: 'below', 'clear-threshold': 99.5 }, ['clear-threshold']],
    ['terms of other kinds', { from: 1, to: 2, period: 3, hours: 4 }, ['from', 'to', 'period', 'hours']],
    ['a range of nothing', { ...range, from: 60 }, ['to']],
    ['a range the wrong way', { ...range, from: 61 }, ['to']],
    ['a range of no time', { ...range, period: 0 }, ['period']],
    ['a range of too long', { ...range, period: 43_201 }, ['period']],
    ['a range without terms', { kind: 'range', direction: null, threshold: null }, ['from', 'to', 'period']],
    ['a range with a threshold', { ...range, threshold: 5, 'clear-threshold': 4 }, ['threshold', 'clear-threshold']],
    ['a silence of no time', { ...silence, hours: 0 }, ['hours']],
    ['a silence of too long', { ...silence, hours: 8761 }, ['hours']],
    ['a silence of an hour and a half', { ...silence, hours: 1.5 }, ['hours']],
    ['a silence without hours, of a field', { ...silence, hours: null, field: 'value' }, ['field', 'hours']],
    ['no field of several', pressure, ['field']],
    ['a field of another type', { field: 'systolic' }, ['field']],
    ['a field that is no number', { 'metric-type': 'BloodGlucose', field: 'context' }, ['field']],
    ['a type without numbers', { 'metric-type': 'Auscultation' }, ['metric-type']],
    ['nobody of that id', { 'individual-id': v7() }, ['individual-id']],
    ['no group of that id', { 'group-id': v7() }, ['group-id']],
    ['no way to tell', notify({ channels: [] }), ['notify/channels']],
    ['a way that is not there', notify({ channels: ['fax'] }), ['notify/channels/0']],
    ['101 to tell', notify({ 'individual-ids': Array(101).fill(v7()) }), ['notify/individual-ids']],
    [
      'strangers to tell',
      notify({ 'individual-ids': [v7(), v7()], 'group-ids': [v7()] }),
      ['notify/individual-ids/0', 'notify/individual-ids/1', 'notify/group-ids/0'],
    ],
    [
      'work for nobody',
      { 'worklist-entry': { 'group-id': v7(), text: 'x', 'due-in-hours': 1 } },
      ['worklist-entry/group-id'],
    ],
    [
      'work without words, too late',
      { 'worklist-entry': { 'group-id': v7(), text: '', 'due-in-hours': 8761 } },
      ['worklist-entry/due-in-hours', 'worklist-entry/text'],
    ],
    ['something unknown', { colour: 'red' }, ['colour']],
  ]
  test.each(cases)('%s', async (_, attributes, places) => {
    const answer = await createRule(clinic, attributes)
    expect(answer.status).toBe(400)
    const pointers = faultsOf(answer).map((fault) => fault.split(' ')[1])
    expect(pointers.sort()).toEqual(places.map((place) => `${AT}/${place}`).sort())
  })

  test('a patient is not staff, and staff are no patients', async () => {
    const answer = await createRule(clinic, {
      'individual-id': provider.individualId,
      notify: { 'individual-ids': [patient] },
    })
    expect(faultsOf(answer)).toEqual([`InvalidValue ${AT}/individual-id`, `InvalidValue ${AT}/notify/individual-ids/0`])
  })

  test('an individual and a group at once', async () => {
    const group = await makeGroup(clinic, 'Either')
    const answer = await createRule(clinic, { 'individual-id': patient, 'group-id': group })
    expect(faultsOf(answer)).toEqual([`InvalidValue ${AT}/group-id`])
  })

  test('those of another organization', async () => {
    const { admin } = clinic
    const group = await makeGroup(clinic, 'Ours')
    const organizationId = (await outsider.almoner.listOrganizations()).items[0]?.id
    const foreign = await createRule(
      clinic,
      { 'organization-id': organizationId, 'individual-id': patient, notify: { 'group-ids': [group] } },
      outsider.token,
    )
    expect(faultsOf(foreign)).toEqual([`InvalidValue ${AT}/individual-id`, `InvalidValue ${AT}/notify/group-ids/0`])
    expect((await createRule(clinic, { 'organization-id': organizationId }, admin.token)).status).toBe(404)
  })
})

describe('who', () => {
  test('providers make rules for those they see, administrators for everyone as well', async () => {
    const group = await makeGroup(clinic, 'Seen')
    const status = async (attributes: object, token: string) => (await createRule(clinic, attributes, token)).status
    expect(await status({ 'individual-id': patient }, provider.token)).toBe(201)
    expect(await status({ 'group-id': group }, provider.token)).toBe(201)
    expect(await status({}, provider.token)).toBe(403)
    expect(await status({}, clinic.admin.token)).toBe(201)
    const ill = await makePerson(clinic.service, [{ organizationId: clinic.organizationId, role: 'patient' }])
    expect(await status({ 'individual-id': ill.individualId }, ill.token)).toBe(403)
    expect((await createRule(clinic, {}, '')).status).toBe(403)
  })

  test('a provider changes no rule for everyone, and makes none of another', async () => {
    const everyone = await makeRule(clinic)
    const own = await makeRule(clinic, { 'individual-id': patient })
    const status = async (id: string, attributes: object) =>
      (await changeRule(clinic, id, attributes, provider.token)).status
    expect(await status(everyone, { threshold: 120 })).toBe(403)
    expect(await status(own, { threshold: 120 })).toBe(200)
    expect(await status(own, { 'individual-id': null })).toBe(403)
    const remove = (id: string) => call(clinic.service, `${RULES}${id}/`, { method: 'DELETE', token: provider.token })
    expect((await remove(everyone)).status).toBe(403)
    expect((await remove(own)).status).toBe(204)
    expect((await remove(own)).status).toBe(404)
  })

  test('another organization finds none of it', async () => {
    const id = await makeRule(clinic, { 'individual-id': patient })
    const { service } = clinic
    const { token } = outsider
    expect((await call(service, `${RULES}${id}/`, { token })).status).toBe(404)
    expect((await changeRule(clinic, id, { name: 'Mine' }, token)).status).toBe(404)
    expect((await call(service, `${RULES}${id}/`, { method: 'DELETE', token })).status).toBe(404)
    expect((await call(service, RULES, { token })).body.data).toEqual([])
    const path = `${RULES}?organization-id=${clinic.organizationId}`
    expect((await call(service, path, { token })).status).toBe(404)
  })

  test('a restricted provider sees the rules for those in sight and for everyone', async () => {
    const other = await openClinic()
    await restrictProviders(other)
    const nurse = await makeProvider(other)
    const [seen, hidden] = [await other.newPatient(), await other.newPatient()]
    const led = await makeGroup(other, 'Led', { leader: nurse })
    const below = await makeGroup(other, 'Below', { above: led, individualIds: [seen] })
    const strange = await makeGroup(other, 'Strange', { individualIds: [hidden] })
    const ids: Record<string, string> = {}
    for (const [name, attributes] of Object.entries({
      everyone: {},
      led: { 'group-id': led },
      below: { 'group-id': below },
      strange: { 'group-id': strange },
      seen: { 'individual-id': seen },
      hidden: { 'individual-id': hidden },
    }))
      ids[name] = await makeRule(other, { name, ...attributes })
    const { body } = await call(other.service, RULES, { token: nurse.token })
    const names = body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name)
    expect(names).toEqual(['below', 'everyone', 'led', 'seen'])
    for (const [name, id] of Object.entries(ids)) {
      const { status } = await call(other.service, `${RULES}${id}/`, { token: nurse.token })
      expect([name, status]).toEqual([name, names.includes(name) ? 200 : 404])
    }
    expect((await createRule(other, { 'individual-id': hidden }, nurse.token)).status).toBe(400)
    expect((await createRule(other, { 'group-id': strange }, nurse.token)).status).toBe(400)
    expect((await changeRule(other, ids.hidden as string, { name: 'x' }, nurse.token)).status).toBe(404)
    expect((await createRule(other, { 'group-id': below }, nurse.token)).status).toBe(201)
  })
})

describe('a list of rules', () => {
  test('is in the order of names and filtered by whom and what they watch', async () => {
    const other = await openClinic()
    const [one, group] = [await other.newPatient(), await makeGroup(other, 'Group')]
    await makeRule(other, { name: 'b one', 'individual-id': one })
    await makeRule(other, { name: 'A group', 'group-id': group, severity: 'critical' })
    await makeRule(other, { name: 'c silence', ...silence, 'metric-type': 'Steps', enabled: false })
    const gone = await makeRule(other, { name: 'gone' })
    await call(other.service, `${RULES}${gone}/`, { method: 'DELETE', token: other.admin.token })
    const names = async (query = '') =>
      (await call(other.service, `${RULES}?${query}`, { token: other.admin.token })).body.data.map(
        ({ attributes }: { attributes: { name: string } }) => attributes.name,
      )
    expect(await names()).toEqual(['A group', 'b one', 'c silence'])
    expect(await names(`filter[individual-id]=${one}`)).toEqual(['b one'])
    expect(await names(`filter[group-id]=${group}`)).toEqual(['A group'])
    expect(await names('filter[metric-type]=Steps')).toEqual(['c silence'])
    expect(await names('filter[kind]=no-data')).toEqual(['c silence'])
    expect(await names('filter[severity]=critical')).toEqual(['A group'])
    expect(await names('filter[enabled]=false')).toEqual(['c silence'])
    expect(await names('filter[name][contains]=one')).toEqual(['b one'])
    expect(await names('page[limit]=1&page[offset]=1')).toEqual(['b one'])
  })
})
