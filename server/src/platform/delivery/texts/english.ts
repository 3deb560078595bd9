import { duration, fitted, type Language } from './wording.ts'

const tag = 'en-US'

const ALL_IS_WELL = 'If that was you, all is well and there is nothing more to do.'
const TELL_THEM =
  'If it was not you, please tell the people who manage your account right away, so that they can keep it safe.'

export const english: Language = {
  tag,
  copyLink: 'Or copy this address into your browser:',
  signature: 'Warm regards from Almoner',
  wordings: {
    invitation({ organization, firstName, link, days }) {
      const time = duration(tag, 'day', days)
      return {
        subject: `${organization} has invited you to Almoner`,
        greeting: `Hello ${firstName},`,
        before: [
          `${organization} has invited you to Almoner, where people and their care teams keep in touch.`,
          `Choose a password to open your account. The link works for ${time}.`,
        ],
        action: { label: 'Open my account', link },
        after: [
          `If the link no longer works, ${organization} can send you a new one.`,
          'If you were not expecting this, there is nothing you need to do: no account is opened without you.',
        ],
        sms: fitted(
          organization,
          (name) => `${name} has invited you to Almoner. Open your account within ${time}: ${link}`,
        ),
      }
    },
    'password-reset'({ firstName, link, minutes }) {
      const time = duration(tag, 'minute', minutes)
      return {
        subject: 'Choose a new password',
        greeting: `Hello ${firstName},`,
        before: [
          'We received a request for a new password for your account.',
          `You can choose one now. The link works for ${time}.`,
        ],
        action: { label: 'Choose a new password', link },
        after: [
          'If you did not ask for this, there is nothing you need to do: your password stays as it is.',
          'Please do not pass this message on. Whoever has the link can set your password.',
        ],
        sms: `Almoner: choose a new password within ${time}: ${link} Not you? Just ignore this.`,
      }
    },
    'mfa-code'({ firstName, code, minutes }) {
      const time = duration(tag, 'minute', minutes)
      return {
        subject: 'Your Almoner code',
        greeting: `Hello ${firstName},`,
        before: [`Here is your code. It works for ${time}.`],
        code,
        after: [
          'It is for you alone. We will never ask you for it, by phone or by message.',
          'If you did not ask for a code, someone else may know your password. Please change it soon.',
        ],
        sms: `Almoner: ${code} is your code. It works for ${time} and is for you alone. If you did not ask for it, please change your password.`,
      }
    },
    'password-changed': ({ firstName }) => ({
      subject: 'Your password was changed',
      greeting: `Hello ${firstName},`,
      before: ['The password of your account was just changed.', ALL_IS_WELL],
      after: [TELL_THEM],
      sms: 'Almoner: your password was changed. Not you? Please tell the people who manage your account right away.',
    }),
    'second-factor-on': ({ firstName }) => ({
      subject: 'Your account now asks for a code',
      greeting: `Hello ${firstName},`,
      before: ['From now on, signing in to your account needs a code from your authenticator app.', ALL_IS_WELL],
      after: [TELL_THEM],
      sms: 'Almoner: signing in now needs a code from your app. Not you? Please tell the people who manage your account right away.',
    }),
    'second-factor-off': ({ firstName }) => ({
      subject: 'Your account no longer asks for a code',
      greeting: `Hello ${firstName},`,
      before: ['Signing in to your account no longer needs a code from an authenticator app.', ALL_IS_WELL],
      after: [TELL_THEM],
      sms: 'Almoner: signing in no longer needs a code. Not you? Please tell the people who manage your account right away.',
    }),
    'webhook-failing': ({ firstName, organization, host }) => ({
      subject: 'A webhook has stopped',
      greeting: `Hello ${firstName},`,
      before: [
        `For a day, nothing that ${organization} sends to ${host} has arrived. That webhook is now disabled.`,
        'What happens from now on is not sent there, and what was waiting is not sent either.',
      ],
      after: [
        'The webhook and its deliveries say what went wrong. Once that is mended, please enable it again.',
        'Deliveries of the last 30 days can be sent again one by one.',
      ],
      sms: fitted(host, (name) => `Almoner: a webhook to ${name} failed for a day and is now disabled.`),
    }),
    'webhook-gone': ({ firstName, organization, host }) => ({
      subject: 'A webhook has ended',
      greeting: `Hello ${firstName},`,
      before: [
        `${host} has answered that it is gone and wants no more of what ${organization} sends there. That webhook is now disabled.`,
      ],
      after: [
        'If that is right, you can delete the webhook. If not, please ask whoever runs the receiver, and enable it again.',
      ],
      sms: fitted(host, (name) => `Almoner: ${name} is gone. The webhook that leads there is now disabled.`),
    }),
  },
}
