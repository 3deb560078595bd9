import { Button, Checkbox, Fieldset, Group, Popover, Select, Stack, TextInput } from '@mantine/core'
import { FilterIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOrganization } from '../../frame/person.ts'
import { useGroupName } from '../../language/group-names.ts'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { patients } from './messages.ts'
import classes from './patients.module.css'
import { filterCount, INVITES, listed, type PatientsSearch, STATES, withoutFilters } from './search.ts'

interface Props {
  search: PatientsSearch
  onChange: (part: PatientsSearch) => void
}

const MOST = 1000

export function Filters({ search, onChange }: Props) {
  const t = useMessages(patients)
  const [isOpen, setOpen] = useState(false)
  const count = filterCount(search)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus withinPortal shadow="md" width={320}>
      <Popover.Target>
        <Button
          variant="default"
          className={count > 0 ? classes.on : undefined}
          leftSection={<FilterIcon />}
          onClick={() => setOpen(!isOpen)}
        >
          {count > 0 ? t.filtersOn(count) : t.filters}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t.filters}>
        {isOpen && <FilterForm search={search} onChange={onChange} />}
      </Popover.Dropdown>
    </Popover>
  )
}

function FilterForm({ search, onChange }: Props) {
  const t = useMessages(patients)
  const { id: organizationId } = useOrganization()
  const { data: groups } = useQuery(
    ask('listGroups', { organizationId, type: ['regular', 'unassigned'], page: { limit: MOST } }),
  )
  const { data: tags } = useQuery(ask('listTags', { organizationId, page: { limit: MOST } }))
  const nameOf = useGroupName()
  const options = (items: { id: string; name: string }[] | undefined) =>
    (items ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Stack gap="sm">
      <Fieldset legend={t.state} variant="unstyled">
        <Checkbox.Group
          value={listed(search.state, STATES)}
          onChange={(state) => onChange({ state: state.join(',') || undefined })}
        >
          <Stack gap={6} mt={4}>
            {STATES.map((state) => (
              <Checkbox key={state} size="xs" value={state} label={t.states[state]} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Fieldset>
      <Fieldset legend={t.invite} variant="unstyled">
        <Checkbox.Group
          value={listed(search.invite, INVITES)}
          onChange={(invite) => onChange({ invite: invite.join(',') || undefined })}
        >
          <Group gap="sm" mt={4}>
            {INVITES.map((invite) => (
              <Checkbox key={invite} size="xs" value={invite} label={t.invites[invite]} />
            ))}
          </Group>
        </Checkbox.Group>
      </Fieldset>
      <Select
        size="xs"
        label={t.group}
        placeholder={t.anyGroup}
        searchable
        clearable
        comboboxProps={{ withinPortal: false }}
        data={options(groups?.items.map((one) => ({ id: one.id, name: nameOf(one) })))}
        value={search.group ?? null}
        onChange={(group) => onChange({ group: group ?? undefined })}
      />
      <Select
        size="xs"
        label={t.tag}
        placeholder={t.anyTag}
        searchable
        clearable
        comboboxProps={{ withinPortal: false }}
        data={options(tags?.items)}
        value={search.tag ?? null}
        onChange={(tag) => onChange({ tag: tag ?? undefined })}
      />
      <Group grow gap="xs">
        <DayInput label={t.bornFrom} value={search.bornFrom} onChange={(bornFrom) => onChange({ bornFrom })} />
        <DayInput label={t.bornTo} value={search.bornTo} onChange={(bornTo) => onChange({ bornTo })} />
      </Group>
      <Button
        size="xs"
        variant="subtle"
        disabled={filterCount(search) === 0}
        onClick={() => onChange({ ...CLEARED, ...withoutFilters(search) })}
      >
        {t.clear}
      </Button>
    </Stack>
  )
}

const CLEARED: PatientsSearch = {
  state: undefined,
  invite: undefined,
  group: undefined,
  tag: undefined,
  bornFrom: undefined,
  bornTo: undefined,
}

/** The browser's own, which knows how its user writes dates. */
function DayInput({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | undefined
  onChange: (day: string | undefined) => void
}) {
  return (
    <TextInput
      type="date"
      size="xs"
      label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  )
}
