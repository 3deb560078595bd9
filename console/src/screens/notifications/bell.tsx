// The bell in the header: how much is unread, and the list behind it.

import { ActionIcon, Drawer, Indicator, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { BellIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useOrganization } from '../../frame/person.ts'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { notificationTexts } from './messages.ts'

const NotificationList = lazy(async () => ({ default: (await import('./notification-list.tsx')).NotificationList }))

const MOST_SHOWN = 99
/** For what the stream does not tell, such as an account without sight of its own events. */
const ASK_AGAIN_MS = 60_000

export function Bell() {
  const t = useMessages(notificationTexts)
  const { id: organizationId } = useOrganization()
  const [isOpen, panel] = useDisclosure()
  const { data } = useQuery({ ...ask('countUnreadNotifications', { organizationId }), refetchInterval: ASK_AGAIN_MS })
  const count = data?.count ?? 0
  return (
    <>
      <Indicator
        label={count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}
        disabled={count === 0}
        size={18}
        offset={6}
        color="red.9"
        zIndex={1}
      >
        <ActionIcon variant="default" size={34} onClick={panel.open} aria-label={t.bell(count)} aria-haspopup="dialog">
          <BellIcon size={16} />
        </ActionIcon>
      </Indicator>
      <VisuallyHidden role="status">{count > 0 ? t.bell(count) : ''}</VisuallyHidden>
      <Drawer
        opened={isOpen}
        onClose={panel.close}
        position="right"
        size={400}
        title={t.title}
        closeButtonProps={{ 'aria-label': t.close }}
      >
        <Suspense>
          <NotificationList onLeave={panel.close} />
        </Suspense>
      </Drawer>
    </>
  )
}
