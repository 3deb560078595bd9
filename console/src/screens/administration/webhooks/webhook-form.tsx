import type { AnswerTo } from '@almoner/client'
import { events } from '@almoner/client'
import { Checkbox, Fieldset, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { faultsOf } from '../../../frame/faults.ts'
import { useOrganization } from '../../../frame/person.ts'
import { useMessages } from '../../../language/language.ts'
import { almoner } from '../../../session/session.ts'
import { useChange } from '../parts/changing.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { webhooks } from './messages.ts'
import { useWebhookWords } from './webhook-words.ts'

export type Webhook = AnswerTo<'getWebhook'>
type Kind = Exclude<keyof typeof events, 'webhook.test'>

/** A test is sent to the webhook that is tested alone. */
const KINDS = (Object.keys(events) as (keyof typeof events)[]).filter((kind): kind is Kind => kind !== 'webhook.test')
const AREAS = [...new Set(KINDS.map((kind) => kind.split('.')[0] as string))]

interface Props {
  /** Null for a new one. */
  webhook: Webhook | null
  onClose: () => void
  onSaved?: (webhook: Webhook) => void
}

export function WebhookForm({ webhook, onClose, onSaved }: Props) {
  const t = useMessages(webhooks)
  const { meaningOf } = useWebhookWords()
  const { id: organizationId } = useOrganization()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [kinds, setKinds] = useState(webhook?.kinds ?? [])
  const saving = useChange(
    () => {
      const body = { url: url.trim(), description: description.trim(), kinds: kinds as Kind[] }
      return webhook
        ? almoner.modifyWebhook({ id: webhook.id, body })
        : almoner.createWebhook({ body: { ...body, organizationId } })
    },
    {
      refresh: ['listWebhooks', 'getWebhook'],
      done: t.saved,
      onDone: (saved) => {
        onClose()
        onSaved?.(saved)
      },
    },
  )
  const { fields: at, rest } = faultsOf(saving.error, ['url', 'description', 'kinds'])
  const areaNames: Record<string, string> = t.areas
  return (
    <FormDialog
      title={webhook ? t.changeTitle : t.newWebhook}
      {...(webhook ? {} : { action: t.create })}
      size="lg"
      isBusy={saving.isPending}
      error={rest}
      onSubmit={() => saving.mutate(undefined)}
      onClose={onClose}
    >
      <TextInput
        label={t.url}
        description={t.urlHint}
        type="url"
        required
        data-autofocus
        value={url}
        error={at.url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <TextInput
        label={t.description}
        value={description}
        error={at.description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <Checkbox.Group label={t.kinds} description={t.kindsHint} value={kinds} error={at.kinds} onChange={setKinds}>
        <Stack gap="xs" mt={6}>
          {AREAS.map((area) => (
            <Fieldset key={area} legend={areaNames[area] ?? area} p="sm" pt={4}>
              <Stack gap={6}>
                {KINDS.filter((kind) => kind.startsWith(`${area}.`)).map((kind) => (
                  <Checkbox key={kind} size="xs" value={kind} label={kind} description={meaningOf(kind)} />
                ))}
              </Stack>
            </Fieldset>
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  )
}
