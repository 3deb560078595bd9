import { Button, Card, Group, Skeleton, Text } from '@mantine/core'
import { SyncIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '../../frame/failure.tsx'
import { useOrganization } from '../../frame/person.ts'
import { Screen } from '../../frame/screen.tsx'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { AlertFilters } from './alert-filters.tsx'
import classes from './alert-list.module.css'
import { AlertList } from './alert-list.tsx'
import type { AlertSearch } from './alert-search.ts'
import { alerts } from './messages.ts'
import { SettleDialog, type Settling } from './settle-dialog.tsx'
import { useWorklist } from './worklist.ts'

export function AlertsScreen() {
  const t = useMessages(alerts)
  const search = useSearch({ from: '/frame/alerts' })
  const navigate = useNavigate({ from: '/alerts' })
  const { query, items, total, freshCount, show, hasMore, showMore } = useWorklist(search)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [settling, setSettling] = useState<Settling | null>(null)
  const isFiltered = Object.values(search).some((one) => one !== undefined)
  const change = (changed: Partial<AlertSearch>) => {
    setSelected(new Set())
    return navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  }
  const select = (id: string, isSelected: boolean) =>
    setSelected((before) => {
      const after = new Set(before)
      if (isSelected) after.add(id)
      else after.delete(id)
      return after
    })
  const open = items.filter(({ state }) => state === 'open')
  const chosen = open.filter(({ id }) => selected.has(id))
  return (
    <Screen
      title={t.title}
      actions={
        <Button component={Link} to="/alert-rules" variant="default" size="xs">
          {t.rules}
        </Button>
      }
    >
      <AlertFilters search={search} onChange={change} />
      {query.error && <Failure error={query.error} onRetry={() => query.refetch()} />}
      {query.isPending && <Skeleton height={240} />}
      {query.data && (
        <>
          <div className={classes.bar}>
            <Text size="sm" c="dimmed" role="status">
              {chosen.length > 0 ? t.selected(chosen.length) : t.count(total)}
            </Text>
            <Group gap="xs">
              {freshCount > 0 && (
                <Button size="xs" className={classes.fresh} leftSection={<SyncIcon size={14} />} onClick={show}>
                  {t.fresh(freshCount)}
                </Button>
              )}
              {chosen.length > 0 ? (
                <>
                  <Button size="xs" onClick={() => setSettling({ how: 'acknowledge', alerts: chosen })}>
                    {t.acknowledgeThese(chosen.length)}
                  </Button>
                  <Button size="xs" variant="default" onClick={() => setSelected(new Set())}>
                    {t.unselect}
                  </Button>
                </>
              ) : (
                open.length > 1 && (
                  <Button size="xs" variant="default" onClick={() => setSelected(new Set(open.map(({ id }) => id)))}>
                    {t.selectAll}
                  </Button>
                )
              )}
            </Group>
          </div>
          {items.length === 0 ? (
            <Card withBorder p="lg">
              <Text fw={600}>{isFiltered ? t.noneFiltered : t.none}</Text>
              {isFiltered ? (
                <Button variant="default" size="xs" mt="sm" w="fit-content" onClick={() => navigate({ search: {} })}>
                  {t.reset}
                </Button>
              ) : (
                <NoneHint />
              )}
            </Card>
          ) : (
            <AlertList items={items} selected={selected} onSelect={select} onSettle={setSettling} />
          )}
          {hasMore && (
            <Button variant="default" mt="sm" onClick={showMore} loading={query.isFetching}>
              {t.more}
            </Button>
          )}
          {items.length > 0 && (
            <Text size="xs" c="dimmed" mt="sm" visibleFrom="sm">
              {t.keys}
            </Text>
          )}
        </>
      )}
      <SettleDialog
        settling={settling}
        onClose={(isDone) => {
          setSettling(null)
          if (isDone) setSelected(new Set())
        }}
      />
    </Screen>
  )
}

/** Without a rule nothing is ever found, which is not the same as all being well. */
function NoneHint() {
  const t = useMessages(alerts)
  const { id: organizationId } = useOrganization()
  const { data } = useQuery(ask('listAlertRules', { organizationId, page: { limit: 1 } }))
  if (data?.total !== 0)
    return (
      <Text size="sm" c="dimmed">
        {data && t.noneHint}
      </Text>
    )
  return (
    <>
      <Text size="sm" c="dimmed">
        {t.noRules}
      </Text>
      <Button component={Link} to="/alert-rules/new" size="xs" mt="sm" w="fit-content">
        {t.firstRule}
      </Button>
    </>
  )
}
