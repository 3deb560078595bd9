import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { Events } from '../../src/platform/events/events.ts'
import { makeOrganization, makePerson, startTestService, type TestService, until } from '../support/service.ts'
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ role: 'all', environment: { WEBHOOK_ALLOW: '127.0.0.1' } })
})

/** An organization with an administrator and a webhook to the receiver. */
async function clinic(receiver: WebhookReceiver, attributes: { kinds?: ['group.updated'] } = {}) {
  const organizationId = await makeOrganization(service)
  const admin = await makePerson(service, [{ organizationId, role: 'org-admin' }])
  const { almoner } = admin
  const webhook = await almoner.createWebhook({ body: { organizationId, url: receiver.url, ...attributes } })
  const publish = async (count = 1) => {
    const names = Array.from({ length: count }, (_, place) => `Group ${place}`)
    const happenings = names.map((name) => ({ organizationId, data: { groupId: v7(), name } }))
    const ids = await new Events(service.db, new Date()).publishAll('group.created', happenings)
    const read = sql<{ isRead: boolean }>`select (select position from event_readers where name = 'webhooks') >=
      max(coalesce(position, 1e15)) as is_read from events where id = any(${ids}::uuid[])`
    await until(async () => (await read.execute(service.db)).rows[0]?.isRead === true)
  }
  const deliveries = async () => (await almoner.listWebhookDeliveries({ filter: { webhookId: webhook.id } })).items
  const only = async () => {
    const [delivery] = await deliveries()
    if (!delivery) throw new Error('There is no delivery.')
    return almoner.getWebhookDelivery({ id: delivery.id })
  }
  /** As if the time until the next attempt had passed. */
  const hurry = async () => {
    await sql`update webhook_deliveries set due_at = now() where webhook_id = ${webhook.id} and leased_until is null
      and state = 'pending'`.execute(service.db)
    await sql`select graphile_worker.add_job('deliver-webhooks', '{}')`.execute(service.db)
  }
  const untilAttempted = (times: number) => until(async () => (await only()).attempts?.length === times)
  const webhookNow = () => almoner.getWebhook({ id: webhook.id })
  return { ...admin, organizationId, webhook, publish, deliveries, only, hurry, untilAttempted, webhookNow }
}

const verify = (secret: string | undefined, { raw, headers }: { raw: string; headers: object }) =>
  new Webhook(secret ?? '').verify(raw, headers as Record<string, string>)

