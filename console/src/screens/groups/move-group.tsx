import { Box, Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import { useMessages } from '../../language/language.ts'
import { almoner } from '../../session/session.ts'
import { useChange } from '../administration/parts/changing.ts'
import { FormDialog } from '../administration/parts/form-dialog.tsx'
import { type Group, useBrowsing } from './browsing.ts'
import { GroupTree } from './group-tree.tsx'
import classes from './groups.module.css'
import { groups } from './messages.ts'

/** By the keyboard what dragging does by the mouse: Enter or the space bar in the tree says where to. */
export function MoveGroup({ group, onClose }: { group: Group; onClose: () => void }) {
  const t = useMessages(groups)
  const { withInactive, open: openBefore, setOpen: setOpenOutside } = useBrowsing()
  const [open, setOpen] = useState<ReadonlySet<string>>(openBefore)
  const [isToTop, setIsToTop] = useState(false)
  const [target, setTarget] = useState<Group | null>(null)
  const moving = useChange(
    () => almoner.moveGroup({ id: group.id, body: { toParentGroupId: isToTop ? null : (target?.id ?? null) } }),
    {
      refresh: ['listGroups', 'getGroup'],
      done: t.moved,
      onDone: () => {
        if (!isToTop && target) setOpenOutside(new Set([...openBefore, target.id]))
        onClose()
      },
    },
  )
  return (
    <FormDialog
      title={t.moveTitle(group.name)}
      action={t.move}
      isBusy={moving.isPending}
      isDisabled={!isToTop && target === null}
      error={moving.error}
      onSubmit={() => moving.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm">{t.moveHint}</Text>
      <Checkbox
        label={t.toTop}
        checked={isToTop}
        onChange={({ currentTarget }) => {
          setIsToTop(currentTarget.checked)
          moving.reset()
        }}
      />
      {!isToTop && (
        <Box className={classes.scroll ?? ''}>
          <GroupTree
            label={t.moveTo}
            browsing={{ open, setOpen, withInactive }}
            current={target?.id ?? null}
            onChoose={(one) => {
              setTarget(one)
              moving.reset()
            }}
          />
        </Box>
      )}
      <Text size="sm" c="dimmed" aria-live="polite">
        {isToTop ? t.willBeAtTop : target ? t.willBeBelow(target.name) : t.nothingChosen}
      </Text>
    </FormDialog>
  )
}
