import { Radio, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { notifyFailure } from '../../frame/failure.tsx'
import { faultsOf } from '../../frame/faults.ts'
import { useOrganization } from '../../frame/person.ts'
import { useMessages } from '../../language/language.ts'
import { almoner } from '../../session/session.ts'
import { useChange } from '../administration/parts/changing.ts'
import { FormDialog } from '../administration/parts/form-dialog.tsx'
import { type Group, isAutomatic } from './browsing.ts'
import { groups } from './messages.ts'

type Parent = Pick<Group, 'id' | 'name'>
const KINDS = ['group', 'division', 'team'] as const
type Kind = (typeof KINDS)[number]

interface NewProps {
  parent: Parent | null
  onClose: () => void
  onMade: (id: string) => void
}

export function NewGroup({ parent, onClose, onMade }: NewProps) {
  const t = useMessages(groups)
  const { id: organizationId } = useOrganization()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Kind>('group')
  const [tags, setTags] = useState<string[]>([])
  const making = useChange(
    async () => {
      const type = kind === 'team' ? 'provider_only' : 'regular'
      const nodeType = kind === 'division' ? 'division' : 'group'
      const made = await almoner.createGroup({ body: { organizationId, name: name.trim(), type, nodeType, tags } })
      // The group is there already: that it could not be moved is said, and it is shown where it is.
      if (parent) await almoner.moveGroup({ id: made.id, body: { toParentGroupId: parent.id } }).catch(notifyFailure)
      return made
    },
    {
      refresh: ['listGroups', 'getGroup'],
      done: t.made(name.trim()),
      onDone: ({ id }) => {
        onClose()
        onMade(id)
      },
    },
  )
  const { fields: at, rest } = faultsOf(making.error, ['name', 'tags'])
  return (
    <FormDialog
      title={parent ? t.newBelow(parent.name) : t.newGroup}
      action={t.make}
      isBusy={making.isPending}
      error={rest}
      onSubmit={() => making.mutate(undefined)}
      onClose={onClose}
    >
      <TextInput
        label={t.name}
        required
        data-autofocus
        value={name}
        error={at.name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Radio.Group label={t.kind} value={kind} onChange={(value) => setKind(value as Kind)}>
        <Stack gap={6} mt={4}>
          {KINDS.map((one) => (
            <Radio key={one} value={one} label={t.kinds[one]} description={t.kindHints[one]} />
          ))}
        </Stack>
      </Radio.Group>
      <TagsInput
        label={t.tags}
        description={t.tagsHint}
        value={tags}
        onChange={setTags}
        error={at.tags}
        maxTags={100}
      />
    </FormDialog>
  )
}

export function ChangeGroup({ group, onClose }: { group: Group; onClose: () => void }) {
  const t = useMessages(groups)
  const [name, setName] = useState(group.name)
  const [tags, setTags] = useState(group.tags)
  const [isActive, setIsActive] = useState(group.isActive)
  const saving = useChange(
    () =>
      almoner.updateGroup({
        id: group.id,
        body: { name: name.trim(), tags, ...(isActive === group.isActive ? {} : { isActive }) },
      }),
    { refresh: ['listGroups', 'getGroup'], done: t.saved, onDone: onClose },
  )
  const { fields: at, rest } = faultsOf(saving.error, ['name', 'tags'])
  return (
    <FormDialog
      title={t.changeGroup(group.name)}
      isBusy={saving.isPending}
      error={rest}
      onSubmit={() => saving.mutate(undefined)}
      onClose={onClose}
    >
      <TextInput
        label={t.name}
        required
        data-autofocus
        value={name}
        error={at.name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TagsInput
        label={t.tags}
        description={t.tagsHint}
        value={tags}
        onChange={setTags}
        error={at.tags}
        maxTags={100}
      />
      {!isAutomatic(group) && (
        <Switch
          label={t.active}
          description={t.activeHint}
          checked={isActive}
          onChange={({ currentTarget }) => setIsActive(currentTarget.checked)}
        />
      )}
      {group.isActive && !isActive && <Text size="sm">{t.willBeInactive}</Text>}
    </FormDialog>
  )
}
