// What happens is seen as it happens. The frame shows <Live>; screens that want more than fresh answers use `useEvents`.

import type { HappenedEvent } from '@almoner/client'
import { Box, Group, Text } from '@mantine/core'
import { UnlinkIcon } from '@primer/octicons-react'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { useOrganization } from '../frame/person.ts'
import { messages, useMessages } from '../language/language.ts'
import { useSessionState } from '../session/session.ts'
import { followEvents, isConnectionLost, onEvent, watchConnection } from './event-stream.ts'
import { askAnew, isMeant, type KindPattern } from './fresh-queries.ts'

const live = messages(
  { lost: 'Not live', lostLong: 'The connection is lost. What you see may be out of date; it is being tried again.' },
  {
    lost: 'Sin conexión',
    lostLong: 'Se perdió la conexión. Lo que ve puede no estar al día; se está intentando de nuevo.',
  },
)

/** Follows while someone is signed in, and says quietly when it cannot. */
export function Live() {
  const t = useMessages(live)
  const isSignedIn = useSessionState() === 'signed-in'
  const isLost = useSyncExternalStore(watchConnection, isConnectionLost)
  useEffect(() => {
    if (!isSignedIn) return
    const endListening = onEvent(askAnew)
    const endFollowing = followEvents()
    return () => {
      endListening()
      endFollowing()
    }
  }, [isSignedIn])
  return (
    // Takes no room while there is nothing to say.
    <Box role="status" ml={isLost ? 0 : 'calc(-1 * var(--mantine-spacing-sm))'}>
      {isLost && (
        <Group gap={6} wrap="nowrap" title={t.lostLong} c="var(--almoner-warning)">
          <UnlinkIcon size={16} aria-label={t.lostLong} />
          <Text size="xs" visibleFrom="md" aria-hidden>
            {t.lost}
          </Text>
        </Group>
      )}
    </Box>
  )
}

/** Of the organization that is being worked in: `useEvents(['metric.alert-fired'], (event) => …)`. */
export function useEvents(kinds: readonly KindPattern[], handler: (event: HappenedEvent) => void): void {
  const { id } = useOrganization()
  const handle = useEffectEvent((event: HappenedEvent) => {
    if (event.organizationId === id && kinds.some((pattern) => isMeant(pattern, event.kind))) handler(event)
  })
  useEffect(() => onEvent((event) => handle(event)), [])
}
