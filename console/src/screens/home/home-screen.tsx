import { Card, SimpleGrid, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useOrganization, usePerson } from '../../frame/person.ts'
import { Screen } from '../../frame/screen.tsx'
import { useLanguage, useMessages } from '../../language/language.ts'
import { isOpenTo, navigation } from '../../navigation.ts'
import { home } from './messages.ts'

export function HomeScreen() {
  const t = useMessages(home)
  const language = useLanguage()
  const { profile, roles } = usePerson()
  const organization = useOrganization()
  const elsewhere = navigation.filter((one) => one.path !== '/' && isOpenTo(one, roles))
  return (
    <Screen title={t.title(profile.preferredName ?? profile.firstName)}>
      <Text c="dimmed">{t.where(organization.name)}</Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} mt="md">
        {elsewhere.map(({ path, icon: Icon, title }) => (
          <Card key={path} component={Link} to={path} withBorder padding="md">
            <Icon size={20} />
            <Text fw={600} mt="xs">
              {title[language]}
            </Text>
          </Card>
        ))}
      </SimpleGrid>
    </Screen>
  )
}