describe('an event', () => {
  test('arrives in the form of the specification, and its signature holds', async () => {
    const receiver = await startReceiver({ status: 202 })
    const { almoner, organizationId, webhook, only, webhookNow } = await clinic(receiver)
    const patient = await almoner.createPatient({
      body: {
        organizationId,
        firstName: 'Pat',
        lastName: 'Lee',
        birthDate: '1960-01-01',
        gender: 'unknown',
        email: `${v7()}@example.org`,
      },
    })
    await until(() => receiver.received.length === 1)
    const [received] = receiver.received
    if (!received) throw new Error('Nothing was received.')
    expect([received.method, received.path]).toEqual(['POST', '/hooks?tenant=7'])
    expect(received.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Almoner-Webhooks',
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    })
    expect(verify(webhook.secret, received)).toEqual({
      type: 'individual.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: {
        id: expect.any(String),
        'organization-id': organizationId,
        'individual-id': patient.id,
        position: expect.any(Number),
        payload: { 'individual-id': patient.id },
      },
    })
    expect(() => verify(webhook.secret, { ...received, raw: received.raw.replace('created', 'updated') })).toThrow()
    await until(async () => (await only()).state === 'succeeded')
    const delivery = await only()
    expect(delivery).toMatchObject({
      id: received.id,
      eventId: received.body.data.id,
      organizationId,
      kind: 'individual.created',
      attemptCount: 1,
      nextAttemptAt: null,
      lastStatus: 202,
      lastError: null,
      finishedAt: expect.any(Date),
      body: received.body,
    })
    const { host: _, connection, 'accept-encoding': encoding, 'content-length': length, ...signed } = received.headers
    expect([connection, encoding, length]).toEqual(['close', 'identity', String(received.raw.length)])
    expect(delivery.attempts).toMatchObject([{ number: 1, requestHeaders: signed, responseStatus: 202, error: null }])
    expect(JSON.stringify(delivery)).not.toContain(webhook.secret)
    expect(await webhookNow()).toMatchObject({ lastDeliveryAt: expect.any(Date), lastSuccessAt: expect.any(Date) })
    await until(async () => {
      const { items } = await almoner.listAuditEvents({ organizationId, filter: { operation: 'get-webhook-delivery' } })
      return items.some(({ individualIds }) => individualIds.includes(patient.id))
    })
  })

  test('goes to every webhook that wants its kind, and to no other organization', async () => {
    const [all, some, others] = [await startReceiver(), await startReceiver(), await startReceiver()]
    const { almoner, organizationId } = await clinic(all)
    await almoner.createWebhook({ body: { organizationId, url: some.url, kinds: ['group.updated'] } })
    const elsewhere = await clinic(others)
    const { id } = await almoner.createGroup({ body: { organizationId, name: 'First' } })
    await almoner.updateGroup({ id, body: { name: 'Second' } })
    await elsewhere.publish()
    await until(() => all.received.length === 2 && some.received.length === 1 && others.received.length === 1)
    expect(some.received[0]?.body).toMatchObject({
      type: 'group.updated',
      data: { payload: { 'group-id': id, name: 'Second' } },
    })
    expect(others.received[0]?.body.data['organization-id']).toBe(elsewhere.organizationId)
    expect(new Set([...all.received, ...some.received].map((one) => one.id)).size).toBe(3)
  })

  test('is delivered once each when there are many', async () => {
    const receiver = await startReceiver()
    const { publish, almoner, webhook } = await clinic(receiver)
    await publish(300)
    await until(() => receiver.received.length >= 300)
    await until(
      async () =>
        (await almoner.listWebhookDeliveries({ filter: { webhookId: webhook.id, state: 'succeeded' } })).total === 300,
    )
    expect(receiver.received).toHaveLength(300)
    expect(new Set(receiver.received.map(({ body }) => body.data.id)).size).toBe(300)
    expect(receiver.mostOpen).toBeLessThanOrEqual(4)
  })
})

