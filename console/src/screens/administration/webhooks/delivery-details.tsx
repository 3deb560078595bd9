import { Button, Group, Loader, Modal, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Failure, notifyFailure } from '../../../frame/failure.tsx'
import { useFormats } from '../../../language/formats.ts'
import { useMessages } from '../../../language/language.ts'
import { ask } from '../../../session/asking.ts'
import { almoner } from '../../../session/session.ts'
import { useChange } from '../parts/changing.ts'
import { parts } from '../parts/messages.ts'
import classes from '../parts/parts.module.css'
import { type Delivery, DeliveryState } from './delivery-state.tsx'
import { webhooks } from './messages.ts'
import { useWebhookWords } from './webhook-words.ts'

type Attempt = NonNullable<Delivery['attempts']>[number]

const headersOf = (headers: Record<string, unknown> | null) =>
  Object.entries(headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

export function DeliveryDetails({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useMessages(webhooks)
  const { close } = useMessages(parts)
  const { data: delivery, error, refetch } = useQuery(ask('getWebhookDelivery', { id }))
  const resending = useChange(() => almoner.resendWebhookDelivery({ id }), {
    refresh: ['getWebhookDelivery', 'listWebhookDeliveries', 'getWebhook'],
    done: t.resent,
    onError: notifyFailure,
  })
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={delivery?.kind ?? t.details}
      closeButtonProps={{ 'aria-label': close }}
    >
      {error ? (
        <Failure error={error} onRetry={refetch} />
      ) : !delivery ? (
        <Loader size="sm" />
      ) : (
        <Stack gap="md">
          <Group justify="space-between">
            <Text size="sm" component="div">
              <DeliveryState delivery={delivery} />
            </Text>
            <Button
              size="xs"
              variant="default"
              loading={resending.isPending}
              onClick={() => resending.mutate(undefined)}
            >
              {t.resend}
            </Button>
          </Group>
          <section>
            <Title order={3} mb={4}>
              {t.sentBody}
            </Title>
            {delivery.body ? (
              <Block text={JSON.stringify(delivery.body, null, 2)} />
            ) : (
              <Text size="sm">{t.bodyGone}</Text>
            )}
          </section>
          {delivery.attempts?.map((attempt) => (
            <OneAttempt key={attempt.number} attempt={attempt} />
          ))}
          {delivery.attempts?.length === 0 && <Text size="sm">{t.noAttempts}</Text>}
        </Stack>
      )}
    </Modal>
  )
}

function OneAttempt({ attempt }: { attempt: Attempt }) {
  const t = useMessages(webhooks)
  const formats = useFormats()
  const { failure } = useWebhookWords()
  const { number, attemptedAt, durationMs, responseStatus, responseHeaders, responseBody, requestHeaders, error } =
    attempt
  return (
    <section>
      <Title order={3}>
        {t.attempt(number)}: {responseStatus ?? t.noAnswer}
      </Title>
      <Text size="xs" c="dimmed" mb={4}>
        {formats.moment(attemptedAt)} {durationMs !== null && `· ${t.took(durationMs)}`}
      </Text>
      {error && (
        <Text size="sm" mb={4}>
          {failure(error)}
        </Text>
      )}
      <Stack gap="xs">
        <div>
          <Text size="xs" fw={600}>
            {t.request}
          </Text>
          <Block text={headersOf(requestHeaders) || t.emptyBody} />
        </div>
        {responseStatus !== null && (
          <div>
            <Text size="xs" fw={600}>
              {t.response}
            </Text>
            <Block text={`${headersOf(responseHeaders)}\n\n${responseBody || t.emptyBody}`} />
          </div>
        )}
      </Stack>
    </section>
  )
}

function Block({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by the keyboard
    <pre className={classes.code} tabIndex={0}>
      {text}
    </pre>
  )
}
