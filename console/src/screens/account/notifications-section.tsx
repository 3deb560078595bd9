import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Section } from '../../frame/section.tsx'
import { useMessages } from '../../language/language.ts'
import { account } from './messages.ts'

export function NotificationsSection() {
  const t = useMessages(account)
  return (
    <Section title={t.notifications}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {t.notificationsHint}
        </Text>
        <Anchor component={Link} to="/account/notifications" size="sm" w="fit-content">
          {t.notificationsLink}
        </Anchor>
      </Stack>
    </Section>
  )
}