describe('what fails', () => {
  test('is tried again under the same id until it arrives', async () => {
    const receiver = await startReceiver({ status: 500, body: 'not today' })
    const { publish, only, hurry, untilAttempted, webhook, webhookNow } = await clinic(receiver)
    await publish()
    await untilAttempted(1)
    const first = await only()
    expect(first).toMatchObject({ state: 'pending', lastStatus: 500, lastError: 'The receiver answered 500.' })
    expect(first.attempts?.[0]).toMatchObject({ responseBody: 'not today', error: 'The receiver answered 500.' })
    expect(await webhookNow()).toMatchObject({ consecutiveFailures: 1, lastSuccessAt: null, enabled: true })
    receiver.behaviour = 'hang up'
    await hurry()
    await untilAttempted(2)
    expect((await only()).lastError).toBe('The connection was closed before an answer came.')
    expect(await webhookNow()).toMatchObject({ consecutiveFailures: 2 })
    receiver.behaviour = { status: 200 }
    await hurry()
    await until(async () => (await only()).state === 'succeeded')
    expect((await only()).attempts?.map(({ number }) => number)).toEqual([3, 2, 1])
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set([first.id]))
    expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1)
    for (const one of receiver.received) verify(webhook.secret, one)
    expect(await webhookNow()).toMatchObject({ consecutiveFailures: 0, lastSuccessAt: expect.any(Date) })
  })

  test('is given up after eleven attempts', async () => {
    const receiver = await startReceiver({ status: 503 })
    const { publish, only, hurry, untilAttempted } = await clinic(receiver)
    await publish()
    for (let attempt = 1; attempt <= 10; attempt++) {
      await untilAttempted(attempt)
      expect((await only()).state).toBe('pending')
      await hurry()
    }
    await untilAttempted(11)
    expect(await only()).toMatchObject({ state: 'failed', nextAttemptAt: null, finishedAt: expect.any(Date) })
    expect(receiver.received).toHaveLength(11)
  })

  test.each([
    ['23 hours 59 minutes', 'pending'],
    ['24 hours', 'failed'],
  ])('and began %s ago is then %s', async (ago, state) => {
    const receiver = await startReceiver({ status: 503 })
    const { publish, only, hurry, untilAttempted, webhook } = await clinic(receiver)
    await publish()
    await untilAttempted(1)
    await sql`update webhook_deliveries set round_started_at = now() - ${ago}::interval
      where webhook_id = ${webhook.id}`.execute(service.db)
    await hurry()
    await untilAttempted(2)
    expect((await only()).state).toBe(state)
  })

  test('waits as long as the receiver asks, within reason', async () => {
    const waits = async (retryAfter: string) => {
      const receiver = await startReceiver({ status: 429, headers: { 'retry-after': retryAfter } })
      const { publish, only, untilAttempted } = await clinic(receiver)
      await publish()
      await untilAttempted(1)
      const { nextAttemptAt, lastAttemptAt } = await only()
      return Math.round(((nextAttemptAt?.getTime() ?? 0) - (lastAttemptAt?.getTime() ?? 0)) / 60_000)
    }
    expect(await waits('1800')).toBe(30)
    expect(await waits(new Date(Date.now() + 3600_000).toUTCString())).toBe(60)
    expect(await waits('999999')).toBe(240)
    expect(await waits('soon')).toBe(0)
  })

  test('by a redirect is not followed, wherever it leads', async () => {
    const inside = await startReceiver()
    const receiver = await startReceiver({ status: 307, headers: { location: inside.url } })
    const { almoner, webhook } = await clinic(receiver)
    const { state, lastError, attempts } = await almoner.testWebhook({ id: webhook.id })
    expect([state, attempts?.[0]?.responseStatus]).toEqual(['failed', 307])
    expect(lastError).toContain('Redirects are not followed')
    expect(inside.received).toEqual([])
  })
})

