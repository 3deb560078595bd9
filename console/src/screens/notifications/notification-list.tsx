import type { AnswerTo } from '@almoner/client'
import { ActionIcon, Anchor, Button, Group, Skeleton, Text, VisuallyHidden } from '@mantine/core'
import { CheckIcon, DotFillIcon } from '@primer/octicons-react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure, notifyFailure } from '../../frame/failure.tsx'
import { useOrganization } from '../../frame/person.ts'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { almoner } from '../../session/session.ts'
import { severityIcons } from '../alerts/severity.tsx'
import { notificationTexts } from './messages.ts'
import classes from './notifications.module.css'

type Notification = AnswerTo<'listNotifications'>['items'][number]

const PAGE = 30
const MOST = 1000

export function NotificationList({ onLeave }: { onLeave: () => void }) {
  const t = useMessages(notificationTexts)
  const { id: organizationId } = useOrganization()
  const [limit, setLimit] = useState(PAGE)
  const asked = ask('listNotifications', { organizationId, page: { limit } })
  const { data, error, refetch, isPending, isFetching } = useQuery({ ...asked, placeholderData: keepPreviousData })
  const refresh = useRefresh()
  const items = data?.items ?? []
  const [newest] = items
  const readAll = useMutation({
    mutationFn: (upToId: string) => almoner.readAllNotifications({ body: { upToId, organizationId } }),
    onSuccess: refresh,
    onError: notifyFailure,
  })
  return (
    <>
      <Group justify="space-between" mb="sm" gap="xs">
        <Button
          size="xs"
          variant="default"
          data-autofocus
          disabled={!newest || items.every(({ readAt }) => readAt !== null)}
          loading={readAll.isPending}
          onClick={() => newest && readAll.mutate(newest.id)}
        >
          {t.readAll}
        </Button>
        <Anchor component={Link} to="/account/notifications" size="sm" onClick={onLeave}>
          {t.settings}
        </Anchor>
      </Group>
      {error && <Failure error={error} onRetry={() => refetch()} />}
      {isPending && <Skeleton height={200} />}
      {data && items.length === 0 && (
        <>
          <Text fw={600}>{t.none}</Text>
          <Text size="sm" c="dimmed">
            {t.noneHint}
          </Text>
        </>
      )}
      <ul className={classes.list} aria-label={t.list}>
        {items.map((one) => (
          <Item key={one.id} notification={one} onLeave={onLeave} onRead={refresh} />
        ))}
      </ul>
      {data && items.length < data.total && limit < MOST && (
        <Button variant="default" size="xs" mt="sm" loading={isFetching} onClick={() => setLimit(limit + PAGE)}>
          {t.more}
        </Button>
      )}
    </>
  )
}

function useRefresh() {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      ['listNotifications', 'countUnreadNotifications'].map((name) => queries.invalidateQueries({ queryKey: [name] })),
    )
}

interface ItemProps {
  notification: Notification
  onLeave: () => void
  onRead: () => unknown
}

function Item({ notification, onLeave, onRead }: ItemProps) {
  const t = useMessages(notificationTexts)
  const formats = useFormats()
  const navigate = useNavigate()
  const { id, severity, title, text, path, createdAt, readAt } = notification
  const Icon = severityIcons[severity]
  const read = useMutation({
    mutationFn: () => almoner.readNotification({ id }),
    onSuccess: onRead,
    onError: notifyFailure,
  })
  const isUnread = readAt === null
  const follow = () => {
    if (isUnread) read.mutate()
    onLeave()
    if (path) navigate({ to: path })
  }
  const words = (
    <>
      <span className={classes.title}>{title}</span>
      <Text size="sm" component="span" display="block">
        {text}
      </Text>
    </>
  )
  return (
    <li className={classes.item} data-unread={isUnread || undefined}>
      <Icon size={16} className={classes.severity} data-severity={severity} aria-label={t.severity[severity]} />
      <div className={classes.words}>
        {path ? (
          <a
            href={path}
            className={classes.link}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return
              event.preventDefault()
              follow()
            }}
          >
            {words}
          </a>
        ) : (
          words
        )}
        <Text
          size="xs"
          c="dimmed"
          component="time"
          dateTime={createdAt.toISOString()}
          title={formats.moment(createdAt)}
        >
          {formats.ago(createdAt)}
        </Text>
      </div>
      {isUnread && (
        <div className={classes.unread}>
          <DotFillIcon size={16} />
          <VisuallyHidden>{t.unread}</VisuallyHidden>
          <ActionIcon
            variant="subtle"
            size="sm"
            onClick={() => read.mutate()}
            aria-label={`${t.read}: ${title}`}
            title={t.read}
          >
            <CheckIcon size={14} />
          </ActionIcon>
        </div>
      )}
    </li>
  )
}
