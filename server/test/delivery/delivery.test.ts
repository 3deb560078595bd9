import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { Secrets } from '../../src/platform/auth/secrets.ts'
import { createLog } from '../../src/platform/config/log.ts'
import { connectPool, type Database, database } from '../../src/platform/db/database.ts'
import { deliverMessage, MAXIMUM_ATTEMPTS, type Outcomes } from '../../src/platform/delivery/deliver.ts'
import { createMailer } from '../../src/platform/delivery/mail.ts'
import { Outbox, type OutgoingMessage } from '../../src/platform/delivery/outbox.ts'
import { createTexter } from '../../src/platform/delivery/sms.ts'
import { Queue, startWorker } from '../../src/platform/queue/queue.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeDatabase } from '../support/database.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { type SmsGateway, startSmsGateway } from '../support/sms-gateway.ts'

interface Parts {
  mail?: MailServer
  sms?: SmsGateway
  outcome?: Outcomes[string]
}

const LINK = 'https://care.example/invitation/one-time-token'

const invitation: OutgoingMessage = {
  channel: 'email',
  organizationId: '0199d3a0-1111-7000-8000-000000000001',
  individualId: '0199d3a0-1111-7000-8000-000000000002',
  purpose: 'invitation',
  recipient: 'ada@example.org',
  subject: 'Riverside Clinic has invited you',
  text: `Hello Ada, open your account: ${LINK}`,
  html: `<p>Hello Ada</p><a href="${LINK}">Open your account</a>`,
}

const code: OutgoingMessage = { channel: 'sms', purpose: 'mfa-code', recipient: '+15550123', text: 'Code: 402913' }

async function setUp({ mail, sms, outcome }: Parts) {
  const { url } = await makeDatabase()
  const logged: string[] = []
  const log = createLog('trace', { write: (line: string) => void logged.push(line) })
  const pool = connectPool({ url, poolSize: 8, statementTimeoutMs: 5000, log })
  cleanUp(() => pool.end())
  const db = database(pool)
  const secrets = new Secrets(randomBytes(32))
  const outbox = new Outbox(secrets)
  const delivery = deliverMessage({
    mailer: createMailer({ smtpUrl: mail?.url, mailFrom: 'Almoner <no-reply@almoner.example>' }),
    texter: sms && createTexter(sms.settings),
    secrets,
    outcomes: outcome ? { invitation: outcome } : {},
  })
  const worker = await startWorker({ pool, db, tasks: [delivery], log })
  cleanUp(() => worker.stop())
  return {
    db,
    logged,
    post: (message: OutgoingMessage, on: Database = db) => outbox.post(on, new Queue(on), message, new Date()),
    message: (id: string) =>
      db.selectFrom('outboundMessages').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    jobs: async () =>
      (await sql<{ lastError: string | null }>`select last_error from graphile_worker.jobs`.execute(db)).rows,
    /** The queue's delay is not waited for. */
    hurry: async () => {
      await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(db)
      await sql`select pg_notify('jobs:insert', '{"count":1}')`.execute(db)
    },
  }
}

type Setting = Awaited<ReturnType<typeof setUp>>

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await condition()) && waited < 15_000; waited += 20) await sleep(20)
  expect(await condition()).toBe(true)
}

const untilDone = ({ jobs }: Setting) => until(async () => (await jobs()).length === 0)

/** Until the given attempt has failed and waits in the queue for the next. */
const untilFailed = ({ message, jobs }: Setting, id: string, attempt: number) =>
  until(async () => {
    const { attempts, error } = await message(id)
    return (
      attempts === attempt && error !== null && Boolean((await jobs())[0]?.lastError?.startsWith(`Attempt ${attempt} `))
    )
  })

test('a mail goes out with both its parts', async () => {
  const mail = await startMailServer()
  const setting = await setUp({ mail })
  const id = await setting.post(invitation)
  await untilDone(setting)
  expect(mail.mails).toHaveLength(1)
  expect(mail.mails[0]).toMatchObject({
    subject: invitation.subject,
    messageId: `<${id}@almoner.example>`,
    to: [{ address: invitation.recipient }],
  })
  expect(mail.mails[0]?.text).toContain(LINK)
  expect(mail.mails[0]?.html).toContain(`<a href="${LINK}">`)
  const { createdAt, sentAt, ...row } = await setting.message(id)
  expect(row).toEqual({
    id,
    organizationId: invitation.organizationId,
    individualId: invitation.individualId,
    channel: 'email',
    purpose: 'invitation',
    recipient: invitation.recipient,
    subject: invitation.subject,
    body: null,
    status: 'sent',
    attempts: 1,
    error: null,
  })
  expect(sentAt?.getTime()).toBeGreaterThanOrEqual(createdAt.getTime() - 1000)
})

