import { Button } from '@mantine/core'
import { PlusIcon } from '@primer/octicons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../frame/person.ts'
import { Screen } from '../../frame/screen.tsx'
import { useMessages } from '../../language/language.ts'
import { GroupBrowser } from './group-browser.tsx'
import { NewGroup } from './group-dialogs.tsx'
import { groups } from './messages.ts'

export function GroupsScreen() {
  const t = useMessages(groups)
  const navigate = useNavigate()
  const isAdministrator = useMay('org-admin')
  const [isMaking, setIsMaking] = useState(false)
  return (
    <Screen
      title={t.title}
      narrow
      actions={
        isAdministrator && (
          <Button leftSection={<PlusIcon />} onClick={() => setIsMaking(true)}>
            {t.newGroup}
          </Button>
        )
      }
    >
      <GroupBrowser current={null} />
      {isMaking && (
        <NewGroup
          parent={null}
          onClose={() => setIsMaking(false)}
          onMade={(id) => navigate({ to: '/groups/$id', params: { id } })}
        />
      )}
    </Screen>
  )
}
