import type { AnswerTo } from '@almoner/client'
import { Button, Group, Modal, Table, Text, Textarea, TextInput, Title } from '@mantine/core'
import { PlusIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { faultsOf } from '../../../frame/faults.ts'
import { useOrganization } from '../../../frame/person.ts'
import { useFormats } from '../../../language/formats.ts'
import { useMessages } from '../../../language/language.ts'
import { ask } from '../../../session/asking.ts'
import { almoner } from '../../../session/session.ts'
import { useChange } from '../parts/changing.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Listed } from '../parts/listed.tsx'
import { parts } from '../parts/messages.ts'
import classes from '../parts/parts.module.css'
import { TableRegion } from '../parts/table-region.tsx'
import { organization } from './messages.ts'

type Document = AnswerTo<'listServiceDocuments'>['items'][number]
type Opened = { kind: 'new' } | { kind: 'read' | 'switch'; document: Document }

export function Documents() {
  const t = useMessages(organization)
  const shared = useMessages(parts)
  const formats = useFormats()
  const { id: organizationId } = useOrganization()
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const asked = useQuery(ask('listServiceDocuments', { organizationId, filter: { includeInactive: true } }))
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Title order={2}>{t.documents}</Title>
        <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={() => setOpened({ kind: 'new' })}>
          {t.newDocument}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mb="xs" maw={640}>
        {t.documentsHint}
      </Text>
      <Listed of={asked} empty={t.noDocuments}>
        {(data) => (
          <TableRegion label={t.documents} columns={[t.documentTitle, t.state, t.added, '']} minWidth={560}>
            {data.items.map((document) => (
              <Table.Tr key={document.id}>
                <Table.Td>{document.title}</Table.Td>
                <Table.Td>{document.isActive ? t.inForce : t.outOfForce}</Table.Td>
                <Table.Td>{formats.moment(document.createdAt)}</Table.Td>
                <Table.Td>
                  <Group gap="xs" justify="flex-end" wrap="nowrap">
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={t.readOne(document.title)}
                      onClick={() => setOpened({ kind: 'read', document })}
                    >
                      {t.read}
                    </Button>
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={document.isActive ? t.takeOutOne(document.title) : t.putBackOne(document.title)}
                      onClick={() => setOpened({ kind: 'switch', document })}
                    >
                      {document.isActive ? t.takeOut : t.putBack}
                    </Button>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </TableRegion>
        )}
      </Listed>
      {opened?.kind === 'new' && <NewDocument onClose={close} />}
      {opened?.kind === 'switch' && <Switch document={opened.document} onClose={close} />}
      {opened?.kind === 'read' && (
        <Modal
          opened
          onClose={close}
          title={opened.document.title}
          size="lg"
          closeButtonProps={{ 'aria-label': shared.close }}
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by the keyboard */}
          <pre className={classes.code} tabIndex={0}>
            {opened.document.body}
          </pre>
        </Modal>
      )}
    </div>
  )
}

function NewDocument({ onClose }: { onClose: () => void }) {
  const t = useMessages(organization)
  const { id: organizationId } = useOrganization()
  const [title, setTitle] = useState('')
  const [body, setBody] = useState('')
  const making = useChange(
    () => almoner.createServiceDocument({ body: { organizationId, title: title.trim(), body } }),
    {
      refresh: ['listServiceDocuments'],
      done: t.created,
      onDone: onClose,
    },
  )
  const { fields: at, rest } = faultsOf(making.error, ['title', 'body'])
  return (
    <FormDialog
      title={t.newDocument}
      action={t.create}
      size="lg"
      isBusy={making.isPending}
      error={rest}
      onSubmit={() => making.mutate(undefined)}
      onClose={onClose}
    >
      <TextInput
        label={t.documentTitle}
        required
        data-autofocus
        value={title}
        error={at.title}
        onChange={({ currentTarget }) => setTitle(currentTarget.value)}
      />
      <Textarea
        label={t.body}
        description={t.bodyHint}
        required
        autosize
        minRows={8}
        maxRows={18}
        value={body}
        error={at.body}
        onChange={({ currentTarget }) => setBody(currentTarget.value)}
      />
    </FormDialog>
  )
}

function Switch({ document, onClose }: { document: Document; onClose: () => void }) {
  const t = useMessages(organization)
  const { id, title, isActive } = document
  const switching = useChange(() => almoner.modifyServiceDocument({ id, body: { isActive: !isActive } }), {
    refresh: ['listServiceDocuments'],
    done: t.changed,
    onDone: onClose,
  })
  return (
    <FormDialog
      title={isActive ? t.takeOutOne(title) : t.putBackOne(title)}
      action={isActive ? t.takeOut : t.putBack}
      isDestructive={isActive}
      isBusy={switching.isPending}
      error={switching.error}
      onSubmit={() => switching.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm">{isActive ? t.takeOutHint : t.putBackHint}</Text>
    </FormDialog>
  )
}
