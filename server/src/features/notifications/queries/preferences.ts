import { DEFAULT_CHOICES, type NotificationChoices } from '@almoner/contract/notifications/notification-preferences'
import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { contactsOf } from './recipients.ts'

/** What a person chose, and what it can be done by. */
export async function findPreferences(db: Database, individualId: string) {
  const { tz, choices, ...contacts } = await db
    .selectFrom('individuals')
    .innerJoin('users', 'users.individualId', 'individuals.id')
    .leftJoin('notificationPreferences', 'notificationPreferences.individualId', 'individuals.id')
    .select(['tz', 'choices', 'email', 'mobilePhone', 'communicationPreferences', 'emailVerified', 'phoneVerified'])
    .where('individuals.id', '=', individualId)
    .executeTakeFirstOrThrow()
  const { email, sms } = contactsOf(contacts)
  const availableChannels = [...(email ? ['email' as const] : []), ...(sms ? ['sms' as const] : [])]
  return { id: individualId, ...DEFAULT_CHOICES, ...choices, tz, availableChannels }
}

/** Adds to what was chosen before, also by another request at the same moment. */
export async function choose(
  db: Database,
  individualId: string,
  choices: Partial<NotificationChoices>,
  now: Date,
): Promise<void> {
  await sql`insert into notification_preferences as p (individual_id, choices, changed_at)
    values (${individualId}, ${JSON.stringify(choices)}::jsonb, ${now})
    on conflict (individual_id) do update set choices = p.choices || excluded.choices, changed_at = excluded.changed_at`.execute(
    db,
  )
}
