// Who can be told, and by which ways.

import type { Locale, Severity } from '@almoner/contract'
import { DEFAULT_CHOICES, type NotificationChoices } from '@almoner/contract/notifications/notification-preferences'
import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { Channel } from '../../../platform/delivery/outbox.ts'

/** A person as a member of an organization. */
export interface Recipient {
  organizationId: string
  organization: string
  individualId: string
  firstName: string
  locale: Locale
  tz: string | null
  contacts: Partial<Record<Channel, string>>
  choices: NotificationChoices
}

interface Row extends Omit<Recipient, 'contacts' | 'choices'>, Contacts {
  choices: Partial<NotificationChoices> | null
}

interface Contacts {
  email: string | null
  emailVerified: boolean
  mobilePhone: string | null
  phoneVerified: boolean
  communicationPreferences: Partial<Record<Channel, { enabled?: unknown }>>
}

const columns = sql`i.id as individual_id, i.first_name, i.locale, i.tz, i.email, i.mobile_phone,
  i.communication_preferences, u.email_verified, u.phone_verified, p.choices`

/** Of the members asked for, those who belong there now and are neither archived nor disabled. */
export async function findRecipients(
  db: Database,
  asked: { organizationId: string; recipientId: string }[],
): Promise<Recipient[]> {
  const { rows } = await sql<Row>`
    select ${columns}, o.id as organization_id, o.name as organization
    from (select distinct * from unnest(${asked.map((one) => one.organizationId)}::uuid[],
      ${asked.map((one) => one.recipientId)}::uuid[]) one (organization_id, individual_id)) asked
    join organizations o on o.id = asked.organization_id
    join users u on u.individual_id = asked.individual_id
    join individuals i on i.id = u.individual_id
    left join notification_preferences p on p.individual_id = i.id
    where u.state not in ('archived', 'disabled', 'registered_disabled') and exists (
      select from memberships m where m.user_id = u.id and m.organization_id = o.id)`.execute(db)
  return rows.map(recipientOf)
}

function recipientOf(row: Row): Recipient {
  const { email: _, mobilePhone: __, communicationPreferences: ___, ...rest } = row
  return { ...rest, contacts: contactsOf(row), choices: { ...DEFAULT_CHOICES, ...row.choices } }
}

/** Verified addresses, by ways that the person does not refuse. */
export function contactsOf(person: Contacts): Recipient['contacts'] {
  const { email, emailVerified, mobilePhone, phoneVerified, communicationPreferences: preferences } = person
  const isRefused = (channel: Channel) => preferences[channel]?.enabled === false
  return {
    ...(email && emailVerified && !isRefused('email') ? { email } : {}),
    ...(mobilePhone && phoneVerified && !isRefused('sms') ? { sms: mobilePhone } : {}),
  }
}

/** The ways by which a person both has and wants something of that severity. */
export function channelsFor({ contacts, choices }: Recipient, severity: Severity): Channel[] {
  return choices[`${severity}Channels`].filter((channel) => contacts[channel] !== undefined)
}
