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
