import { Text } from '@mantine/core'
import { useMay, useOrganization, usePerson } from '../../frame/person.ts'
import { Screen } from '../../frame/screen.tsx'
import { useMessages } from '../../language/language.ts'
import { home } from './messages.ts'
import { OwnReadings } from './own-readings.tsx'
import { Population } from './population.tsx'

export function HomeScreen() {
  const t = useMessages(home)
  const { profile } = usePerson()
  const organization = useOrganization()
  const isOfTheTeam = useMay('org-admin', 'provider')
  return (
    <Screen title={t.title(profile.preferredName ?? profile.firstName)}>
      <Text c="dimmed" mt={-10} mb="md">
        {isOfTheTeam ? t.where(organization.name) : t.own.intro}
      </Text>
      {isOfTheTeam ? (
        <Population organizationId={organization.id} />
      ) : (
        <OwnReadings individualId={profile.individualId} />
      )}
    </Screen>
  )
}