describe('a receiver', () => {
  test('that answers without end is cut off, and 4 KiB of it are kept', async () => {
    const receiver = await startReceiver('endless')
    const { almoner, webhook } = await clinic(receiver)
    const { state, attempts } = await almoner.testWebhook({ id: webhook.id })
    expect([state, attempts?.[0]?.responseBody]).toEqual(['succeeded', 'x'.repeat(4096)])
    await until(() => receiver.open === 0)
  })

  test('may answer 4095, 4096 or 4097 bytes', async () => {
    const receiver = await startReceiver()
    const { almoner, webhook } = await clinic(receiver)
    for (const length of [4095, 4096, 4097]) {
      receiver.behaviour = { status: 200, body: 'y'.repeat(length) }
      const { attempts } = await almoner.testWebhook({ id: webhook.id })
      expect(attempts?.[0]?.responseBody).toHaveLength(Math.min(length, 4096))
    }
    receiver.behaviour = { status: 200, body: `${'y'.repeat(4095)}é` }
    const { attempts } = await almoner.testWebhook({ id: webhook.id })
    expect(attempts?.[0]?.responseBody).toBe('y'.repeat(4095))
  })

  test('that says nothing has failed after 15 seconds; one that said 200 has not, though its body never ends', async () => {
    const [silent, slow] = [await startReceiver('hang'), await startReceiver('slow body')]
    const [first, second] = [await clinic(silent), await clinic(slow)]
    const [hung, answered] = await Promise.all([
      first.almoner.testWebhook({ id: first.webhook.id }),
      second.almoner.testWebhook({ id: second.webhook.id }),
    ])
    expect(hung).toMatchObject({
      state: 'failed',
      lastError: 'There was no answer within 15 seconds.',
      lastStatus: null,
    })
    expect(answered).toMatchObject({ state: 'succeeded', attempts: [{ responseBody: 'begun' }] })
  })

  test('that hangs holds up no other, and is sent four at a time, then one', async () => {
    const [hanging, other] = [await startReceiver('hang'), await startReceiver()]
    const [first, second] = [await clinic(hanging), await clinic(other)]
    await first.publish(40)
    await until(() => hanging.open === 4)
    await second.publish(50)
    await until(() => other.received.length === 50)
    // Other work of the queue goes on too.
    const { organizationId, almoner } = second
    const { taskId } = await almoner.importPatients({
      body: {
        organizationId,
        dryRun: true,
        csv: 'first-name,last-name,birth-date,gender,email\nPat,Lee,1960-01-01,unknown,pat@example.org',
      },
    })
    await until(async () => (await almoner.getTask({ id: taskId })).state === 'completed')
    expect(hanging.received).toHaveLength(4)
    expect(hanging.mostOpen).toBe(4)
    await first.almoner.modifyWebhook({ id: first.webhook.id, body: { enabled: false } })
    hanging.hangUp()
  })

  test('that works does not wait for any number of others that hang', async () => {
    const [hanging, other] = [await startReceiver('hang'), await startReceiver()]
    const settings = await Promise.all([clinic(hanging), clinic(hanging)])
    for (const { almoner, organizationId, webhook } of settings) {
      for (let made = 1; made < 35; made++)
        await almoner.createWebhook({ body: { organizationId, url: hanging.url, kinds: ['group.created'] } })
      await sql`update webhooks set consecutive_failures = 1, failing_since = now()
        where organization_id = ${webhook.organizationId}`.execute(service.db)
    }
    for (const { publish } of settings) await publish(2)
    await until(() => hanging.open === 50)
    const { publish } = await clinic(other)
    await publish(20)
    await until(() => other.received.length === 20)
    expect(hanging.mostOpen).toBe(50)
    await sql`delete from webhooks where url = ${hanging.url}`.execute(service.db)
    hanging.hangUp()
  })

  test('that has failed is asked one at a time', async () => {
    const receiver = await startReceiver({ status: 500 })
    const { publish, webhookNow, hurry } = await clinic(receiver)
    await publish()
    await until(async () => (await webhookNow()).consecutiveFailures === 1)
    receiver.mostOpen = 0
    receiver.behaviour = { status: 500 }
    await publish(20)
    await hurry()
    await until(async () => (await webhookNow()).consecutiveFailures >= 21)
    expect(receiver.mostOpen).toBe(1)
  })

  test('that answers 410 is sent nothing more, and administrators are told in their language', async () => {
    const receiver = await startReceiver({ status: 410 })
    const { publish, deliveries, webhookNow, organizationId, webhook, individualId } = await clinic(receiver)
    const other = await makePerson(service, [{ organizationId, role: 'org-admin' }])
    const provider = await makePerson(service, [{ organizationId, role: 'provider' }])
    await service.db.updateTable('individuals').set({ locale: 'es_US' }).where('id', '=', other.individualId).execute()
    const watcher = await startReceiver()
    await other.almoner.createWebhook({ body: { organizationId, url: watcher.url, kinds: ['webhook.disabled'] } })
    await publish(20)
    await until(async () => !(await webhookNow()).enabled)
    expect(await webhookNow()).toMatchObject({ disabledReason: 'gone', disabledAt: expect.any(Date) })
    await until(() => watcher.received.length === 1)
    expect(watcher.received[0]?.body).toMatchObject({
      type: 'webhook.disabled',
      data: { payload: { 'webhook-id': webhook.id, reason: 'gone' } },
    })
    await until(async () => (await deliveries()).every(({ state }) => state !== 'pending'))
    const states = (await deliveries()).map(({ state }) => state)
    expect(states.filter((state) => state === 'canceled').length).toBeGreaterThanOrEqual(16)
    expect(receiver.received.length).toBeLessThanOrEqual(4)
    const { items } = await other.almoner.listOutboundMessages({ organizationId })
    const mails = new Map(items.map(({ individualId, subject }) => [individualId, subject]))
    expect(mails.get(individualId)).toBe('A webhook has ended')
    expect(mails.get(other.individualId)).toBe('Un webhook ha terminado')
    expect(mails.has(provider.individualId)).toBe(false)
    expect(items).toHaveLength(2)
    expect(items[0]?.text).toContain(`127.0.0.1:${receiver.port}`)
    expect(items[0]?.text).not.toContain('tenant=7')
  })
})