test('an SMS goes out', async () => {
  const sms = await startSmsGateway()
  const setting = await setUp({ sms })
  const id = await setting.post(code)
  await untilDone(setting)
  expect(sms.requests.map(({ form }) => form)).toEqual([{ To: '+15550123', From: '+15550100', Body: 'Code: 402913' }])
  expect(await setting.message(id)).toMatchObject({ status: 'sent', subject: null, body: null, organizationId: null })
})

test('nothing goes out of a transaction that is rolled back', async () => {
  const mail = await startMailServer()
  const setting = await setUp({ mail })
  const rolledBack = setting.db.transaction().execute(async (trx) => {
    await setting.post(invitation, trx)
    throw new Error('changed my mind')
  })
  await expect(rolledBack).rejects.toThrow('changed my mind')
  await setting.db.transaction().execute((trx) => setting.post({ ...invitation, recipient: 'eve@example.org' }, trx))
  await untilDone(setting)
  expect(mail.asked).toEqual(['eve@example.org'])
  expect(await setting.db.selectFrom('outboundMessages').select('recipient').execute()).toHaveLength(1)
})

test('while it waits, a message is unreadable in the database', async () => {
  const setting = await setUp({})
  const id = await setting.post(invitation)
  await untilDone(setting)
  const { body } = await setting.message(id)
  expect(body?.length).toBeGreaterThan(50)
  const stored = await sql<{
    row: string
  }>`select m::text || encode(body, 'escape') as row from outbound_messages m`.execute(setting.db)
  for (const secret of [LINK, 'one-time-token', 'Hello Ada']) expect(stored.rows[0]?.row).not.toContain(secret)
})

