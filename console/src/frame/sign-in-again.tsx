// When a sign-in ends by itself, the page stays as it is behind this dialog, with all that was typed.

import { Button, Modal, Text } from '@mantine/core'
import { SignInForm } from '../entrance/sign-in-form.tsx'
import { useMessages } from '../language/language.ts'
import { signOut, useSessionState } from '../session/session.ts'
import { frame } from './messages.ts'

export function SignInAgain({ username }: { username: string }) {
  const t = useMessages(frame)
  const isExpired = useSessionState() === 'expired'
  return (
    <Modal
      opened={isExpired}
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t.expired}
      // Whoever passes by does not read on.
      overlayProps={{ backgroundOpacity: 0.75, blur: 8 }}
    >
      <Text size="sm" mb="md">
        {t.expiredHint}
      </Text>
      <SignInForm username={username} />
      <Button variant="subtle" fullWidth mt="xs" onClick={signOut}>
        {t.expiredLeave}
      </Button>
    </Modal>
  )
}
