import type { AnswerTo } from '@almoner/client'
import { Badge, Button, Group, Modal, Select, Stack, Table, Text } from '@mantine/core'
import { AlertIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOrganization } from '../../../frame/person.ts'
import { Screen } from '../../../frame/screen.tsx'
import { useFormats } from '../../../language/formats.ts'
import { useMessages } from '../../../language/language.ts'
import { ask } from '../../../session/asking.ts'
import { Listed } from '../parts/listed.tsx'
import { parts } from '../parts/messages.ts'
import { PAGE } from '../parts/pager.tsx'
import classes from '../parts/parts.module.css'
import { TableRegion } from '../parts/table-region.tsx'
import { outbox } from './messages.ts'

type Message = AnswerTo<'listOutboundMessages'>['items'][number]

const STATUSES = ['created', 'sent', 'failed'] as const
const CHANNELS = ['email', 'sms'] as const

export function OutboxScreen() {
  const t = useMessages(outbox)
  const formats = useFormats()
  const { id: organizationId } = useOrganization()
  const [offset, setOffset] = useState(0)
  const [status, setStatus] = useState<Message['status'] | null>(null)
  const [channel, setChannel] = useState<Message['channel'] | null>(null)
  const [opened, setOpened] = useState<Message | null>(null)
  const asked = useQuery({
    ...ask('listOutboundMessages', {
      organizationId,
      filter: { ...(status ? { status } : {}), ...(channel ? { channel } : {}) },
      page: { limit: PAGE, offset },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <Screen title={t.title}>
      <Text size="sm" c="dimmed" mb="sm" maw={640}>
        {t.hint}
      </Text>
      <Group gap="xs" mb="sm">
        <Select
          aria-label={t.status}
          placeholder={t.anyStatus}
          clearable
          w={{ base: '100%', xs: 200 }}
          data={STATUSES.map((value) => ({ value, label: t.statuses[value] }))}
          value={status}
          onChange={(value) => {
            setOffset(0)
            setStatus(value as Message['status'] | null)
          }}
        />
        <Select
          aria-label={t.channel}
          placeholder={t.anyChannel}
          clearable
          w={{ base: '100%', xs: 200 }}
          data={CHANNELS.map((value) => ({ value, label: t.channels[value] }))}
          value={channel}
          onChange={(value) => {
            setOffset(0)
            setChannel(value as Message['channel'] | null)
          }}
        />
      </Group>
      <Listed of={asked} empty={t.none} paging={{ offset, onChange: setOffset }}>
        {(data) => (
          <TableRegion label={t.table} columns={[t.to, t.about, t.channel, t.status, t.created, '']} minWidth={760}>
            {data.items.map((message) => (
              <Table.Tr key={message.id}>
                <Table.Td>{message.recipient}</Table.Td>
                <Table.Td>{message.subject ?? message.purpose}</Table.Td>
                <Table.Td>{t.channels[message.channel]}</Table.Td>
                <Table.Td>
                  <Status message={message} />
                </Table.Td>
                <Table.Td>{formats.moment(message.createdAt)}</Table.Td>
                <Table.Td ta="right">
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={t.readOne(message.recipient)}
                    onClick={() => setOpened(message)}
                  >
                    {t.read}
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </TableRegion>
        )}
      </Listed>
      {opened && <Opened message={opened} onClose={() => setOpened(null)} />}
    </Screen>
  )
}

function Status({ message: { status, error } }: { message: Message }) {
  const t = useMessages(outbox)
  return (
    <>
      {status === 'failed' ? (
        <Badge variant="light" color="red" tt="none" leftSection={<AlertIcon size={12} />}>
          {t.statuses.failed}
        </Badge>
      ) : (
        t.statuses[status]
      )}
      {error && (
        <Text size="xs" c="dimmed">
          {error}
        </Text>
      )}
    </>
  )
}

function Opened({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useMessages(outbox)
  const { close } = useMessages(parts)
  const formats = useFormats()
  const { recipient, subject, purpose, text, error, attempts, sentAt } = message
  return (
    <Modal opened onClose={onClose} title={subject ?? purpose} closeButtonProps={{ 'aria-label': close }}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {t.to} {recipient} · {t.attempts(attempts)}
          {sentAt && ` · ${t.sentAt(formats.moment(sentAt))}`}
        </Text>
        {error && <Text size="sm">{error}</Text>}
        {text === null ? (
          <Text size="sm">{t.erased}</Text>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by the keyboard
          <pre className={classes.code} tabIndex={0}>
            {text}
          </pre>
        )}
      </Stack>
    </Modal>
  )
}
