import { Badge, Button, Group as Line, Table, Text, Title } from '@mantine/core'
import { PlusIcon } from '@primer/octicons-react'
import { useState } from 'react'
import { useMessages } from '../../language/language.ts'
import { almoner } from '../../session/session.ts'
import { Empty, TableRegion } from '../administration/parts/table-region.tsx'
import { AddPeople } from './add-people.tsx'
import type { Group } from './browsing.ts'
import { groups } from './messages.ts'
import { RemovePerson } from './remove-person.tsx'

interface Props {
  group: Group
  kind: 'leader' | 'member'
}

export function GroupStaff({ group, kind }: Props) {
  const t = useMessages(groups)
  const texts = t.staff[kind]
  const [isAdding, setIsAdding] = useState(false)
  const [leaving, setLeaving] = useState<{ id: string; name: string } | null>(null)
  const people = (kind === 'leader' ? group.leaders : group.members) ?? []
  const { id, selfCanWrite: canChange } = group
  const add = (userIds: string[]) =>
    kind === 'leader'
      ? almoner.addLeadersToGroup({ id, body: { userIds } })
      : almoner.addMembersToGroup({ id, body: { userIds } })
  const remove = (userId: string) =>
    kind === 'leader'
      ? almoner.removeLeadersFromGroup({ id, body: { userIds: [userId] } })
      : almoner.removeMembersFromGroup({ id, body: { userIds: [userId] } })
  return (
    <div>
      <Line justify="space-between" mb="xs">
        <Title order={2}>
          {texts.title} ({people.length})
        </Title>
        {canChange && (
          <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={() => setIsAdding(true)}>
            {texts.add}
          </Button>
        )}
      </Line>
      {people.length === 0 ? (
        <Empty>{texts.none}</Empty>
      ) : (
        <TableRegion label={texts.title} columns={[t.name, ...(canChange ? [''] : [])]} minWidth={0}>
          {people.map((one) => {
            const name = `${one.lastName}, ${one.firstName}`
            return (
              <Table.Tr key={one.id}>
                <Table.Td>
                  <Line gap="xs">
                    <Text size="sm">{name}</Text>
                    {one.registrationInvite === 'sent' && (
                      <Badge variant="default" tt="none" size="sm">
                        {t.invited}
                      </Badge>
                    )}
                  </Line>
                  <Text size="xs" c="dimmed">
                    {one.email}
                  </Text>
                </Table.Td>
                {canChange && (
                  <Table.Td ta="right">
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={t.removeOne(name)}
                      onClick={() => setLeaving({ id: one.id, name })}
                    >
                      {t.remove}
                    </Button>
                  </Table.Td>
                )}
              </Table.Tr>
            )
          })}
        </TableRegion>
      )}
      {isAdding && <AddPeople group={group} memberType={kind} add={add} onClose={() => setIsAdding(false)} />}
      {leaving && (
        <RemovePerson
          title={t.removeTitle(leaving.name)}
          hint={texts.removeHint(group.name)}
          remove={() => remove(leaving.id)}
          onClose={() => setLeaving(null)}
        />
      )}
    </div>
  )
}
