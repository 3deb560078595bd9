import { forgetExpiredSessions } from '../auth/sessions.ts'
import { forgetOldEvents } from '../events/event-log.ts'
import { forgetOldAnswers } from '../http/idempotency.ts'
import { task } from './queue.ts'

/** Removes what has outlived its use. */
export const housekeeping = ({ eventDays }: { eventDays: number }) =>
  task<object>({
    name: 'housekeeping',
    cron: '17 * * * *',
    async run(_, { db, now }) {
      await forgetExpiredSessions(db, now)
      await forgetOldAnswers(db, now)
      await forgetOldEvents(db, eventDays, now)
    },
  })
