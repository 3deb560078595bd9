import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Failure } from '../../../frame/failure.tsx'
import { faultsOf } from '../../../frame/faults.ts'
import { useOrganization } from '../../../frame/person.ts'
import { Screen } from '../../../frame/screen.tsx'
import { useFormats } from '../../../language/formats.ts'
import { useMessages } from '../../../language/language.ts'
import { almoner } from '../../../session/session.ts'
import { useChange } from '../parts/changing.ts'
import classes from '../parts/parts.module.css'
import { Documents } from './documents.tsx'
import { organization as texts } from './messages.ts'

export function OrganizationScreen() {
  const t = useMessages(texts)
  const formats = useFormats()
  const organization = useOrganization()
  const [name, setName] = useState(organization.name)
  const saving = useChange(() => almoner.modifyOrganization({ id: organization.id, body: { name: name.trim() } }), {
    refresh: ['listOrganizations'],
    done: t.saved,
  })
  const { fields: at, rest } = faultsOf(saving.error, ['name'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate(undefined)
  }
  return (
    <Screen title={t.title}>
      <Stack gap="lg">
        <form onSubmit={submit} noValidate className={classes.panel}>
          <Stack gap="sm" maw={480}>
            <TextInput
              label={t.name}
              required
              value={name}
              error={at.name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            {rest ? <Failure error={rest} /> : null}
            <Group justify="space-between">
              <Text size="sm" c="dimmed">
                {t.since(formats.day(organization.createdAt.toISOString().slice(0, 10)))}
              </Text>
              <Button type="submit" loading={saving.isPending} disabled={name === organization.name}>
                {t.save}
              </Button>
            </Group>
          </Stack>
        </form>
        <Documents />
      </Stack>
    </Screen>
  )
}
