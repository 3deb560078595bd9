// What identity sends to people: invitations, links that reset a password, notices.

import { newToken } from '../../platform/auth/tokens.ts'
import type { Database } from '../../platform/db/database.ts'
import { render } from '../../platform/delivery/texts/render.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { job, Queue, task } from '../../platform/queue/queue.ts'
import { countLinksSince, insertLink, spendLinks } from './queries/links.ts'
import { organizationIdsOf } from './queries/organizations.ts'
import { type Account, changeUser, findAccountByUsername } from './queries/users.ts'
import type { IdentityServices } from './services.ts'

type Sending = Pick<IdentityServices, 'outbox' | 'publicUrl'>
type Channel = 'email' | 'sms'

const INVITATION_HOURS = 7 * 24
const RESET_MINUTES = 30
const MOST_RESETS_AN_HOUR = 5

const contactOf = (account: Account, channel: Channel) => (channel === 'email' ? account.email : account.mobilePhone)

/** Sends a link by each of the ways; links sent before stop working. */
export async function sendInvitation(
  { outbox, publicUrl }: Sending,
  db: Database,
  queue: Queue,
  account: Account,
  { organization, channels }: { organization: { id: string; name: string }; channels: Channel[] },
  now: Date,
): Promise<void> {
  await spendLinks(db, 'invitation', account.id, now)
  for (const channel of new Set(channels)) {
    const recipient = contactOf(account, channel)
    if (!recipient) throw new Problem('NoContact', { channel })
    const token = newToken()
    const expiresAt = new Date(now.getTime() + INVITATION_HOURS * 3_600_000)
    await insertLink(db, { token, purpose: 'invitation', userId: account.id, channel, expiresAt }, now)
    const link = new URL(`/register?token=${token}`, publicUrl).href
    const { firstName, locale, individualId } = account
    const { subject, text, html, sms } = render('invitation', locale, {
      organization: organization.name,
      firstName,
      link,
      hours: INVITATION_HOURS,
    })
    const common = { purpose: 'invitation', recipient, individualId, organizationId: organization.id }
    await outbox.post(
      db,
      queue,
      channel === 'email' ? { channel, ...common, subject, text, html } : { channel, ...common, text: sms },
      now,
    )
  }
  await changeUser(db, account.id, { registrationInvite: 'sent' })
}

/** When an invitation could not be delivered, its user shows it. */
export async function invitationFailed(db: Database, individualId: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ registrationInvite: 'failed' })
    .where('individualId', '=', individualId)
    .where('registrationInvite', '=', 'sent')
    .execute()
}

export const passwordResetRequested = job<{ username: string }>('password-reset-requested')

export const sendPasswordResetTask = (services: Sending) =>
  task<{ username: string }>({
    ...passwordResetRequested,
    run: ({ username }, { db, now }) =>
      db.transaction().execute((trx) => sendPasswordReset(services, trx, username, now)),
  })

async function sendPasswordReset(
  { outbox, publicUrl }: Sending,
  db: Database,
  username: string,
  now: Date,
): Promise<void> {
  const account = await findAccountByUsername(db, username)
  if (!account || (account.state !== 'registered' && account.state !== 'force_reset_password')) return
  const recent = await countLinksSince(db, 'password-reset', account.id, new Date(now.getTime() - 3_600_000))
  if (recent >= MOST_RESETS_AN_HOUR) return
  const channel = account.email ? 'email' : 'sms'
  const recipient = contactOf(account, channel)
  if (!recipient) return
  const token = newToken()
  await spendLinks(db, 'password-reset', account.id, now)
  const expiresAt = new Date(now.getTime() + RESET_MINUTES * 60_000)
  await insertLink(db, { token, purpose: 'password-reset', userId: account.id, channel, expiresAt }, now)
  const link = new URL(`/reset-password?token=${token}`, publicUrl).href
  const { firstName, locale, individualId } = account
  const { subject, text, html, sms } = render('password-reset', locale, { firstName, link, minutes: RESET_MINUTES })
  const common = { purpose: 'password-reset', recipient, individualId }
  await outbox.post(
    db,
    new Queue(db),
    channel === 'email' ? { channel, ...common, subject, text, html } : { channel, ...common, text: sms },
    now,
  )
}

type Notice = 'password-changed' | 'second-factor-on' | 'second-factor-off'

/** Tells someone of a change to their account, in case it was not they who made it. */
export async function sendNotice(
  { outbox }: Pick<Sending, 'outbox'>,
  db: Database,
  queue: Queue,
  account: Account,
  notice: Notice,
  now: Date,
): Promise<void> {
  const { email, firstName, locale, individualId } = account
  if (!email) return
  const [organizationId] = await organizationIdsOf(db, account.id)
  const { subject, text, html } = render(notice, locale, { firstName })
  const message = { channel: 'email', purpose: notice, recipient: email, subject, text, html, individualId } as const
  await outbox.post(db, queue, organizationId ? { ...message, organizationId } : message, now)
}
