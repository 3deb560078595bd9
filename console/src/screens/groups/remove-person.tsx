import { Text } from '@mantine/core'
import { useMessages } from '../../language/language.ts'
import { useChange } from '../administration/parts/changing.ts'
import { FormDialog } from '../administration/parts/form-dialog.tsx'
import { groups } from './messages.ts'

interface Props {
  title: string
  hint: string
  remove: () => Promise<unknown>
  onClose: () => void
}

export function RemovePerson({ title, hint, remove, onClose }: Props) {
  const t = useMessages(groups)
  const removing = useChange(remove, {
    refresh: ['listGroups', 'getGroup', 'listIndividuals', 'getEligibleMembers'],
    done: t.removed,
    onDone: onClose,
  })
  return (
    <FormDialog
      title={title}
      action={t.remove}
      isDestructive
      isBusy={removing.isPending}
      error={removing.error}
      onSubmit={() => removing.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm">{hint}</Text>
    </FormDialog>
  )
}
