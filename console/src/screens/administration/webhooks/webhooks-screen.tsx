import { Anchor, Badge, Button, Table, Text } from '@mantine/core'
import { AlertIcon, PlusIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useOrganization } from '../../../frame/person.ts'
import { Screen } from '../../../frame/screen.tsx'
import { useFormats } from '../../../language/formats.ts'
import { useMessages } from '../../../language/language.ts'
import { ask } from '../../../session/asking.ts'
import { Listed } from '../parts/listed.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { TableRegion } from '../parts/table-region.tsx'
import { webhooks } from './messages.ts'
import { type Webhook, WebhookForm } from './webhook-form.tsx'

export function WebhooksScreen() {
  const t = useMessages(webhooks)
  const formats = useFormats()
  const navigate = useNavigate()
  const { id: organizationId } = useOrganization()
  const [isMaking, setIsMaking] = useState(false)
  const [made, setMade] = useState<Webhook | null>(null)
  const asked = useQuery(ask('listWebhooks', { organizationId }))
  return (
    <Screen
      title={t.title}
      actions={
        <Button leftSection={<PlusIcon />} onClick={() => setIsMaking(true)}>
          {t.newWebhook}
        </Button>
      }
    >
      <Text size="sm" c="dimmed" mb="sm" maw={640}>
        {t.hint}
      </Text>
      <Listed of={asked} empty={t.none}>
        {(data) => (
          <TableRegion label={t.table} columns={[t.url, t.kinds, t.state, t.lastSuccess]} minWidth={720}>
            {data.items.map((webhook) => (
              <Table.Tr key={webhook.id}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Anchor component={Link} to={`/administration/webhooks/${webhook.id}`} size="sm" fw={500}>
                    {webhook.url}
                  </Anchor>
                  {webhook.description && (
                    <Text size="xs" c="dimmed">
                      {webhook.description}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>{webhook.kinds.length === 0 ? t.allKinds : t.kindCount(webhook.kinds.length)}</Table.Td>
                <Table.Td>
                  <WebhookState webhook={webhook} />
                </Table.Td>
                <Table.Td>
                  {webhook.lastSuccessAt ? formats.moment(webhook.lastSuccessAt) : t.never}
                  {webhook.consecutiveFailures > 0 && (
                    <Text size="xs" c="dimmed">
                      {t.failing(webhook.consecutiveFailures)}
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </TableRegion>
        )}
      </Listed>
      {isMaking && <WebhookForm webhook={null} onClose={() => setIsMaking(false)} onSaved={setMade} />}
      {made?.secret && (
        <ShownOnce
          title={t.secretTitle}
          label={t.secret}
          value={made.secret}
          onClose={() => navigate({ to: '/administration/webhooks/$id', params: { id: made.id } })}
        />
      )}
    </Screen>
  )
}

export function WebhookState({ webhook: { enabled, disabledReason } }: { webhook: Webhook }) {
  const t = useMessages(webhooks)
  if (enabled) return t.enabled
  if (disabledReason === null || disabledReason === 'manual') return t.disabled
  return (
    <Badge
      variant="light"
      color="red"
      tt="none"
      leftSection={<AlertIcon size={12} />}
      title={t.reasons[disabledReason]}
    >
      {t.disabled}
    </Badge>
  )
}
