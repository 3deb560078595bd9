import type { AnswerTo } from '@almoner/client'
import { Badge, Text } from '@mantine/core'
import { useFormats } from '../../../language/formats.ts'
import { useMessages } from '../../../language/language.ts'
import { webhooks } from './messages.ts'

export type Delivery = AnswerTo<'listWebhookDeliveries'>['items'][number]

export function DeliveryState({ delivery: { state, nextAttemptAt } }: { delivery: Delivery }) {
  const t = useMessages(webhooks)
  const formats = useFormats()
  if (state === 'failed')
    return (
      <Badge variant="light" color="red" tt="none">
        {t.deliveryStates.failed}
      </Badge>
    )
  return (
    <>
      {t.deliveryStates[state]}
      {nextAttemptAt && (
        <Text size="xs" c="dimmed">
          {t.next(formats.moment(nextAttemptAt))}
        </Text>
      )}
    </>
  )
}