describe('a webhook that fails', () => {
  const failingFor = async (ago: string) => {
    const receiver = await startReceiver({ status: 500 })
    const setting = await clinic(receiver)
    await setting.publish()
    await setting.untilAttempted(1)
    await sql`update webhooks set failing_since = now() - ${ago}::interval where id = ${setting.webhook.id}`.execute(
      service.db,
    )
    await setting.hurry()
    await setting.untilAttempted(2)
    return { receiver, ...setting }
  }

  test('for less than 24 hours stays enabled', async () => {
    const { webhookNow, only } = await failingFor('23 hours 59 minutes')
    expect(await webhookNow()).toMatchObject({ enabled: true, consecutiveFailures: 2 })
    expect((await only()).state).toBe('pending')
  })

  test('for longer is disabled, its deliveries canceled and its administrators told', async () => {
    const { webhookNow, only, almoner, organizationId, publish, deliveries, receiver, hurry } =
      await failingFor('24 hours 1 second')
    expect(await webhookNow()).toMatchObject({ enabled: false, disabledReason: 'failing', consecutiveFailures: 2 })
    expect((await only()).state).toBe('canceled')
    const { items } = await almoner.listOutboundMessages({ organizationId })
    expect(items.map(({ subject, purpose }) => [subject, purpose])).toEqual([
      ['A webhook has stopped', 'webhook-failing'],
    ])
    // Meanwhile nothing is kept for it, and enabled again it begins anew.
    await publish()
    expect(await deliveries()).toHaveLength(1)
    receiver.behaviour = { status: 200 }
    const { id } = await webhookNow()
    const enabled = await almoner.modifyWebhook({ id, body: { enabled: true } })
    expect(enabled).toMatchObject({ enabled: true, disabledAt: null, disabledReason: null, consecutiveFailures: 0 })
    await publish()
    await hurry()
    await until(() => receiver.received.length === 3)
    expect((await deliveries()).map(({ state }) => state)).toContain('canceled')
    expect(await deliveries()).toHaveLength(2)
  })
})

