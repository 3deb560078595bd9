import type { Almoner, Locale } from '@almoner/client'
import { Badge, Button, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { notifyDone, notifyFailure } from '../../frame/failure.tsx'
import { usePerson } from '../../frame/person.ts'
import { Section } from '../../frame/section.tsx'
import { LANGUAGES, languageOf, useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { almoner } from '../../session/session.ts'
import { account } from './messages.ts'

type Change = Parameters<Almoner['modifyProfile']>[0]['body']

export function ProfileSection() {
  const t = useMessages(account)
  const { profile } = usePerson()
  const queries = useQueryClient()
  const [preferredName, setPreferredName] = useState(profile.preferredName ?? '')
  const saving = useMutation({
    mutationFn: (body: Change) => almoner.modifyProfile({ body }),
    onSuccess: (changed, { locale }) => {
      queries.setQueryData(ask('getProfile').queryKey, changed)
      const words = account[languageOf(changed.locale)]
      notifyDone(locale ? words.languageSaved : words.saved)
    },
    onError: notifyFailure,
  })
  return (
    <Section title={t.profile}>
      <Stack gap="md">
        <Table variant="vertical" layout="auto" withRowBorders={false}>
          <Table.Tbody>
            <Fact label={t.name}>
              {profile.firstName} {profile.lastName}
            </Fact>
            <Fact label={t.username}>{profile.username}</Fact>
            <Fact label={t.email}>
              <Contact address={profile.email} isVerified={profile.emailVerified} />
            </Fact>
            <Fact label={t.phone}>
              <Contact address={profile.mobilePhone} isVerified={profile.phoneVerified} />
            </Fact>
          </Table.Tbody>
        </Table>
        <Text size="sm" c="dimmed">
          {t.namesHint}
        </Text>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            saving.mutate({ preferredName: preferredName.trim() || null })
          }}
        >
          <Group align="end" gap="xs">
            <TextInput
              label={t.preferredName}
              placeholder={t.preferredNameHint}
              maxLength={255}
              w={280}
              maw="100%"
              value={preferredName}
              onChange={({ currentTarget }) => setPreferredName(currentTarget.value)}
            />
            <Button
              type="submit"
              variant="default"
              disabled={preferredName.trim() === (profile.preferredName ?? '')}
              loading={saving.isPending && saving.variables.locale === undefined}
            >
              {t.save}
            </Button>
          </Group>
        </form>
        <Select
          label={t.language}
          w={280}
          maw="100%"
          allowDeselect={false}
          data={LANGUAGES.map(({ locale, name }) => ({ value: locale, label: name }))}
          value={profile.locale}
          onChange={(locale) => locale && saving.mutate({ locale: locale as Locale })}
        />
      </Stack>
    </Section>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th w={150} fw={500}>
        {label}
      </Table.Th>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  )
}

function Contact({ address, isVerified }: { address: string | null; isVerified: boolean }) {
  const t = useMessages(account)
  if (address === null)
    return (
      <Text span size="sm" c="dimmed">
        {t.nobody}
      </Text>
    )
  return (
    <Group gap="xs">
      {address}
      <Badge variant="default" size="sm" tt="none" fw={500}>
        {isVerified ? t.verified : t.notVerified}
      </Badge>
    </Group>
  )
}
