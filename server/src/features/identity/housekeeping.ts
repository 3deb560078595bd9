import { task } from '../../platform/queue/queue.ts'

// Long enough for someone to be told that a link was used or has expired.
const KEPT_MS = 30 * 24 * 3600 * 1000

/** Removes links and challenges that are long past their time. */
export const identityHousekeeping = task<object>({
  name: 'identity-housekeeping',
  cron: '23 3 * * *',
  async run(_, { db, now }) {
    const past = new Date(now.getTime() - KEPT_MS)
    await db.deleteFrom('oneTimeLinks').where('expiresAt', '<', past).execute()
    await db.deleteFrom('mfaEmailChallenges').where('expiresAt', '<', past).execute()
  },
})
