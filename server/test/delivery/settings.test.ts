import { expect, test } from 'vitest'
import { readSettings } from '../../src/platform/config/settings.ts'

const sms = {
  SMS_GATEWAY_URL: 'https://sms.example',
  SMS_ACCOUNT: 'AC0123',
  SMS_TOKEN: 'sesame',
  SMS_FROM: '+15550100',
}

test('nothing needs to be set up for messages', () => {
  expect(readSettings({})).toMatchObject({ smtpUrl: undefined, smsGatewayUrl: undefined })
})

test('the settings of the SMS gateway go together', () => {
  expect(readSettings(sms)).toMatchObject({ smsGatewayUrl: 'https://sms.example', smsFrom: '+15550100' })
  for (const name of Object.keys(sms))
    expect(() => readSettings({ ...sms, [name]: '' })).toThrow(
      '- SMS_GATEWAY_URL, SMS_ACCOUNT, SMS_TOKEN and SMS_FROM go together: set all or none.',
    )
})

test('the mail server is an SMTP address', () => {
  expect(readSettings({ SMTP_URL: 'smtps://name:secret@mail.example' }).smtpUrl).toContain('mail.example')
  expect(() => readSettings({ SMTP_URL: 'https://mail.example' })).toThrow('SMTP_URL must be an address beginning with')
})

test.each(['care@example.org', 'Riverside Clinic <care@example.org>', '<care@example.org>'])('%s may send', (from) => {
  expect(readSettings({ MAIL_FROM: from }).mailFrom).toBe(from)
})

test.each(['Almoner', 'a@b@c', 'Almoner <care@example.org', 'A\r\nBcc: x <care@example.org>', 'a b@example.org'])(
  '%j is nobody to send from',
  (from) => {
    expect(() => readSettings({ MAIL_FROM: from })).toThrow('MAIL_FROM must be')
  },
)