describe('a delivery', () => {
  test('is sent again on demand, under the same id, whatever became of it', async () => {
    const receiver = await startReceiver()
    const { publish, only, almoner } = await clinic(receiver)
    await publish()
    await until(async () => (await only()).state === 'succeeded')
    const { id } = await only()
    receiver.behaviour = { status: 500 }
    const resent = await almoner.resendWebhookDelivery({ id })
    expect(resent).toMatchObject({ id, state: 'pending', finishedAt: null })
    await until(async () => (await only()).attempts?.length === 2)
    expect(await only()).toMatchObject({ state: 'pending', lastStatus: 500 })
    receiver.behaviour = { status: 200 }
    await almoner.resendWebhookDelivery({ id })
    await until(async () => (await only()).state === 'succeeded')
    expect(receiver.received.map((one) => one.id)).toEqual([id, id, id])
    expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1)
  })

  test('of a disabled or deleted webhook is not sent again, and can be read still', async () => {
    const receiver = await startReceiver()
    const { publish, only, almoner, webhook } = await clinic(receiver)
    await publish()
    await until(async () => (await only()).state === 'succeeded')
    const { id } = await only()
    await almoner.modifyWebhook({ id: webhook.id, body: { enabled: false } })
    await expect(almoner.resendWebhookDelivery({ id })).rejects.toMatchObject({ status: 400, code: 'WebhookDisabled' })
    await almoner.deleteWebhook({ id: webhook.id })
    await expect(almoner.resendWebhookDelivery({ id })).rejects.toMatchObject({ status: 404 })
    expect(await almoner.getWebhookDelivery({ id })).toMatchObject({ state: 'succeeded', webhookId: webhook.id })
    expect(receiver.received).toHaveLength(1)
  })

  test('whose event is not kept any more is given up at once, and that is no fault of its webhook', async () => {
    const receiver = await startReceiver()
    const { publish, only, almoner, organizationId, webhookNow } = await clinic(receiver)
    await publish()
    await until(async () => (await only()).state === 'succeeded')
    await service.db.deleteFrom('events').where('organizationId', '=', organizationId).execute()
    await almoner.resendWebhookDelivery({ id: (await only()).id })
    await until(async () => (await only()).state === 'failed')
    expect(await only()).toMatchObject({ body: null, lastError: 'The event is not kept any more.', attemptCount: 2 })
    expect(await webhookNow()).toMatchObject({ consecutiveFailures: 0 })
    expect(receiver.received).toHaveLength(1)
  })

  test('that brings down its process each time is given up in the end', async () => {
    const receiver = await startReceiver({ status: 500 })
    const { publish, only, hurry, untilAttempted, webhook } = await clinic(receiver)
    await publish()
    await untilAttempted(1)
    // As many attempts as there may be, none of which came back.
    await sql`update webhook_deliveries set round_count = 11, attempt_count = 11, leased_until = now()
      where webhook_id = ${webhook.id}`.execute(service.db)
    await sql`update webhook_deliveries set due_at = now() where webhook_id = ${webhook.id}`.execute(service.db)
    await hurry()
    await until(async () => (await only()).state === 'failed')
    expect(await only()).toMatchObject({ attemptCount: 12, lastError: 'No attempt came to an end.' })
    expect(receiver.received).toHaveLength(1)
  })

  test('that waits goes to the new address when its webhook gets one, and what failed before is forgotten', async () => {
    const [old, moved] = [await startReceiver({ status: 500 }), await startReceiver()]
    const { publish, only, almoner, webhook, untilAttempted, hurry, webhookNow } = await clinic(old)
    await publish()
    await untilAttempted(1)
    expect(await almoner.modifyWebhook({ id: webhook.id, body: { url: old.url } })).toMatchObject({
      consecutiveFailures: 1,
    })
    await almoner.modifyWebhook({ id: webhook.id, body: { url: moved.url } })
    expect(await webhookNow()).toMatchObject({ consecutiveFailures: 0, url: moved.url })
    await hurry()
    await until(async () => (await only()).state === 'succeeded')
    expect([old.received.length, moved.received.length]).toEqual([1, 1])
  })

  test('that was on its way when the address changed does not disable the new one by a 410 of the old', async () => {
    const { promise: after, resolve: answer } = Promise.withResolvers<void>()
    const [old, moved] = [await startReceiver({ status: 410, after }), await startReceiver()]
    const { publish, only, almoner, webhook, untilAttempted, hurry, webhookNow } = await clinic(old)
    await publish()
    await until(() => old.received.length === 1)
    await almoner.modifyWebhook({ id: webhook.id, body: { url: moved.url } })
    answer()
    await untilAttempted(1)
    expect(await webhookNow()).toMatchObject({ enabled: true, consecutiveFailures: 0 })
    await hurry()
    await until(async () => (await only()).state === 'succeeded')
    expect(moved.received.map(({ id }) => id)).toEqual(old.received.map(({ id }) => id))
  })

  test('that waits is canceled when its webhook is disabled or deleted', async () => {
    const receiver = await startReceiver({ status: 500 })
    const { publish, only, almoner, webhook, untilAttempted } = await clinic(receiver)
    await publish()
    await untilAttempted(1)
    await almoner.modifyWebhook({ id: webhook.id, body: { enabled: false } })
    expect(await only()).toMatchObject({ state: 'canceled', nextAttemptAt: null, finishedAt: expect.any(Date) })
    await almoner.modifyWebhook({ id: webhook.id, body: { enabled: true } })
    await almoner.resendWebhookDelivery({ id: (await only()).id })
    await untilAttempted(2)
    await almoner.deleteWebhook({ id: webhook.id })
    expect(await only()).toMatchObject({ state: 'canceled' })
  })

  test('is found by webhook, state and kind, the newest first, a page at a time', async () => {
    const receiver = await startReceiver()
    const { publish, almoner, webhook, organizationId } = await clinic(receiver)
    await publish(3)
    await until(async () => (await almoner.listWebhookDeliveries({ filter: { state: 'succeeded' } })).total === 3)
    const tested = await almoner.testWebhook({ id: webhook.id })
    type Filter = NonNullable<NonNullable<Parameters<typeof almoner.listWebhookDeliveries>[0]>['filter']>
    const total = async (filter: Filter) => (await almoner.listWebhookDeliveries({ organizationId, filter })).total
    expect(await total({ kind: 'webhook.test' })).toBe(1)
    expect(await total({ kind: ['webhook.test', 'group.created'] })).toBe(4)
    expect(await total({ state: 'failed' })).toBe(0)
    expect(await total({ webhookId: v7() })).toBe(0)
    expect(await total({ webhookId: webhook.id, state: 'succeeded', kind: 'group.created' })).toBe(3)
    const page = await almoner.listWebhookDeliveries({ page: { limit: 2, offset: 0 } })
    expect([page.total, page.items[0]?.id]).toEqual([4, tested.id])
    const rest = await almoner.listWebhookDeliveries({ page: { limit: 2, offset: 2 } })
    const times = [...page.items, ...rest.items].map(({ createdAt, id }) => `${createdAt.toISOString()} ${id}`)
    expect(times).toEqual(times.toSorted().reverse())
    expect(page.items[0]).not.toHaveProperty('body')
  })

  test('is nobody else’s', async () => {
    const receiver = await startReceiver()
    const { publish, only } = await clinic(receiver)
    await publish()
    await until(async () => (await only()).state === 'succeeded')
    const { id } = await only()
    const { almoner } = await clinic(await startReceiver())
    await expect(almoner.getWebhookDelivery({ id })).rejects.toMatchObject({ status: 404 })
    await expect(almoner.resendWebhookDelivery({ id })).rejects.toMatchObject({ status: 404 })
    expect((await almoner.listWebhookDeliveries()).total).toBe(0)
    expect(receiver.received).toHaveLength(1)
  })

  test('is forgotten with its attempts when it is 30 days old', async () => {
    const receiver = await startReceiver()
    const { publish, deliveries, almoner } = await clinic(receiver)
    await publish(2)
    await until(async () => (await almoner.listWebhookDeliveries({ filter: { state: 'succeeded' } })).total === 2)
    const [older, newer] = await deliveries()
    const age = (id: string | undefined, days: string) =>
      sql`update webhook_deliveries set created_at = now() - ${days}::interval where id = ${id}`.execute(service.db)
    await age(older?.id, '30 days 1 minute')
    await age(newer?.id, '29 days 23 hours')
    await sql`select graphile_worker.add_job('webhook-housekeeping')`.execute(service.db)
    await until(async () => (await deliveries()).length === 1)
    expect((await deliveries())[0]?.id).toBe(newer?.id)
    const { rows } = await sql`select from webhook_attempts where delivery_id = ${older?.id}`.execute(service.db)
    expect(rows).toEqual([])
  })
})

test('neither what is received nor what is answered stands in the database in plain', async () => {
  const receiver = await startReceiver({ status: 200, headers: { 'x-echo': 'echoed-header' }, body: 'echoed-record' })
  const { almoner, webhook } = await clinic(receiver)
  await almoner.testWebhook({ id: webhook.id })
  const { rows } = await sql<{ row: string }>`select a::text as row from webhook_attempts a
    union all select d::text from webhook_deliveries d`.execute(service.db)
  const stored = rows.map(({ row }) => row).join()
  for (const secret of ['echoed-record', 'echoed-header', Buffer.from('echoed-record').toString('hex')])
    expect(stored).not.toContain(secret)
})
