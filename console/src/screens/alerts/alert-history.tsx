import { Text, Timeline } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMay, usePerson } from '../../frame/person.ts'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import type { Alert } from './alert-search.ts'
import { alerts } from './messages.ts'
import { signs } from './sign-messages.ts'

const LATE_MS = 3_600_000

export function AlertHistory({ alert }: { alert: Alert }) {
  const t = useMessages(alerts)
  const { state } = useMessages(signs)
  const formats = useFormats()
  const { firedAt, createdAt, acknowledgedAt, acknowledgedBy, clearedAt, clearedBy, clearReason, note } = alert
  const isLate = createdAt.getTime() - firedAt.getTime() > LATE_MS
  // The note is of whoever did something last by hand.
  const isNoteOfClearing = clearReason === 'by-hand'
  const said = note && (
    <Text size="sm" mt={2}>
      “{note}”
    </Text>
  )
  return (
    <Timeline bulletSize={12} lineWidth={2} active={9}>
      <Timeline.Item title={t.fired}>
        <Text size="sm" c="dimmed">
          {formats.moment(firedAt)}
        </Text>
      </Timeline.Item>
      {isLate && (
        <Timeline.Item title={t.noticed}>
          <Text size="sm" c="dimmed">
            {formats.moment(createdAt)} · {t.late}
          </Text>
        </Timeline.Item>
      )}
      {acknowledgedAt && (
        <Timeline.Item title={state.acknowledged}>
          <Text size="sm" c="dimmed">
            {formats.moment(acknowledgedAt)} {acknowledgedBy && <Who userId={acknowledgedBy} />}
          </Text>
          {!isNoteOfClearing && said}
        </Timeline.Item>
      )}
      {clearedAt && (
        <Timeline.Item title={state.cleared}>
          <Text size="sm" c="dimmed">
            {formats.moment(clearedAt)} {clearedBy && <Who userId={clearedBy} />}
          </Text>
          {clearReason && <Text size="sm">{t.reason[clearReason]}</Text>}
          {isNoteOfClearing && said}
        </Timeline.Item>
      )}
    </Timeline>
  )
}

/** Only administrators may ask who a user is. */
function Who({ userId }: { userId: string }) {
  const t = useMessages(alerts)
  const { profile } = usePerson()
  const isAdministrator = useMay('org-admin')
  const isSelf = userId === profile.id
  const { data, error } = useQuery({ ...ask('getUser', { id: userId }), enabled: isAdministrator && !isSelf })
  if (isSelf) return t.by(t.you)
  if (data) return t.by(`${data.firstName} ${data.lastName}`)
  return t.by(error ? t.someone : t.colleague)
}
