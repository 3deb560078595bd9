import { Alert, Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure, notifyFailure } from '../../../frame/failure.tsx'
import { Screen } from '../../../frame/screen.tsx'
import { useFormats } from '../../../language/formats.ts'
import { useMessages } from '../../../language/language.ts'
import { ask } from '../../../session/asking.ts'
import { almoner } from '../../../session/session.ts'
import { useChange } from '../parts/changing.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import classes from '../parts/parts.module.css'
import { ShownOnce } from '../parts/shown-once.tsx'
import { Deliveries } from './deliveries.tsx'
import { webhooks } from './messages.ts'
import { type Webhook, WebhookForm } from './webhook-form.tsx'
import { useWebhookWords } from './webhook-words.ts'
import { WebhookState } from './webhooks-screen.tsx'

export function WebhookScreen() {
  const t = useMessages(webhooks)
  const { id } = useParams({ from: '/frame/administration/webhooks/$id' })
  const { data: webhook, error, refetch } = useQuery(ask('getWebhook', { id }))
  if (error)
    return (
      <Screen title={t.title}>
        <Failure error={error} onRetry={refetch} />
      </Screen>
    )
  return webhook ? <OneWebhook webhook={webhook} /> : <Loader size="sm" />
}

const REFRESH = ['listWebhooks', 'getWebhook', 'listWebhookDeliveries'] as const
type Dialog = 'change' | 'disable' | 'rotate' | 'remove'

function OneWebhook({ webhook }: { webhook: Webhook }) {
  const t = useMessages(webhooks)
  const formats = useFormats()
  const { id } = webhook
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const close = () => setDialog(null)
  const testing = useChange(() => almoner.testWebhook({ id }), { refresh: [...REFRESH], onError: notifyFailure })
  const enabling = useChange(() => almoner.modifyWebhook({ id, body: { enabled: true } }), {
    refresh: [...REFRESH],
    done: t.saved,
    onError: notifyFailure,
  })
  return (
    <Screen
      title={new URL(webhook.url).host}
      actions={
        <Button loading={testing.isPending} onClick={() => testing.mutate(undefined)}>
          {t.test}
        </Button>
      }
    >
      <Anchor component={Link} to="/administration/webhooks" size="sm">
        {t.back}
      </Anchor>
      <Stack gap="lg" mt="sm">
        <Stack gap={6} className={classes.panel ?? ''}>
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {webhook.url}
          </Text>
          {webhook.description && <Text size="sm">{webhook.description}</Text>}
          <Text size="sm" c="dimmed" component="div">
            <WebhookState webhook={webhook} />
            {webhook.disabledReason && ` · ${t.reasons[webhook.disabledReason]}`} · {t.lastSuccess}:{' '}
            {webhook.lastSuccessAt ? formats.moment(webhook.lastSuccessAt) : t.never}
            {webhook.consecutiveFailures > 0 && ` · ${t.failing(webhook.consecutiveFailures)}`}
          </Text>
          <Text size="sm" c="dimmed">
            {webhook.kinds.length === 0 ? t.allKinds : webhook.kinds.join(', ')}
          </Text>
          <Group gap="xs" mt={4}>
            <Button size="xs" variant="default" onClick={() => setDialog('change')}>
              {t.change}
            </Button>
            {webhook.enabled ? (
              <Button size="xs" variant="default" onClick={() => setDialog('disable')}>
                {t.disable}
              </Button>
            ) : (
              <Button
                size="xs"
                variant="default"
                loading={enabling.isPending}
                onClick={() => enabling.mutate(undefined)}
              >
                {t.enable}
              </Button>
            )}
            <Button size="xs" variant="default" onClick={() => setDialog('rotate')}>
              {t.rotate}
            </Button>
            <Button size="xs" variant="default" onClick={() => setDialog('remove')}>
              {t.remove}
            </Button>
          </Group>
        </Stack>
        {testing.data && <Outcome delivery={testing.data} />}
        <Deliveries webhookId={id} />
      </Stack>
      {dialog === 'change' && <WebhookForm webhook={webhook} onClose={close} />}
      {(dialog === 'disable' || dialog === 'rotate' || dialog === 'remove') && (
        <Confirmed webhook={webhook} what={dialog} onClose={close} onSecret={setSecret} />
      )}
      {secret && <ShownOnce title={t.secretTitle} label={t.secret} value={secret} onClose={() => setSecret(null)} />}
    </Screen>
  )
}

function Outcome({ delivery }: { delivery: Awaited<ReturnType<typeof almoner.testWebhook>> }) {
  const t = useMessages(webhooks)
  const { state, lastStatus, lastError, attempts } = delivery
  const { failure } = useWebhookWords()
  const isFine = state === 'succeeded'
  return (
    <Alert color={isFine ? 'teal' : 'red'} variant="light" role="status" title={isFine ? undefined : t.testFailed}>
      <Text size="sm">
        {isFine
          ? t.testWorked(lastStatus ?? 0, attempts?.[0]?.durationMs ?? 0)
          : lastError
            ? failure(lastError)
            : lastStatus}
      </Text>
    </Alert>
  )
}

interface ConfirmedProps {
  webhook: Webhook
  what: Exclude<Dialog, 'change'>
  onClose: () => void
  onSecret: (secret: string) => void
}

function Confirmed({ webhook: { id }, what, onClose, onSecret }: ConfirmedProps) {
  const t = useMessages(webhooks)
  const navigate = useNavigate()
  const words = {
    disable: { title: t.disableTitle, hint: t.disableHint, action: t.disable, done: t.saved },
    rotate: { title: t.rotateTitle, hint: t.rotateHint, action: t.rotate, done: t.saved },
    remove: { title: t.removeTitle, hint: t.removeHint, action: t.remove, done: t.removed },
  }[what]
  const doing = useChange(
    async (): Promise<Webhook | undefined> => {
      if (what === 'disable') return almoner.modifyWebhook({ id, body: { enabled: false } })
      if (what === 'rotate') return almoner.rotateWebhookSecret({ id })
      await almoner.deleteWebhook({ id })
      return undefined
    },
    {
      refresh: what === 'remove' ? ['listWebhooks'] : [...REFRESH],
      done: words.done,
      onDone: (changed) => {
        onClose()
        if (changed?.secret) onSecret(changed.secret)
        if (what === 'remove') navigate({ to: '/administration/webhooks' })
      },
    },
  )
  return (
    <FormDialog
      title={words.title}
      action={words.action}
      isDestructive
      isBusy={doing.isPending}
      error={doing.error}
      onSubmit={() => doing.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm">{words.hint}</Text>
    </FormDialog>
  )
}
