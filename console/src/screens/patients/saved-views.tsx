import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core'
import { BookmarkIcon, XIcon } from '@primer/octicons-react'
import { type FormEvent, useState } from 'react'
import { useMessages } from '../../language/language.ts'
import { patients } from './messages.ts'
import classes from './patients.module.css'
import type { PatientsSearch } from './search.ts'
import { useViews } from './views.ts'

interface Props {
  search: PatientsSearch
  onChoose: (search: PatientsSearch) => void
}

export function SavedViews({ search, onChoose }: Props) {
  const t = useMessages(patients)
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const { views, save, remove } = useViews()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save(name.trim(), search)
    setName('')
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus shadow="md" width={280}>
      <Popover.Target>
        <Button variant="default" leftSection={<BookmarkIcon />} onClick={() => setOpen(!isOpen)}>
          {t.views}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t.views}>
        <Stack gap="xs">
          {views.length === 0 && (
            <Text size="sm" c="dimmed">
              {t.noViews}
            </Text>
          )}
          {views.map((view) => (
            <div key={view.name} className={classes.views}>
              <Button
                variant="subtle"
                size="xs"
                justify="start"
                flex={1}
                onClick={() => {
                  onChoose(view.search)
                  setOpen(false)
                }}
              >
                {view.name}
              </Button>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={t.removeView(view.name)}
                onClick={() => remove(view.name)}
              >
                <XIcon size={14} />
              </ActionIcon>
            </div>
          ))}
          <form onSubmit={submit}>
            <Group gap="xs" wrap="nowrap" align="end">
              <TextInput
                size="xs"
                flex={1}
                label={t.saveView}
                placeholder={t.viewName}
                required
                withAsterisk={false}
                maxLength={60}
                value={name}
                onChange={({ currentTarget }) => setName(currentTarget.value)}
              />
              <Button size="xs" type="submit" disabled={!name.trim()}>
                {t.save}
              </Button>
            </Group>
            <Text size="xs" c="dimmed" mt={4}>
              {t.viewsHint}
            </Text>
          </form>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
