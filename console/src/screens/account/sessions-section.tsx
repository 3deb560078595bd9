import type { AnswerTo } from '@almoner/client'
import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Failure, notifyDone, notifyFailure } from '../../frame/failure.tsx'
import { Section } from '../../frame/section.tsx'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { almoner } from '../../session/session.ts'
import { deviceOf } from './device-name.ts'
import { account } from './messages.ts'

type Session = AnswerTo<'listSessions'>['items'][number]

export function SessionsSection() {
  const t = useMessages(account)
  const { data, error, refetch } = useQuery(ask('listSessions'))
  const ending = useMutation({
    mutationFn: (ids: string[]) => Promise.all(ids.map((id) => almoner.endSession({ id }))),
    onSuccess: () => notifyDone(t.ended),
    onError: notifyFailure,
    onSettled: () => refetch(),
  })
  const sessions = [...(data?.items ?? [])].sort(
    (a, b) => Number(b.isCurrent) - Number(a.isCurrent) || +b.lastUsedAt - +a.lastUsedAt,
  )
  const others = sessions.filter(({ isCurrent }) => !isCurrent).map(({ id }) => id)
  return (
    <Section title={t.sessions}>
      {error ? (
        <Failure error={error} onRetry={refetch} />
      ) : (
        <Stack gap="sm">
          {!data && <Skeleton height={44} />}
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isBusy={ending.isPending}
              onEnd={() => ending.mutate([session.id])}
            />
          ))}
          {data && others.length === 0 && (
            <Text size="sm" c="dimmed">
              {t.onlyHere}
            </Text>
          )}
          {others.length > 0 && (
            <Button variant="default" w="fit-content" loading={ending.isPending} onClick={() => ending.mutate(others)}>
              {t.endOthers}
            </Button>
          )}
        </Stack>
      )}
    </Section>
  )
}

function SessionRow({ session, isBusy, onEnd }: { session: Session; isBusy: boolean; onEnd: () => void }) {
  const t = useMessages(account)
  const formats = useFormats()
  const { ip, userAgent, isCurrent, createdAt, lastUsedAt } = session
  const device = deviceOf(userAgent) ?? t.unknownDevice
  return (
    <Group justify="space-between" wrap="nowrap" align="start">
      <div>
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {device}
          </Text>
          {isCurrent && (
            <Badge variant="default" size="sm" tt="none" fw={500}>
              {t.thisOne}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {[ip, t.began(formats.moment(createdAt)), t.used(formats.ago(lastUsedAt))].filter(Boolean).join(' · ')}
        </Text>
      </div>
      {!isCurrent && (
        <Button
          size="xs"
          variant="subtle"
          flex="none"
          disabled={isBusy}
          onClick={onEnd}
          aria-label={t.endNamed(device)}
        >
          {t.end}
        </Button>
      )}
    </Group>
  )
}
