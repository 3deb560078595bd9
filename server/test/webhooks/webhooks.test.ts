import { EVENT_KINDS } from '@almoner/contract'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  call,
  makeOrganization,
  makePerson,
  type Person,
  startTestService,
  type TestService,
  until,
} from '../support/service.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

const WEBHOOKS = '/integrator/v1/webhooks/'
const URL_OUTSIDE = 'https://hooks.example.org/almoner'

let service: TestService
let organizationId: string
let admin: Person
let outsider: Person

beforeAll(async () => {
  service = await startTestService({ role: 'all', environment: { WEBHOOK_ALLOW: '127.0.0.1' } })
  organizationId = await makeOrganization(service)
  admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  const elsewhere = await makeOrganization(service, 'Elsewhere')
  outsider = await makePerson(service, [{ organizationId: elsewhere, role: 'org-admin' }])
})

/** In an organization of its own, so that tests do not count each other's. */
async function newAdmin(name: string) {
  const id = await makeOrganization(service, name)
  return { organizationId: id, ...(await makePerson(service, [{ organizationId: id, role: 'org-admin' }])) }
}

const create = (attributes: object, token = admin.token) =>
  call(service, WEBHOOKS, {
    token,
    body: { data: { type: 'webhooks', attributes: { 'organization-id': organizationId, ...attributes } } },
  })

describe('a webhook', () => {
  test('is created with what is said, shows its secret once, and can be read, listed, changed and deleted', async () => {
    const { almoner, organizationId, userId } = await newAdmin('Whole life')
    const { secret, ...made } = await almoner.createWebhook({
      body: { organizationId, url: URL_OUTSIDE, description: 'To the ward', kinds: ['group.created', 'group.created'] },
    })
    expect(made).toEqual({
      id: expect.any(String),
      organizationId,
      url: URL_OUTSIDE,
      description: 'To the ward',
      kinds: ['group.created'],
      enabled: true,
      disabledAt: null,
      disabledReason: null,
      lastDeliveryAt: null,
      lastSuccessAt: null,
      consecutiveFailures: 0,
      createdAt: expect.any(Date),
      createdBy: userId,
    })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/)
    const bytes = Buffer.from(secret?.slice('whsec_'.length) ?? '', 'base64').length
    expect(bytes).toBeGreaterThanOrEqual(24)
    expect(bytes).toBeLessThanOrEqual(64)
    expect(await almoner.getWebhook({ id: made.id })).toEqual(made)
    expect(await almoner.listWebhooks({ organizationId })).toEqual({ items: [made], total: 1 })
    const changed = await almoner.modifyWebhook({ id: made.id, body: { description: '', kinds: [] } })
    expect(changed).toEqual({ ...made, description: '', kinds: [] })
    expect(await almoner.modifyWebhook({ id: made.id, body: {} })).toEqual(changed)
    await almoner.deleteWebhook({ id: made.id })
    await expect(almoner.getWebhook({ id: made.id })).rejects.toMatchObject({ code: 'NotFound' })
    expect(await almoner.listWebhooks()).toEqual({ items: [], total: 0 })
  })

  test('says when and why it is disabled, and nothing of that once it is enabled again', async () => {
    const { almoner, organizationId } = await newAdmin('Off and on')
    const { id } = await almoner.createWebhook({ body: { organizationId, url: URL_OUTSIDE, enabled: false } })
    expect(await almoner.getWebhook({ id })).toMatchObject({ enabled: false, disabledReason: 'manual' })
    const enabled = await almoner.modifyWebhook({ id, body: { enabled: true } })
    expect(enabled).toMatchObject({ enabled: true, disabledAt: null, disabledReason: null })
    const disabled = await almoner.modifyWebhook({ id, body: { enabled: false } })
    expect(disabled).toMatchObject({ enabled: false, disabledAt: expect.any(Date), disabledReason: 'manual' })
  })

  test('has a secret that is nowhere to be read in the database', async () => {
    const { secret } = (await create({ url: URL_OUTSIDE })).body.data.attributes
    const { rows } = await sql<{ row: string }>`select w::text as row from webhooks w`.execute(service.db)
    const hidden = Buffer.from(secret.slice('whsec_'.length), 'base64').toString('hex')
    for (const { row } of rows) {
      expect(row).not.toContain(secret)
      expect(row).not.toContain(hidden)
    }
  })

  test('is nobody else’s: another organization neither sees nor changes it, nor makes one there', async () => {
    const { id } = (await create({ url: URL_OUTSIDE })).body.data
    for (const [path, method, body] of [
      [`${WEBHOOKS}${id}/`, 'GET'],
      [`${WEBHOOKS}${id}/`, 'PATCH', { data: { type: 'webhooks', attributes: { enabled: false } } }],
      [`${WEBHOOKS}${id}/`, 'DELETE'],
      [`${WEBHOOKS}${id}/test/`, 'POST', {}],
      [`${WEBHOOKS}${id}/rotate-secret/`, 'POST', {}],
    ] as const) {
      const answer = await call(service, path, { method, token: outsider.token, ...(body ? { body } : {}) })
      expect([method, path, answer.status]).toEqual([method, path, 404])
    }
    expect((await outsider.almoner.listWebhooks()).total).toBe(0)
    expect((await create({ url: URL_OUTSIDE }, outsider.token)).status).toBe(404)
    expect((await admin.almoner.getWebhook({ id })).enabled).toBe(true)
  })

  test('can be made by a service account that has the scope, and is marked as made by it', async () => {
    const { almoner, organizationId } = await newAdmin('With a job')
    const scopes = ['create-webhook', 'list-webhooks']
    const account = await almoner.createServiceAccount({
      body: { organizationId, name: 'installer', kind: 'job', scopes },
    })
    const { token } = await almoner.createServiceAccountToken({ id: account.id, body: { name: 'first' } })
    const made = await create({ 'organization-id': organizationId, url: URL_OUTSIDE }, token)
    expect([made.status, made.body.data.attributes['created-by']]).toEqual([201, account.id])
    const removed = await call(service, `${WEBHOOKS}${made.body.data.id}/`, { method: 'DELETE', token })
    expect(removed.status).toBe(403)
  })
})

