// What identity sends to people: invitations, links that reset a password, notices.

import { sql } from 'kysely'
import { newToken } from '../../platform/auth/tokens.ts'
import type { Database } from '../../platform/db/database.ts'
import { type RenderedText, render } from '../../platform/delivery/texts/render.ts'
import type { TextValues } from '../../platform/delivery/texts/wording.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { job, Queue, task } from '../../platform/queue/queue.ts'
import { countLinksSince, insertLink, spendLinks } from './queries/links.ts'
import { findOrganization, organizationIdsOf } from './queries/organizations.ts'
import { type Account, administratorsOf, changeUser, findAccountByUsername, lockAccount } from './queries/users.ts'
import type { IdentityServices } from './services.ts'

type Sending = Pick<IdentityServices, 'outbox' | 'publicUrl'>
type Channel = 'email' | 'sms'

const INVITATION_DAYS = 7
const RESET_MINUTES = 30
const HOUR_MS = 3_600_000
/** Links to one person: messages cost money and patience. */
const MOST_AN_HOUR = 10
const MOST_RESETS_AN_HOUR = 5

/** What of a text goes by mail, and what by SMS. */
export const inForm = (channel: Channel, { subject, text, html, sms }: RenderedText) =>
  channel === 'email' ? { channel, subject, text, html } : { channel, text: sms }

const contactOf = (account: Account, channel: Channel) => (channel === 'email' ? account.email : account.mobilePhone)

/** Where someone is known to be reached. An address that nobody verified may be anyone's. */
export function verifiedContact(account: Account): { channel: Channel; recipient: string } | null {
  const { email, emailVerified, mobilePhone, phoneVerified } = account
  if (email && emailVerified) return { channel: 'email', recipient: email }
  if (mobilePhone && phoneVerified) return { channel: 'sms', recipient: mobilePhone }
  return null
}

/** Sends a link by each of the ways; links sent before stop working. */
export async function sendInvitation(
  { outbox, publicUrl }: Sending,
  db: Database,
  queue: Queue,
  account: Account,
  { organization, channels }: { organization: { id: string; name: string }; channels: Channel[] },
  now: Date,
): Promise<void> {
  const recent = await countLinksSince(db, 'invitation', account.id, new Date(now.getTime() - HOUR_MS))
  if (recent >= MOST_AN_HOUR) throw new Problem('TooManyMessages', { seconds: HOUR_MS / 1000 })
  await spendLinks(db, 'invitation', account.id, now)
  for (const channel of new Set(channels)) {
    const recipient = contactOf(account, channel)
    if (!recipient) throw new Problem('NoContact', { channel })
    const token = newToken()
    const expiresAt = new Date(now.getTime() + INVITATION_DAYS * 24 * HOUR_MS)
    await insertLink(db, { token, purpose: 'invitation', userId: account.id, channel, expiresAt }, now)
    const link = new URL(`/register?token=${token}`, publicUrl).href
    const { firstName, locale, individualId } = account
    const rendered = render('invitation', locale, {
      organization: organization.name,
      firstName,
      link,
      days: INVITATION_DAYS,
    })
    const common = { purpose: 'invitation', recipient, individualId, organizationId: organization.id }
    await outbox.post(db, queue, { ...common, ...inForm(channel, rendered) }, now)
  }
  await changeUser(db, account.id, { registrationInvite: 'sent' })
}

/** When an invitation could not be delivered, its user shows it, unless another one is on its way or has arrived. */
export async function invitationFailed(db: Database, messageId: string, individualId: string): Promise<void> {
  await sql`update users set registration_invite = 'failed'
    where individual_id = ${individualId} and registration_invite = 'sent' and not exists (
      select from outbound_messages other, outbound_messages failed
      where failed.id = ${messageId} and other.individual_id = ${individualId} and other.purpose = 'invitation'
      and other.id <> failed.id and other.status <> 'failed' and other.created_at >= failed.created_at)`.execute(db)
}

/** The username is encrypted: whatever was typed there is somebody's. */
export const passwordResetRequested = job<{ sealed: string }>('password-reset-requested')

export const sendPasswordResetTask = (services: Sending & Pick<IdentityServices, 'secrets'>) =>
  task<{ sealed: string }>({
    ...passwordResetRequested,
    async run({ sealed }, { db, now }) {
      const username = services.secrets.decrypt(Buffer.from(sealed, 'base64'))
      await db.transaction().execute((trx) => sendPasswordReset(services, trx, username, now))
    },
  })

async function sendPasswordReset(
  { outbox, publicUrl }: Sending,
  db: Database,
  username: string,
  now: Date,
): Promise<void> {
  const named = await findAccountByUsername(db, username)
  const account = named && (await lockAccount(db, named.id))
  if (!account || (account.state !== 'registered' && account.state !== 'force_reset_password')) return
  const recent = await countLinksSince(db, 'password-reset', account.id, new Date(now.getTime() - HOUR_MS))
  if (recent >= MOST_RESETS_AN_HOUR) return
  const way = verifiedContact(account)
  if (!way) return
  const { channel, recipient } = way
  const token = newToken()
  await spendLinks(db, 'password-reset', account.id, now)
  const expiresAt = new Date(now.getTime() + RESET_MINUTES * 60_000)
  await insertLink(db, { token, purpose: 'password-reset', userId: account.id, channel, expiresAt }, now)
  const link = new URL(`/reset-password?token=${token}`, publicUrl).href
  const { firstName, locale, individualId } = account
  const rendered = render('password-reset', locale, { firstName, link, minutes: RESET_MINUTES })
  const common = { purpose: 'password-reset', recipient, individualId }
  await outbox.post(db, new Queue(db), { ...common, ...inForm(channel, rendered) }, now)
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
  const way = verifiedContact(account)
  if (!way) return
  const { firstName, locale, individualId } = account
  const [organizationId] = await organizationIdsOf(db, account.id)
  const common = {
    purpose: notice,
    individualId,
    recipient: way.recipient,
    ...(organizationId ? { organizationId } : {}),
  }
  await outbox.post(db, queue, { ...common, ...inForm(way.channel, render(notice, locale, { firstName })) }, now)
}

type AdministratorNotice = 'webhook-failing' | 'webhook-gone'

/** Tells those who administer an organization of something there that wants their attention, by email. */
export async function tellAdministrators<Kind extends AdministratorNotice>(
  { outbox }: Pick<Sending, 'outbox'>,
  db: Database,
  queue: Queue,
  organizationId: string,
  notice: Kind,
  values: Omit<TextValues[Kind], 'firstName' | 'organization'>,
  now: Date,
): Promise<void> {
  const { name: organization } = await findOrganization(db, organizationId)
  for (const { email, emailVerified, firstName, locale, individualId } of await administratorsOf(db, organizationId)) {
    if (!email || !emailVerified) continue
    const rendered = render(notice, locale, { ...values, firstName, organization } as unknown as TextValues[Kind])
    const message = { purpose: notice, recipient: email, individualId, organizationId }
    await outbox.post(db, queue, { ...message, ...inForm('email', rendered) }, now)
  }
}
