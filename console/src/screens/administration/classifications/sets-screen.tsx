import type { AnswerTo } from '@almoner/client'
import { Anchor, Button, Loader, Table, Text } from '@mantine/core'
import { PlusIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Failure } from '../../../frame/failure.tsx'
import { useOrganization } from '../../../frame/person.ts'
import { Screen } from '../../../frame/screen.tsx'
import { useFormats } from '../../../language/formats.ts'
import { useMessages } from '../../../language/language.ts'
import { ask } from '../../../session/asking.ts'
import { useMetrics } from '../../alerts/metric-names.ts'
import { TableRegion } from '../parts/table-region.tsx'
import { sets } from './messages.ts'

export type ClassificationSet = AnswerTo<'listClassificationSets'>['items'][number]

export function useSets() {
  const { id: organizationId } = useOrganization()
  return useQuery(ask('listClassificationSets', { organizationId, page: { limit: 1000 } }))
}

/** Those that come with the product have names in both languages. */
export function useSetName(): (set: ClassificationSet) => string {
  const shipped: Record<string, string> = useMessages(sets).shippedNames
  return ({ organizationId, name }) => (organizationId === null ? (shipped[name] ?? name) : name)
}

export function SetsScreen() {
  const t = useMessages(sets)
  const formats = useFormats()
  const { data, error, refetch } = useSets()
  const metrics = useMetrics()
  const nameOf = useSetName()
  const stateOf = ({ organizationId, metricType, field, isActive }: ClassificationSet) => {
    const isReplaced = data?.items.some(
      (one) => one.organizationId && one.isActive && one.metricType === metricType && one.field === field,
    )
    if (organizationId === null && isReplaced) return t.replaced
    return isActive ? t.inUse : t.notInUse
  }
  return (
    <Screen
      title={t.title}
      actions={
        <Button component={Link} to="/administration/classifications/new" leftSection={<PlusIcon />}>
          {t.newSet}
        </Button>
      }
    >
      <Text size="sm" c="dimmed" mb="sm" maw={640}>
        {t.hint}
      </Text>
      {error ? (
        <Failure error={error} onRetry={refetch} />
      ) : !data ? (
        <Loader size="sm" />
      ) : (
        <TableRegion
          label={t.table}
          columns={[t.name, t.reading, t.owner, t.ranges, t.state, t.changed]}
          minWidth={820}
        >
          {data.items.map((set) => (
            <Table.Tr key={set.id}>
              <Table.Td>
                <Anchor component={Link} to={`/administration/classifications/${set.id}`} size="sm" fw={500}>
                  {nameOf(set)}
                </Anchor>
              </Table.Td>
              <Table.Td>
                {metrics.typeName(set.metricType)}
                {set.field !== 'value' && ` · ${metrics.fieldName(set.field)}`}
              </Table.Td>
              <Table.Td>{set.organizationId ? t.own : t.shipped}</Table.Td>
              <Table.Td>{set.ranges.length}</Table.Td>
              <Table.Td>{stateOf(set)}</Table.Td>
              <Table.Td>{set.organizationId ? formats.moment(set.lastModifiedAt) : '—'}</Table.Td>
            </Table.Tr>
          ))}
        </TableRegion>
      )}
    </Screen>
  )
}
