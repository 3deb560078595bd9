import { job, type Task, task } from '../../platform/queue/queue.ts'
import type { Courier } from './courier.ts'
import { forgetSomeBefore } from './queries/deliveries.ts'
import { forgetPreviousSecrets } from './queries/webhooks.ts'

const KEPT_MS = 30 * 24 * 3600 * 1000

/** Says that something is due. */
export const deliverWebhooksJob = job<object>('deliver-webhooks')

/** Takes no time: the courier does the waiting. */
const deliverWebhooks = (courier: Courier) =>
  task<object>({
    ...deliverWebhooksJob,
    async run() {
      courier.wake()
    },
  })

const webhookHousekeeping = task<object>({
  name: 'webhook-housekeeping',
  cron: '41 * * * *',
  async run(_, { db, now }) {
    while (await forgetSomeBefore(db, new Date(now.getTime() - KEPT_MS)));
    await forgetPreviousSecrets(db, now)
  },
})

export const webhookTasks = (courier: Courier): Task[] => [deliverWebhooks(courier), webhookHousekeeping]
