import {
  countUnreadNotifications,
  listNotifications,
  readAllNotifications,
  readNotification,
} from '@almoner/contract/notifications/notifications'
import { Problem } from '../../platform/errors/problem.ts'
import { type Context, implement } from '../../platform/http/implementation.ts'
import { findNotification, listOwn, markRead, markReadUpTo, type Own, unreadCount } from './queries/notifications.ts'

const ownOf = ({ actor, reach }: Pick<Context, 'actor' | 'reach'>): Own => ({
  recipientId: actor.individualId,
  organizationIds: reach,
})

async function ownNotification(context: Context, id: string) {
  const notification = await findNotification(context.db, ownOf(context), id)
  if (!notification) throw new Problem('NotFound', { what: 'notification' })
  return notification
}

export const notifications = [
  implement(listNotifications, async ({ filter, page }, context) => {
    const found = await listOwn(context.db, ownOf(context), filter, page)
    context.audit.touched(found.items.flatMap(({ individualId }) => individualId ?? []))
    return found
  }),

  implement(countUnreadNotifications, (_, context) =>
    unreadCount(context.db, ownOf(context)).executeTakeFirstOrThrow(),
  ),

  implement(readNotification, async ({ id }, context) => {
    const { db, actor, now, events } = context
    const notification = await ownNotification(context, id)
    if (!(await markRead(db, id, now))) return ownNotification(context, id)
    const { organizationId } = notification
    await events.publish('notification.read', {
      organizationId,
      individualId: actor.individualId,
      data: { notificationId: id },
    })
    return { ...notification, readAt: now }
  }),

  implement(readAllNotifications, async ({ body }, context) => {
    const { db, actor, now, events } = context
    const newest = await ownNotification(context, body.upToId)
    const marked = await markReadUpTo(db, ownOf(context), newest, now)
    await events.publishAll(
      'notification.read',
      [...new Set(marked)].map((organizationId) => ({
        organizationId,
        individualId: actor.individualId,
        data: { notificationId: null },
      })),
    )
    return { count: marked.length }
  }),
]