test('without a gateway for its channel a message lies in the outbox, and nothing fails', async () => {
  const sms = await startSmsGateway()
  const setting = await setUp({ sms })
  const id = await setting.post(invitation)
  await setting.post(code)
  await untilDone(setting)
  expect(await setting.message(id)).toMatchObject({ status: 'created', attempts: 0, error: null })
  expect(setting.logged.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([])
  expect(sms.requests).toHaveLength(1)
})

test('what fails for a while is sent once in the end', async () => {
  const told: string[] = []
  const mail = await startMailServer()
  const setting = await setUp({ mail, outcome: async (_, { id }, outcome) => void told.push(`${outcome} ${id}`) })
  mail.behaviour = 451
  const id = await setting.post(invitation)
  await untilFailed(setting, id, 1)
  expect(await setting.message(id)).toMatchObject({ status: 'created', attempts: 1, sentAt: null })
  expect((await setting.message(id)).error).toContain('451')
  mail.behaviour = 'hang up'
  await setting.hurry()
  await untilFailed(setting, id, 2)
  mail.behaviour = 'take'
  await setting.hurry()
  await untilDone(setting)
  expect(mail.mails.map(({ messageId }) => messageId)).toEqual([`<${id}@almoner.example>`])
  expect(await setting.message(id)).toMatchObject({ status: 'sent', attempts: 3, error: null, body: null })
  expect(told).toEqual([`sent ${id}`])
})

test('an SMS that the gateway is too busy for is sent later', async () => {
  const sms = await startSmsGateway()
  const setting = await setUp({ sms })
  sms.answer = { status: 429, body: { message: 'Too many requests' } }
  const id = await setting.post(code)
  await untilFailed(setting, id, 1)
  expect((await setting.message(id)).error).toBe('429 Too many requests')
  sms.answer = 'hang up'
  await setting.hurry()
  await untilFailed(setting, id, 2)
  expect((await setting.message(id)).error).toMatch(/^fetch failed: ./)
  sms.answer = { status: 201 }
  await setting.hurry()
  await untilDone(setting)
  expect(await setting.message(id)).toMatchObject({ status: 'sent', attempts: 3 })
})

test('a final refusal fails at once, and the feature is told in the same transaction', async () => {
  const mail = await startMailServer()
  const sms = await startSmsGateway()
  const told: unknown[] = []
  const setting = await setUp({
    mail,
    sms,
    outcome: async (db, message, outcome) => {
      const { status } = await db
        .selectFrom('outboundMessages')
        .select('status')
        .where('id', '=', message.id)
        .executeTakeFirstOrThrow()
      told.push({ ...message, outcome, status, isTransaction: db.isTransaction })
    },
  })
  mail.behaviour = 550
  sms.answer = { status: 400, body: { message: `Not a number\0: ${'x'.repeat(5000)}` } }
  const id = await setting.post(invitation)
  const smsId = await setting.post(code)
  await untilDone(setting)
  expect(await setting.message(id)).toMatchObject({ status: 'failed', attempts: 1, body: null, sentAt: null })
  expect((await setting.message(id)).error).toContain('550 <ada@example.org> is not taken')
  expect(await setting.message(smsId)).toMatchObject({ status: 'failed', attempts: 1 })
  expect((await setting.message(smsId)).error).toMatch(/^400 Not a number: x{900,985}$/)
  const { individualId, organizationId } = invitation
  const about = { id, individualId, organizationId, channel: 'email', purpose: 'invitation' }
  expect(told).toEqual([{ ...about, outcome: 'failed', status: 'failed', isTransaction: true }])
})

test(`after ${MAXIMUM_ATTEMPTS} attempts a message is given up`, async () => {
  const mail = await startMailServer()
  const told: string[] = []
  const setting = await setUp({ mail, outcome: async (_, __, outcome) => void told.push(outcome) })
  mail.behaviour = 421
  const id = await setting.post(invitation)
  for (let attempt = 1; attempt < MAXIMUM_ATTEMPTS; attempt++) {
    await untilFailed(setting, id, attempt)
    expect(told).toEqual([])
    await setting.hurry()
  }
  await untilDone(setting)
  expect(await setting.message(id)).toMatchObject({ status: 'failed', attempts: MAXIMUM_ATTEMPTS, body: null })
  expect(mail.asked).toHaveLength(MAXIMUM_ATTEMPTS)
  expect(told).toEqual(['failed'])
})

test('a message whose sending could not be recorded is sent again, recognisably, and not for ever', async () => {
  const mail = await startMailServer()
  const told: string[] = []
  const setting = await setUp({
    mail,
    outcome: async (_, __, outcome) => {
      told.push(outcome)
      if (outcome === 'sent') throw new Error('not now')
    },
  })
  const id = await setting.post(invitation)
  for (let attempt = 1; attempt <= MAXIMUM_ATTEMPTS; attempt++) {
    await until(async () => told.length === attempt && (await setting.jobs())[0]?.lastError === 'not now')
    expect(await setting.message(id)).toMatchObject({ status: 'created', attempts: attempt, sentAt: null })
    await sql`update graphile_worker._private_jobs set last_error = null`.execute(setting.db)
    await setting.hurry()
  }
  await untilDone(setting)
  expect(await setting.message(id)).toMatchObject({ status: 'failed', error: 'No attempt came to an end.', body: null })
  expect(new Set(mail.mails.map(({ messageId }) => messageId))).toEqual(new Set([`<${id}@almoner.example>`]))
  expect(mail.mails).toHaveLength(MAXIMUM_ATTEMPTS)
})

test('a job for a message that was sent before does nothing', async () => {
  const mail = await startMailServer()
  const setting = await setUp({ mail })
  const id = await setting.post(invitation)
  await untilDone(setting)
  await sql`select graphile_worker.add_job('deliver-message', ${JSON.stringify({ id })}::json)`.execute(setting.db)
  await untilDone(setting)
  expect(mail.mails).toHaveLength(1)
})

test('neither the log nor the queue names a recipient or holds a text', async () => {
  const mail = await startMailServer()
  const setting = await setUp({ mail })
  mail.behaviour = 451
  const id = await setting.post(invitation)
  await untilFailed(setting, id, 1)
  expect((await setting.message(id)).error).toContain(invitation.recipient)
  const queued = await sql`select * from graphile_worker._private_jobs`.execute(setting.db)
  mail.behaviour = 550
  await setting.hurry()
  await untilDone(setting)
  const told = JSON.stringify([queued.rows, setting.logged])
  expect(told).toContain(id)
  expect(told).toContain('a message could not be delivered')
  for (const secret of [invitation.recipient, 'Ada', LINK, invitation.subject]) expect(told).not.toContain(secret)
})
