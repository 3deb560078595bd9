import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { type Person, until } from '../support/service.ts'
import { type SmsGateway, startSmsGateway } from '../support/sms-gateway.ts'
import { type Clinic, choose, givePhone, makeClinic } from './clinic.ts'

let clinic: Clinic
let mail: MailServer
let sms: SmsGateway

beforeAll(async () => {
  mail = await startMailServer()
  sms = await startSmsGateway()
  const { smsGatewayUrl, smsAccount, smsToken, smsFrom } = sms.settings
  clinic = await makeClinic({
    role: 'all',
    environment: {
      SMTP_URL: mail.url,
      SMS_GATEWAY_URL: smsGatewayUrl,
      SMS_ACCOUNT: smsAccount,
      SMS_TOKEN: smsToken,
      SMS_FROM: smsFrom,
    },
  })
})

const mailsTo = ({ username }: Person) => mail.mails.filter(({ envelope }) => envelope.to.includes(username))
const textsTo = (phone: string) => sms.requests.filter(({ form }) => form.To === phone).map(({ form }) => form.Body)
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)

/** Until the queue has nothing to do at once. */
const untilDone = () =>
  until(async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from graphile_worker.jobs
      where task_identifier in ('send-notifications', 'deliver-message')`.execute(clinic.service.db)
    return rows[0]?.count === 0
  })

test('what is critical comes at once by mail and as a text, in the language of the person', async () => {
  const person = await clinic.provider()
  const phone = await givePhone(clinic.service, person)
  await clinic.service.db
    .updateTable('individuals')
    .set({ locale: 'es_US' })
    .where('id', '=', person.individualId)
    .execute()
  await clinic.tell([clinic.notice([person], { severity: 'critical', path: '/alerts/17' })])
  await until(() => mailsTo(person).length === 1 && textsTo(phone).length === 1)
  expect(textsTo(phone)).toEqual(['1 alerta critica en Riverside Clinic. Entre en https://care.example/alerts/17'])
  const [received] = mailsTo(person)
  expect(received).toMatchObject({ subject: '1 alerta crítica en Riverside Clinic' })
  expect(received?.text).toContain('Hola, Ada:')
  expect(received?.html).toContain('href="https://care.example/alerts/17"')
  expect(`${received?.text} ${received?.html}`).not.toMatch(/Rosa|131|Pulso/)
  await untilDone()
  expect([mailsTo(person).length, textsTo(phone).length]).toEqual([1, 1])
})

test('a storm of 200 at once, sent by several workers, is a handful of mails and texts that leave nothing out', async () => {
  const person = await clinic.provider()
  const phone = await givePhone(clinic.service, person)
  const alerts = Array.from({ length: 200 }, () => clinic.notice([person], { severity: 'critical' }))
  await Promise.all(
    Array.from({ length: 4 }, async (_, side) => {
      for (const alert of alerts.filter((__, at) => at % 4 === side)) await clinic.tell([alert])
      // Besides the service's own worker.
      await clinic.send(new Date())
    }),
  )
  await untilDone()
  expect([mailsTo(person).length, textsTo(phone).length]).toEqual([5, 5])
  await Promise.all([clinic.send(inMinutes(11)), clinic.send(inMinutes(11)), clinic.send(inMinutes(11))])
  await untilDone()
  const counts = (subjects: (string | undefined)[]) =>
    subjects.map((subject) => Number(/^\d+/.exec(subject ?? '')?.[0])).toSorted((a, b) => a - b)
  expect(counts(mailsTo(person).map(({ subject }) => subject))).toEqual([1, 1, 1, 1, 1, 195])
  expect(counts(textsTo(phone))).toEqual([1, 1, 1, 1, 1, 195])
  expect(textsTo(phone).at(-1)).toBe('195 critical alerts at Riverside Clinic. Sign in: https://care.example/')
  expect(mailsTo(person).at(-1)?.text).toContain('- and 175 more')
  expect((await person.almoner.countUnreadNotifications()).count).toBe(200)
}, 30_000)

test('a worker that dies in the middle of sending leaves nothing half done, and the next one sends it once', async () => {
  const { db } = clinic.service
  const person = await clinic.provider()
  await choose(person, { digest: 'hourly' })
  await clinic.tell([clinic.notice([person]), clinic.notice([person])])
  const rows = () =>
    db.selectFrom('notificationDeliveries').select('sentAt').where('recipientId', '=', person.individualId)
  await db.transaction().execute(async (trx) => {
    // Keeps the worker waiting after it has posted the message, before it can mark the notices as sent.
    await sql`select from notification_deliveries where recipient_id = ${person.individualId} for update`.execute(trx)
    const dying = clinic.send(inMinutes(61), [person.individualId])
    await until(async () => {
      const { rows: ended } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%deliveries%'`.execute(db)
      return ended.length > 0
    })
    await dying
  })
  expect(await rows().execute()).toEqual([{ sentAt: null }, { sentAt: null }])
  expect(await clinic.sentTo(person)).toEqual([])
  await clinic.send(inMinutes(61), [person.individualId])
  await untilDone()
  expect(mailsTo(person).map(({ subject }) => subject)).toEqual(['2 alerts at Riverside Clinic'])
})
