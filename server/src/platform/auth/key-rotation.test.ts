import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestService } from '../../../test/support/service.ts'
import { encryptAnew } from './key-rotation.ts'
import { Secrets } from './secrets.ts'

test('what earlier keys encrypted is encrypted with the key of now, once', async () => {
  const { db } = await startTestService()
  const [old, current] = [randomBytes(32), randomBytes(32)]
  const message = {
    channel: 'email',
    purpose: 'test',
    recipient: 'a@example.org',
    subject: null,
    organizationId: null,
    individualId: null,
    createdAt: new Date(),
  } as const
  const insert = (secrets: Secrets, text: string) =>
    db
      .insertInto('outboundMessages')
      .values({ ...message, id: v7(), body: secrets.encrypt(text) })
      .execute()
  await insert(new Secrets(old), 'first')
  await insert(new Secrets(current), 'second')
  const rotating = new Secrets(current, [old])
  expect(await encryptAnew(db, rotating)).toMatchObject({ 'outbound_messages.body': 1 })
  expect(await encryptAnew(db, rotating)).toMatchObject({ 'outbound_messages.body': 0 })
  const rows = await db.selectFrom('outboundMessages').select('body').execute()
  const afterwards = new Secrets(current)
  expect(rows.map(({ body }) => body && afterwards.decrypt(body)).toSorted()).toEqual(['first', 'second'])
})

test('however many values there are, all of them are encrypted anew', async () => {
  const { db } = await startTestService()
  const [old, current] = [randomBytes(32), randomBytes(32)]
  const before = new Secrets(old)
  const [organizationId, webhookId, id, createdAt] = [v7(), v7(), v7(), new Date()]
  await db.insertInto('organizations').values({ id: organizationId, name: 'Clinic', createdAt }).execute()
  const webhook = { id: webhookId, organizationId, url: 'https://example.org/', description: '', kinds: [] }
  await db
    .insertInto('webhooks')
    .values({
      ...webhook,
      enabled: true,
      disabledAt: null,
      disabledReason: null,
      createdBy: v7(),
      createdAt,
      secret: before.encrypt('whsec_new'),
      previousSecret: before.encrypt('whsec_old'),
      previousSecretUntil: createdAt,
    })
    .execute()
  const delivery = { id, organizationId, webhookId, eventId: v7(), kind: 'webhook.test', state: 'failed' } as const
  await db
    .insertInto('webhookDeliveries')
    .values({ ...delivery, dueAt: null, createdAt, finishedAt: createdAt })
    .execute()
  const attempts = Array.from({ length: 2500 }, (_, number) => ({
    deliveryId: id,
    number,
    attemptedAt: createdAt,
    durationMs: null,
    requestHeaders: null,
    responseStatus: null,
    response: before.encrypt(`answer ${number}`),
    error: null,
  }))
  await db.insertInto('webhookAttempts').values(attempts).execute()
  const counts = { 'webhooks.secret': 1, 'webhooks.previous_secret': 1, 'webhook_attempts.response': 2500 }
  expect(await encryptAnew(db, new Secrets(current, [old]))).toMatchObject(counts)
  const after = new Secrets(current)
  const rows = await db.selectFrom('webhookAttempts').select(['number', 'response']).execute()
  for (const { number, response } of rows) expect(response && after.decrypt(response)).toBe(`answer ${number}`)
  const { secret } = await db.selectFrom('webhooks').select('secret').executeTakeFirstOrThrow()
  expect(after.decrypt(secret)).toBe('whsec_new')
})
