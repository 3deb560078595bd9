import { expect, test } from 'vitest'
import { Refusal } from '../../src/platform/delivery/gateway.ts'
import { createTexter } from '../../src/platform/delivery/sms.ts'
import { type SmsGateway, startSmsGateway } from '../support/sms-gateway.ts'

const parcel = {
  id: '0199d3a0-1111-7000-8000-000000000001',
  recipient: '+15550123',
  subject: null,
  text: 'Your code & more: 123456 ¿sí? 100%',
}

async function setUp(answer?: SmsGateway['answer'], timeoutMs?: number) {
  const gateway = await startSmsGateway()
  if (answer) gateway.answer = answer
  const texter = createTexter(gateway.settings, timeoutMs)
  if (!texter) throw new Error('There should be a texter.')
  return { gateway, texter }
}

test('without a gateway there is no texter', () => {
  const nothing = { smsGatewayUrl: undefined, smsAccount: undefined, smsToken: undefined, smsFrom: undefined }
  expect(createTexter(nothing)).toBeUndefined()
})

test('an SMS arrives as a form, with the account signed in', async () => {
  const { gateway, texter } = await setUp()
  await texter.send(parcel)
  expect(gateway.requests).toEqual([
    {
      method: 'POST',
      path: '/2010-04-01/Accounts/AC0123/Messages.json',
      authorization: `Basic ${Buffer.from('AC0123:sesame').toString('base64')}`,
      contentType: 'application/x-www-form-urlencoded;charset=UTF-8',
      form: { To: '+15550123', From: '+15550100', Body: parcel.text },
    },
  ])
})

test('the gateway may live under a path, with or without a slash', async () => {
  const { gateway } = await setUp()
  for (const ending of ['/sms', '/sms/']) {
    const settings = { ...gateway.settings, smsGatewayUrl: gateway.settings.smsGatewayUrl + ending }
    await createTexter(settings)?.send(parcel)
  }
  expect(gateway.requests.map(({ path }) => path)).toEqual(
    Array(2).fill('/sms/2010-04-01/Accounts/AC0123/Messages.json'),
  )
})

test.each([
  [
    { status: 400, body: { code: 21211, message: "The 'To' number is not valid." } },
    "400 The 'To' number is not valid.",
  ],
  [{ status: 422, body: '<h1>No</h1>' }, '422'],
  [{ status: 404, body: 'null' }, '404'],
])('%j is a final refusal', async (answer, reason) => {
  const { texter } = await setUp(answer)
  const sending = texter.send(parcel)
  await expect(sending).rejects.toBeInstanceOf(Refusal)
  await expect(sending).rejects.toHaveProperty('message', reason)
})

test.each<[SmsGateway['answer']]>([
  [{ status: 429, body: { message: 'Too many requests' } }],
  [{ status: 401, body: { message: 'Authenticate' } }],
  [{ status: 403, body: '<h1>Forbidden</h1>' }],
  [{ status: 500 }],
  [{ status: 503, body: 'down' }],
  [{ status: 307, location: 'https://elsewhere.example/' }],
  ['hang up'],
])('%j is not final', async (answer) => {
  const { gateway, texter } = await setUp(answer)
  await expect(texter.send(parcel)).rejects.not.toBeInstanceOf(Refusal)
  expect(gateway.requests).toHaveLength(1)
})

test('a gateway that says nothing is not waited for without end', async () => {
  const { texter } = await setUp('silence', 200)
  await expect(texter.send(parcel)).rejects.toThrow('timeout')
})