describe('limits', () => {
  const padded = (length: number) => `${URL_OUTSIDE}?${'x'.repeat(length - URL_OUTSIDE.length - 1)}`

  test.each([
    ['url', padded(2047), 201],
    ['url', padded(2048), 201],
    ['url', padded(2049), 400],
    ['description', 'x'.repeat(254), 201],
    ['description', 'x'.repeat(255), 201],
    ['description', 'x'.repeat(256), 400],
    ['kinds', EVENT_KINDS.filter((kind) => kind !== 'webhook.test'), 201],
    ['kinds', ['group.created', 'group.exploded'], 400],
    ['kinds', ['webhook.test'], 400],
    ['kinds', Array(200).fill('group.created'), 201],
    ['kinds', Array(201).fill('group.created'), 400],
  ])('%s is held to its bounds (case %#)', async (name, value, status) => {
    const answer = await create({ url: URL_OUTSIDE, [name]: value })
    expect(answer.status).toBe(status)
    if (status === 201) await admin.almoner.deleteWebhook({ id: answer.body.data.id })
    else expect(answer.body.errors[0].meta.pointer).toMatch(new RegExp(`^/data/attributes/${name}`))
  })

  test('an organization has 50 and no more, also when many are made at once', async () => {
    const { almoner, organizationId } = await newAdmin('Many')
    const body = { organizationId, url: URL_OUTSIDE }
    for (let made = 0; made < 48; made++) await almoner.createWebhook({ body })
    const last = await Promise.allSettled(Array.from({ length: 6 }, () => almoner.createWebhook({ body })))
    expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    for (const one of last)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 400, code: 'TooManyWebhooks' })
    const { items, total } = await almoner.listWebhooks({ page: { limit: 1 } })
    expect(total).toBe(50)
    await almoner.deleteWebhook({ id: items[0]?.id ?? '' })
    await almoner.createWebhook({ body })
  })
})

describe('an address', () => {
  test.each([
    'http://localhost/',
    'https://localhost:8443/x',
    'http://LOCALHOST./',
    'http://api.localhost/',
    'http://127.0.0.2/',
    'http://127.2/',
    'http://2130706434/',
    'http://0x7f.0.0.2/',
    'http://0177.0.0.02/',
    'http://１２７.0.0.2/',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://198.18.0.1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[64:ff9b::a00:1]/',
    'http://[fc00::1]/',
    'http://[fe80::1]/',
    'http://[ff02::1]/',
    'http://[2002:a00:1::]/',
    'http://[2001::1]/',
    'ftp://example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '//example.org/',
    'example.org',
    'https://',
    'https://user@example.org/',
    'https://user:password@example.org/',
    'https://:password@example.org/',
    ' https://example.org/',
    'https://exam\tple.org/',
    'https:\\\\example.org\\',
  ])('%s is refused', async (url) => {
    const answer = await create({ url })
    expect([answer.status, answer.body.errors[0].code, answer.body.errors[0].meta.pointer]).toEqual([
      400,
      'InvalidValue',
      '/data/attributes/url',
    ])
    const { id } = (await create({ url: URL_OUTSIDE })).body.data
    await expect(admin.almoner.modifyWebhook({ id, body: { url } })).rejects.toMatchObject({ code: 'InvalidValue' })
    await admin.almoner.deleteWebhook({ id })
  })

  test.each([
    'http://example.org/',
    'https://example.org:8443/a?b=c#d',
    'https://bücher.example/',
    'http://8.8.8.8/',
    'http://[2606:4700::1111]:81/',
    'http://127.0.0.1:1/',
    'http://0x7f000001/',
  ])('%s is taken, when it is public or allowed', async (url) => {
    const answer = await create({ url })
    expect([answer.status, answer.body.data?.attributes.url]).toEqual([201, url])
    await admin.almoner.deleteWebhook({ id: answer.body.data.id })
  })
})

