// Who is told, and what work it makes.

import { Card, Checkbox, Group, MultiSelect, Select, SimpleGrid, Stack, Switch, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../../frame/person.ts'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import type { Draft } from './draft.ts'
import { NumberField, Part, type PartProps } from './form-parts.tsx'
import { rules } from './messages.ts'
import { useGroups } from './rule-sentence.ts'

const WAYS = ['in-app', 'email', 'sms'] as const

export function ToldFields({ draft, onChange, fault }: PartProps) {
  const t = useMessages(rules)
  const { id: organizationId } = useOrganization()
  const groups = useGroups().map(({ id, name }) => ({ value: id, label: name }))
  const { data } = useQuery(
    ask('listIndividuals', {
      organizationId,
      filter: { accountType: 'provider' },
      fields: ['firstName', 'lastName'],
      page: { limit: 1000 },
    }),
  )
  const staff = (data?.items ?? []).map((one) => ({ value: one.id, label: `${one.lastName}, ${one.firstName}` }))
  const { notify, hasWork, work } = draft
  const tell = (changed: Partial<Draft['notify']>) => onChange({ notify: { ...notify, ...changed } })
  const give = (changed: Partial<Draft['work']>) => onChange({ work: { ...work, ...changed } })
  return (
    <Card withBorder>
      <Stack gap="lg">
        <Part legend={t.told}>
          <Stack gap="sm">
            <MultiSelect
              label={t.people}
              description={t.peopleHint}
              searchable
              data={staff}
              value={notify.individualIds}
              onChange={(individualIds) => tell({ individualIds })}
              error={fault('notify/individual-ids')}
            />
            <MultiSelect
              label={t.groups}
              description={t.groupsHint}
              searchable
              data={groups}
              value={notify.groupIds}
              onChange={(groupIds) => tell({ groupIds })}
              error={fault('notify/group-ids')}
            />
            <Checkbox
              label={t.tellPatient}
              checked={notify.patient}
              onChange={(event) => tell({ patient: event.currentTarget.checked })}
            />
            <Checkbox.Group
              label={t.channels}
              description={t.channelsHint}
              value={notify.channels}
              onChange={(channels) => tell({ channels: channels as Draft['notify']['channels'] })}
              error={fault('notify/channels')}
            >
              <Group gap="md" mt={6}>
                {WAYS.map((way) => (
                  <Checkbox key={way} value={way} label={t.ways[way]} />
                ))}
              </Group>
            </Checkbox.Group>
            {notify.individualIds.length + notify.groupIds.length === 0 && !notify.patient && (
              <Text size="sm">{t.nobodyTold}</Text>
            )}
          </Stack>
        </Part>
        <Part legend={t.work}>
          <Stack gap="sm">
            <Switch
              label={t.addWork}
              checked={hasWork}
              onChange={(event) => onChange({ hasWork: event.currentTarget.checked })}
            />
            {hasWork && (
              <>
                <SimpleGrid cols={{ base: 1, xs: 2 }}>
                  <Select
                    label={t.workGroup}
                    searchable
                    data={groups}
                    value={work.groupId}
                    onChange={(groupId) => give({ groupId })}
                    error={fault('worklist-entry/group-id')}
                  />
                  <NumberField
                    label={t.workDue}
                    allowDecimal={false}
                    allowNegative={false}
                    value={work.dueInHours}
                    onChange={(dueInHours) => give({ dueInHours })}
                    error={fault('worklist-entry/due-in-hours')}
                  />
                </SimpleGrid>
                <Textarea
                  label={t.workText}
                  autosize
                  minRows={2}
                  maxLength={1000}
                  value={work.text}
                  onChange={(event) => give({ text: event.currentTarget.value })}
                  error={fault('worklist-entry/text')}
                />
              </>
            )}
          </Stack>
        </Part>
        <Switch
          label={t.isOn}
          checked={draft.enabled}
          onChange={(event) => onChange({ enabled: event.currentTarget.checked })}
        />
      </Stack>
    </Card>
  )
}
