import { Stack } from '@mantine/core'
import { Screen } from '../../frame/screen.tsx'
import { useMessages } from '../../language/language.ts'
import { account } from './messages.ts'
import { NotificationsSection } from './notifications-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { TwoStepSection } from './two-step-section.tsx'

export function AccountScreen() {
  const t = useMessages(account)
  return (
    <Screen title={t.title} narrow>
      <Stack gap="md">
        <ProfileSection />
        <PasswordSection />
        <TwoStepSection />
        <NotificationsSection />
        <SessionsSection />
      </Stack>
    </Screen>
  )
}
