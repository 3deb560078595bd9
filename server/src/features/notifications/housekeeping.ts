import { task } from '../../platform/queue/queue.ts'

const DAY_MS = 24 * 3600 * 1000
const READ_DAYS = 90
const UNREAD_DAYS = 400

/** Forgets what was read long ago, and what nobody came to read. */
export const notificationsHousekeeping = task<object>({
  name: 'notifications-housekeeping',
  cron: '41 3 * * *',
  async run(_, { db, now }) {
    const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
    await db
      .deleteFrom('notifications')
      .where('readAt', '<', before(READ_DAYS))
      // Said besides, because what is old is found by its age.
      .where('createdAt', '<', before(READ_DAYS))
      .execute()
    await db
      .deleteFrom('notifications')
      .where('readAt', 'is', null)
      .where('createdAt', '<', before(UNREAD_DAYS))
      .execute()
  },
})