describe('a test', () => {
  test('is sent at once, signed, and answered with what came of it', async () => {
    const receiver = await startReceiver({ status: 200, headers: { 'x-ward': 'seven' }, body: 'thank you' })
    const webhook = await admin.almoner.createWebhook({ body: { organizationId, url: receiver.url } })
    const delivery = await admin.almoner.testWebhook({ id: webhook.id })
    const [received] = receiver.received
    if (!received) throw new Error('Nothing was received.')
    const verified = new Webhook(webhook.secret ?? '').verify(received.raw, received.headers as Record<string, string>)
    expect(verified).toMatchObject({ type: 'webhook.test', data: { payload: { 'webhook-id': webhook.id } } })
    expect(delivery).toMatchObject({
      id: received.id,
      webhookId: webhook.id,
      kind: 'webhook.test',
      state: 'succeeded',
      attemptCount: 1,
      lastStatus: 200,
      body: verified,
      attempts: [
        {
          number: 1,
          responseStatus: 200,
          responseHeaders: { 'x-ward': 'seven' },
          responseBody: 'thank you',
          error: null,
        },
      ],
    })
    expect(await admin.almoner.getWebhookDelivery({ id: delivery.id })).toEqual(delivery)
    expect(await admin.almoner.getWebhook({ id: webhook.id })).toMatchObject({ lastDeliveryAt: null })
  })

  test('reaches its own webhook alone, a disabled one too, and is not repeated when it fails', async () => {
    const [receiver, other] = [await startReceiver({ status: 500 }), await startReceiver()]
    const { almoner, organizationId } = await newAdmin('Two receivers')
    const body = { organizationId, url: receiver.url, enabled: false }
    const webhook = await almoner.createWebhook({ body })
    await almoner.createWebhook({ body: { organizationId, url: other.url } })
    const delivery = await almoner.testWebhook({ id: webhook.id })
    expect(delivery).toMatchObject({ state: 'failed', lastStatus: 500, nextAttemptAt: null })
    await almoner.createGroup({ body: { organizationId, name: 'After the test' } })
    await until(() => other.received.length > 0)
    expect(other.received.map(({ body }) => body.type)).toEqual(['group.created'])
    expect(receiver.received).toHaveLength(1)
    expect(await almoner.getWebhook({ id: webhook.id })).toMatchObject({ consecutiveFailures: 0, enabled: false })
  })
})

describe('a new secret', () => {
  test('signs beside the one before for 24 hours, and then alone', async () => {
    const receiver = await startReceiver()
    const { id, secret: first = '' } = await admin.almoner.createWebhook({
      body: { organizationId, url: receiver.url, kinds: ['group.updated'] },
    })
    const { secret: second = '' } = await admin.almoner.rotateWebhookSecret({ id })
    expect(second).toMatch(/^whsec_/)
    expect(second).not.toBe(first)
    const signedBy = async () => {
      await admin.almoner.testWebhook({ id })
      const { raw, headers } = receiver.received.at(-1) ?? { raw: '', headers: {} }
      return [first, second].map((secret) => {
        try {
          new Webhook(secret).verify(raw, headers as Record<string, string>)
          return true
        } catch {
          return false
        }
      })
    }
    expect(await signedBy()).toEqual([true, true])
    expect(String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ')).toHaveLength(2)
    const moved = (by: string) =>
      sql`update webhooks set previous_secret_until = previous_secret_until - ${by}::interval where id = ${id}`.execute(
        service.db,
      )
    await moved('23 hours 59 minutes')
    expect(await signedBy()).toEqual([true, true])
    await moved('1 minute')
    expect(await signedBy()).toEqual([false, true])
    expect(String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ')).toHaveLength(1)
  })
})
