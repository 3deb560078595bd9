import { Anchor, Badge, Breadcrumbs, Button, Group as Line, Stack, Text } from '@mantine/core'
import { ArrowSwitchIcon, PencilIcon, PlusIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Failure } from '../../frame/failure.tsx'
import { useMay } from '../../frame/person.ts'
import { Screen } from '../../frame/screen.tsx'
import { useGroupName } from '../../language/group-names.ts'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { almoner } from '../../session/session.ts'
import { type Group, isAutomatic, useBrowsing } from './browsing.ts'
import { GroupBrowser } from './group-browser.tsx'
import { ChangeGroup, NewGroup } from './group-dialogs.tsx'
import { GroupIndividuals } from './group-individuals.tsx'
import { GroupStaff } from './group-staff.tsx'
import classes from './groups.module.css'
import { groups } from './messages.ts'
import { MoveGroup } from './move-group.tsx'

export function GroupScreen() {
  const { id } = useParams({ from: '/frame/groups/$id' })
  const t = useMessages(groups)
  const { data: group, error, refetch } = useQuery(ask('getGroup', { id, withMembers: true }))
  return (
    <div className={classes.split}>
      <aside className={classes.aside} aria-label={t.title}>
        <GroupBrowser current={id} />
      </aside>
      <div>
        {error ? (
          <Screen title={t.title}>
            <Failure error={error} onRetry={refetch} />
          </Screen>
        ) : (
          group && <OneGroup key={id} group={group} />
        )}
      </div>
    </div>
  )
}

function OneGroup({ group }: { group: Group }) {
  const t = useMessages(groups)
  const nameOf = useGroupName()
  const navigate = useNavigate()
  const isAdministrator = useMay('org-admin')
  const [dialog, setDialog] = useState<'change' | 'move' | 'new' | null>(null)
  const close = () => setDialog(null)
  const canMove = isAdministrator && !isAutomatic(group)
  return (
    <Screen
      title={nameOf(group)}
      actions={
        <>
          {group.selfCanWrite && (
            <Button size="xs" variant="default" leftSection={<PencilIcon />} onClick={() => setDialog('change')}>
              {t.change}
            </Button>
          )}
          {canMove && (
            <Button size="xs" variant="default" leftSection={<ArrowSwitchIcon />} onClick={() => setDialog('move')}>
              {t.moveTo}
            </Button>
          )}
          {canMove && (
            <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={() => setDialog('new')}>
              {t.newGroupBelow}
            </Button>
          )}
        </>
      }
    >
      <Stack gap="lg">
        <div>
          <Place group={group} />
          <Line gap="xs" mt={6}>
            <Badge variant="default" tt="none">
              {group.type === 'regular' ? t.kinds[group.nodeType] : t.types[group.type]}
            </Badge>
            {!group.isActive && (
              <Badge variant="default" tt="none">
                {t.inactive}
              </Badge>
            )}
            {group.tags.map((tag) => (
              <Badge key={tag} variant="outline" color="gray" tt="none" c="dimmed">
                {tag}
              </Badge>
            ))}
          </Line>
          {group.type !== 'regular' && (
            <Text size="sm" c="dimmed" mt="xs">
              {t.typeHints[group.type]}
            </Text>
          )}
        </div>
        {group.type !== 'provider_only' && <GroupIndividuals group={group} />}
        {!isAutomatic(group) && <GroupStaff group={group} kind="leader" />}
        {!isAutomatic(group) && <GroupStaff group={group} kind="member" />}
      </Stack>
      {dialog === 'change' && <ChangeGroup group={group} onClose={close} />}
      {dialog === 'move' && <MoveGroup group={group} onClose={close} />}
      {dialog === 'new' && (
        <NewGroup parent={group} onClose={close} onMade={(id) => navigate({ to: '/groups/$id', params: { id } })} />
      )}
    </Screen>
  )
}

/** The groups above it, from the top; the tree is unfolded down to here. */
function Place({ group }: { group: Group }) {
  const t = useMessages(groups)
  const { setOpen } = useBrowsing()
  const { data: above } = useQuery({
    queryKey: ['getGroup', 'above', group.id, group.parentGroup?.id],
    queryFn: async () => {
      const path: { id: string; name: string }[] = []
      for (let next = group.parentGroup; next; ) {
        path.unshift(next)
        next = (await almoner.getGroup({ id: next.id })).parentGroup
      }
      return path
    },
  })
  useEffect(() => {
    // Once for each path: what is folded later stays folded.
    if (above) setOpen((open) => new Set([...open, ...above.map(({ id }) => id)]))
  }, [above, setOpen])
  return (
    <nav aria-label={t.place}>
      <Breadcrumbs separatorMargin={6}>
        <Anchor component={Link} to="/groups" size="sm">
          {t.all}
        </Anchor>
        {above?.map(({ id, name }) => (
          <Anchor key={id} component={Link} to={`/groups/${id}`} size="sm">
            {name}
          </Anchor>
        ))}
      </Breadcrumbs>
    </nav>
  )
}
