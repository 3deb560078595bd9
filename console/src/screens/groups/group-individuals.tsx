import { Anchor, Button, Group as Line, Table, Text, Title } from '@mantine/core'
import { PlusIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { almoner } from '../../session/session.ts'
import { Listed } from '../administration/parts/listed.tsx'
import { PAGE } from '../administration/parts/pager.tsx'
import { TableRegion } from '../administration/parts/table-region.tsx'
import { AddPeople } from './add-people.tsx'
import { type Group, isAutomatic } from './browsing.ts'
import { groups } from './messages.ts'
import { RemovePerson } from './remove-person.tsx'

export function GroupIndividuals({ group }: { group: Group }) {
  const t = useMessages(groups)
  const formats = useFormats()
  const [offset, setOffset] = useState(0)
  const [isAdding, setIsAdding] = useState(false)
  const [leaving, setLeaving] = useState<{ id: string; name: string } | null>(null)
  const { id, organizationId } = group
  const asked = useQuery({
    ...ask('listIndividuals', {
      organizationId,
      filter: { individualGroupId: id },
      fields: ['firstName', 'lastName', 'birthDate', 'email'],
      page: { limit: PAGE, offset },
    }),
    placeholderData: keepPreviousData,
  })
  const canChange = group.selfCanWrite && !isAutomatic(group)
  return (
    <div>
      <Line justify="space-between" mb="xs">
        <Title order={2}>
          {t.patients} {asked.data && `(${formats.number(asked.data.total)})`}
        </Title>
        {canChange && (
          <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={() => setIsAdding(true)}>
            {t.addPatients}
          </Button>
        )}
      </Line>
      <Listed of={asked} empty={canChange ? t.noPatients : t.noPatientsHere} paging={{ offset, onChange: setOffset }}>
        {(data) => (
          <TableRegion label={t.patients} columns={[t.name, t.born, ...(canChange ? [''] : [])]} minWidth={0}>
            {data.items.map((one) => {
              const name = `${one.lastName}, ${one.firstName}`
              return (
                <Table.Tr key={one.id}>
                  <Table.Td>
                    <Anchor component={Link} to={`/patients/${one.id}`} size="sm">
                      {name}
                    </Anchor>
                    <Text size="xs" c="dimmed">
                      {one.email}
                    </Text>
                  </Table.Td>
                  <Table.Td>{one.birthDate ? formats.day(one.birthDate) : '—'}</Table.Td>
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
      </Listed>
      {isAdding && (
        <AddPeople
          group={group}
          memberType="individual"
          add={(ids) => almoner.addIndividualsToGroup({ id, body: { individualIds: ids } })}
          onClose={() => setIsAdding(false)}
        />
      )}
      {leaving && (
        <RemovePerson
          title={t.removeTitle(leaving.name)}
          hint={t.removePatientHint(group.name)}
          remove={() => almoner.removeIndividualsFromGroup({ id, body: { individualIds: [leaving.id] } })}
          onClose={() => setLeaving(null)}
        />
      )}
    </div>
  )
}
