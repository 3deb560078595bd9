import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  MOST_WEBHOOKS,
  modifyWebhook,
  rotateWebhookSecret,
} from '@almoner/contract/webhooks/webhooks'
import { v7 } from 'uuid'
import { callerId } from '../../platform/auth/actor.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { implement } from '../../platform/http/implementation.ts'
import { cancelPending } from './queries/deliveries.ts'
import {
  changeWebhook,
  countWebhooks,
  FRESH,
  findWebhook,
  insertWebhook,
  lockWebhook,
  removeWebhook,
  replaceSecret,
  webhooksPage,
} from './queries/webhooks.ts'
import type { WebhookServices } from './services.ts'
import { newSecret } from './signing.ts'
import { checkTarget } from './target.ts'

/** How long the secret before goes on signing. */
const OVERLAP_MS = 24 * 3600 * 1000

export const webhooks = ({ secrets, outbound }: WebhookServices) => [
  implement(listWebhooks, ({ page }, { db, reach }) => webhooksPage(db, reach, page)),

  implement(getWebhook, async ({ id }, { db, reach }) => found(await findWebhook(db, reach, id))),

  implement(createWebhook, async ({ body: { kinds, enabled, ...body } }, { db, actor, now }) => {
    checkTarget(outbound.guard, body.url)
    if ((await countWebhooks(db, body.organizationId)) >= MOST_WEBHOOKS)
      throw new Problem('TooManyWebhooks', { limit: MOST_WEBHOOKS })
    const secret = newSecret()
    const webhook = await insertWebhook(db, {
      ...body,
      ...(enabled ? ENABLED : disabledAt(now)),
      id: v7(),
      kinds: [...new Set(kinds)],
      secret: secrets.encrypt(secret),
      createdBy: callerId(actor),
      createdAt: now,
    })
    return { ...webhook, secret }
  }),

  implement(modifyWebhook, async ({ id, body: { kinds, enabled, ...body } }, { db, reach, audit, now }) => {
    const before = found(await lockWebhook(db, reach, id))
    audit.touched([], [before.organizationId])
    if (body.url !== undefined) checkTarget(outbound.guard, body.url)
    const isSwitched = enabled !== undefined && enabled !== before.enabled
    const change = {
      ...body,
      ...(kinds ? { kinds: [...new Set(kinds)] } : {}),
      ...(body.url !== undefined && body.url !== before.url ? FRESH : {}),
      ...(isSwitched ? (enabled ? { ...ENABLED, ...FRESH } : disabledAt(now)) : {}),
    }
    if (isSwitched && !enabled) await cancelPending(db, id, now)
    return Object.keys(change).length > 0 ? changeWebhook(db, id, change) : before
  }),

  implement(deleteWebhook, async ({ id }, { db, reach, audit, now }) => {
    const { organizationId } = found(await lockWebhook(db, reach, id))
    audit.touched([], [organizationId])
    await cancelPending(db, id, now)
    await removeWebhook(db, id)
    return undefined
  }),

  implement(rotateWebhookSecret, async ({ id }, { db, reach, audit, now }) => {
    const { organizationId } = found(await lockWebhook(db, reach, id))
    audit.touched([], [organizationId])
    const secret = newSecret()
    const until = new Date(now.getTime() + OVERLAP_MS)
    return { ...(await replaceSecret(db, id, secrets.encrypt(secret), until)), secret }
  }),
]

const ENABLED = { enabled: true, disabledAt: null, disabledReason: null }
const disabledAt = (now: Date) => ({ enabled: false, disabledAt: now, disabledReason: 'manual' as const })

export function found<Row>(webhook: Row | undefined): Row {
  if (!webhook) throw new Problem('NotFound', { what: 'webhook' })
  return webhook
}
