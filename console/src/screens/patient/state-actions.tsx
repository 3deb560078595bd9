// Archiving, disabling and restoring: each says what it means before it is done.

import { ActionIcon, Button, Group, Menu, Modal, Text } from '@mantine/core'
import { KebabHorizontalIcon } from '@primer/octicons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure, notifyDone } from '../../frame/failure.tsx'
import { useMessages } from '../../language/language.ts'
import { almoner } from '../../session/session.ts'
import type { Individual } from './identity.tsx'
import { patient as texts } from './messages.ts'
import { individualOf } from './questions.ts'

type Action = 'archive' | 'disable' | 'restore'

const CALLS = {
  archive: almoner.archiveIndividual,
  disable: almoner.disableIndividual,
  restore: almoner.restoreIndividual,
}

function actionsFor(state: Individual['state']): Action[] {
  if (state === 'archived') return ['restore']
  return state === 'disabled' || state === 'registered_disabled' ? ['restore', 'archive'] : ['disable', 'archive']
}

export function StateActions({ individual, name }: { individual: Individual; name: string }) {
  const t = useMessages(texts)
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Action | null>(null)
  const acting = useMutation({
    mutationFn: (action: Action) => CALLS[action]({ id: individual.id }),
    onSuccess: (changed, action) => {
      queries.setQueryData(individualOf(individual.id).queryKey, changed)
      notifyDone(t.actions[action].done)
      setAsked(null)
    },
  })
  const close = () => {
    acting.reset()
    setAsked(null)
  }
  return (
    <>
      <Menu width={200}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t.more}>
            <KebabHorizontalIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actionsFor(individual.state).map((action) => (
            <Menu.Item key={action} onClick={() => setAsked(action)}>
              {t.actions[action].title}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {asked && (
        <Modal opened onClose={close} title={t.actions[asked].ask(name)} closeButtonProps={{ 'aria-label': t.close }}>
          <Text size="sm">{t.actions[asked].means}</Text>
          {acting.error && <Failure error={acting.error} />}
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={close}>
              {t.cancel}
            </Button>
            <Button
              color={asked === 'restore' ? undefined : 'red.9'}
              loading={acting.isPending}
              onClick={() => acting.mutate(asked)}
            >
              {t.actions[asked].title}
            </Button>
          </Group>
        </Modal>
      )}
    </>
  )
}
