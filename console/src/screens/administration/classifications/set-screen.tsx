import { Anchor, Button, Loader, Stack, Text } from '@mantine/core'
import { CopyIcon } from '@primer/octicons-react'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '../../../frame/failure.tsx'
import { Screen } from '../../../frame/screen.tsx'
import { useMessages } from '../../../language/language.ts'
import { almoner } from '../../../session/session.ts'
import { useChange } from '../parts/changing.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import classes from '../parts/parts.module.css'
import { sets } from './messages.ts'
import { RangeBars } from './range-bar.tsx'
import { ReadRows } from './range-rows.tsx'
import { SetEditor } from './set-editor.tsx'
import { type ClassificationSet, useSetName, useSets } from './sets-screen.tsx'

export function SetScreen() {
  const t = useMessages(sets)
  const { id } = useParams({ from: '/frame/administration/classifications/$id' })
  const { copy } = useSearch({ from: '/frame/administration/classifications/$id' })
  const { data, error, refetch } = useSets()
  if (error)
    return (
      <Screen title={t.title}>
        <Failure error={error} onRetry={refetch} />
      </Screen>
    )
  if (!data) return <Loader size="sm" />
  const find = (wanted: string | undefined) => data.items.find((one) => one.id === wanted)
  const set = find(id)
  if (id === 'new') return <NewSet key={copy ?? ''} copied={find(copy)} />
  if (!set)
    return (
      <Screen title={t.title}>
        <Text mb="sm">{t.missing}</Text>
        <Back />
      </Screen>
    )
  return set.organizationId ? <OwnSet key={id} set={set} /> : <ShippedSet set={set} />
}

const Back = () => {
  const t = useMessages(sets)
  return (
    <Anchor component={Link} to="/administration/classifications" size="sm" display="inline-block" mb="sm">
      {t.back}
    </Anchor>
  )
}

function NewSet({ copied }: { copied: ClassificationSet | undefined }) {
  const t = useMessages(sets)
  const nameOf = useSetName()
  const navigate = useNavigate()
  return (
    <Screen title={t.newSet}>
      <Back />
      <SetEditor
        set={null}
        start={copied && { ...copied, name: t.copyOf(nameOf(copied)) }}
        onMade={({ id }) =>
          navigate({ to: '/administration/classifications/$id', params: { id }, search: { copy: undefined } })
        }
      />
    </Screen>
  )
}

function OwnSet({ set }: { set: ClassificationSet }) {
  const t = useMessages(sets)
  const [isRemoving, setIsRemoving] = useState(false)
  return (
    <Screen
      title={set.name}
      actions={
        <Button variant="default" onClick={() => setIsRemoving(true)}>
          {t.remove}
        </Button>
      }
    >
      <Back />
      <SetEditor set={set} start={set} />
      {isRemoving && <RemoveSet set={set} onClose={() => setIsRemoving(false)} />}
    </Screen>
  )
}

function ShippedSet({ set }: { set: ClassificationSet }) {
  const t = useMessages(sets)
  const nameOf = useSetName()
  return (
    <Screen
      title={nameOf(set)}
      actions={
        <Button
          renderRoot={(props) => (
            <Link
              {...props}
              to="/administration/classifications/$id"
              params={{ id: 'new' }}
              search={{ copy: set.id }}
            />
          )}
          leftSection={<CopyIcon />}
        >
          {t.copy}
        </Button>
      }
    >
      <Back />
      <Stack gap="md">
        <Text size="sm" maw={640}>
          {t.shippedHint}
        </Text>
        <div className={classes.panel}>
          <RangeBars ranges={set.ranges} />
        </div>
        <ReadRows ranges={set.ranges} />
        <Text size="sm" c="dimmed" maw={640}>
          {set.origin}
        </Text>
      </Stack>
    </Screen>
  )
}

function RemoveSet({ set, onClose }: { set: ClassificationSet; onClose: () => void }) {
  const t = useMessages(sets)
  const navigate = useNavigate()
  const removing = useChange(() => almoner.deleteClassificationSet({ id: set.id }), {
    refresh: ['listClassificationSets'],
    done: t.removed,
    onDone: () => navigate({ to: '/administration/classifications' }),
  })
  return (
    <FormDialog
      title={t.removeTitle(set.name)}
      action={t.remove}
      isDestructive
      isBusy={removing.isPending}
      error={removing.error}
      onSubmit={() => removing.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm">{t.removeHint}</Text>
    </FormDialog>
  )
}
