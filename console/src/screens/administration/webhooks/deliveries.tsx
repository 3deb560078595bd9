import { Button, Group, Select, Table, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOrganization } from '../../../frame/person.ts'
import { useFormats } from '../../../language/formats.ts'
import { useMessages } from '../../../language/language.ts'
import { ask } from '../../../session/asking.ts'
import { Listed } from '../parts/listed.tsx'
import { PAGE } from '../parts/pager.tsx'
import { TableRegion } from '../parts/table-region.tsx'
import { DeliveryDetails } from './delivery-details.tsx'
import { type Delivery, DeliveryState } from './delivery-state.tsx'
import { webhooks } from './messages.ts'
import { useWebhookWords } from './webhook-words.ts'

const STATES = ['pending', 'succeeded', 'failed', 'canceled'] as const
/** While something waits to be sent, how it went is worth looking at again. */
const LOOK_AGAIN_MS = 5000

export function Deliveries({ webhookId }: { webhookId: string }) {
  const t = useMessages(webhooks)
  const formats = useFormats()
  const { id: organizationId } = useOrganization()
  const [offset, setOffset] = useState(0)
  const [state, setState] = useState<Delivery['state'] | null>(null)
  const [opened, setOpened] = useState<string | null>(null)
  const { failure } = useWebhookWords()
  const asked = useQuery({
    ...ask('listWebhookDeliveries', {
      organizationId,
      filter: { webhookId, ...(state ? { state } : {}) },
      page: { limit: PAGE, offset },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data: seen } }) =>
      seen?.items.some((one) => one.state === 'pending') ? LOOK_AGAIN_MS : false,
  })
  return (
    <div>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t.deliveries}</Title>
        <Select
          size="xs"
          aria-label={t.state}
          placeholder={t.anyState}
          clearable
          w={180}
          data={STATES.map((value) => ({ value, label: t.deliveryStates[value] }))}
          value={state}
          onChange={(value) => {
            setOffset(0)
            setState(value as Delivery['state'] | null)
          }}
        />
      </Group>
      <Listed of={asked} empty={state ? t.noneFound : t.noDeliveries} paging={{ offset, onChange: setOffset }}>
        {(data) => (
          <TableRegion
            label={t.deliveries}
            columns={[t.event, t.state, t.attempts, t.answer, t.when, '']}
            minWidth={760}
          >
            {data.items.map((delivery) => (
              <Table.Tr key={delivery.id}>
                <Table.Td>{delivery.kind}</Table.Td>
                <Table.Td>
                  <DeliveryState delivery={delivery} />
                </Table.Td>
                <Table.Td>{delivery.attemptCount}</Table.Td>
                <Table.Td>
                  {delivery.lastStatus ?? '—'}
                  {delivery.lastError && (
                    <Text size="xs" c="dimmed">
                      {failure(delivery.lastError)}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>{formats.moment(delivery.createdAt)}</Table.Td>
                <Table.Td ta="right">
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={t.detailsOf(delivery.kind, formats.moment(delivery.createdAt))}
                    onClick={() => setOpened(delivery.id)}
                  >
                    {t.details}
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </TableRegion>
        )}
      </Listed>
      {opened && <DeliveryDetails id={opened} onClose={() => setOpened(null)} />}
    </div>
  )
}
