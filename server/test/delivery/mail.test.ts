import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { Refusal } from '../../src/platform/delivery/gateway.ts'
import { createMailer } from '../../src/platform/delivery/mail.ts'
import { startMailServer } from '../support/mail-server.ts'

const parcel = {
  id: '0199d3a0-1111-7000-8000-000000000001',
  recipient: 'ada@example.org',
  subject: 'Elija una contraseña nueva',
  text: 'Hola, Ada:\n\nsu enlace: https://care.example/abc',
  html: '<p>Hola, <b>Ada</b></p>',
}

async function setUp(mailFrom = 'Riverside Clinic <no-reply@riverside.example>') {
  const server = await startMailServer()
  const mailer = createMailer({ smtpUrl: server.url, mailFrom })
  if (!mailer) throw new Error('There should be a mailer.')
  return { server, mailer }
}

test('without a mail server there is no mailer', () => {
  expect(createMailer({ smtpUrl: undefined, mailFrom: 'a@example.org' })).toBeUndefined()
})

test('a mail arrives with both its parts and the right headers', async () => {
  const { server, mailer } = await setUp()
  await mailer.send(parcel)
  const [mail] = server.mails
  expect(server.mails).toHaveLength(1)
  expect(mail).toMatchObject({
    envelope: { from: 'no-reply@riverside.example', to: ['ada@example.org'] },
    from: { name: 'Riverside Clinic', address: 'no-reply@riverside.example' },
    to: [{ name: '', address: 'ada@example.org' }],
    subject: parcel.subject,
    messageId: `<${parcel.id}@riverside.example>`,
    attachments: [],
  })
  expect(mail?.text?.trim()).toBe(parcel.text)
  expect(mail?.html?.trim()).toBe(parcel.html)
  expect(mail?.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }))
  expect(mail?.raw).toContain('multipart/alternative')
})

test('a sender without a name gives its domain to the Message-ID as well', async () => {
  const { server, mailer } = await setUp('care@riverside.example')
  await mailer.send(parcel)
  expect(server.mails[0]?.messageId).toBe(`<${parcel.id}@riverside.example>`)
})

test('line breaks in a subject do not make headers', async () => {
  const { server, mailer } = await setUp()
  await mailer.send({ ...parcel, subject: 'Hello\r\nBcc: eve@example.org\r\n\r\nAnother body' })
  const [mail] = server.mails
  expect(mail?.envelope.to).toEqual(['ada@example.org'])
  expect(mail?.bcc).toBeUndefined()
  expect(mail?.subject).toBe('Hello Bcc: eve@example.org  Another body')
  expect(mail?.text?.trim()).toBe(parcel.text)
})

test.each([
  'ada@example.org\r\nBcc: eve@example.org',
  'ada@example.org>\r\nRCPT TO:<eve@example.org',
  'ada@example.org, eve@example.org',
  'Ada <eve@example.org>',
  'group:eve@example.org;',
  'ada',
  '',
])('a recipient like %j is refused before anyone is asked', async (recipient) => {
  const { server, mailer } = await setUp()
  await expect(mailer.send({ ...parcel, recipient })).rejects.toBeInstanceOf(Refusal)
  expect(server.asked).toEqual([])
})

test('an address beyond ASCII is one too', async () => {
  const { server, mailer } = await setUp()
  await mailer.send({ ...parcel, recipient: 'ñandú@example.org' })
  expect(server.mails[0]?.envelope.to).toEqual(['ñandú@example.org'])
})

test('a reply of 5xx is a final refusal, in the words of the server', async () => {
  const { server, mailer } = await setUp()
  server.behaviour = 550
  const sending = mailer.send(parcel)
  await expect(sending).rejects.toBeInstanceOf(Refusal)
  await expect(sending).rejects.toThrow('550 <ada@example.org> is not taken')
})

test('a reply of 4xx, a broken connection and a server that is away are not final', async () => {
  const { server, mailer } = await setUp()
  for (const behaviour of [450, 'hang up'] as const) {
    server.behaviour = behaviour
    await expect(mailer.send(parcel)).rejects.not.toBeInstanceOf(Refusal)
  }
  const nobody = createMailer({ smtpUrl: `smtp://127.0.0.1:${await closedPort()}`, mailFrom: 'a@example.org' })
  await expect(nobody?.send(parcel)).rejects.not.toBeInstanceOf(Refusal)
  expect(server.mails).toEqual([])
})

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

test('a wrong password of ours is not held against the message', async () => {
  const server = await startMailServer()
  const url = new URL(server.url)
  url.password = 'wrong'
  const mailer = createMailer({ smtpUrl: url.href, mailFrom: 'care@riverside.example' })
  await expect(mailer?.send(parcel)).rejects.not.toBeInstanceOf(Refusal)
})
