import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '../frame/failure.tsx'
import { useMessages } from '../language/language.ts'
import { almoner } from '../session/session.ts'
import { EntrancePage } from './entrance-page.tsx'
import { entrance } from './messages.ts'

export function ForgottenPage() {
  const t = useMessages(entrance)
  const [username, setUsername] = useState('')
  const sending = useMutation({ mutationFn: () => almoner.requestPasswordReset({ body: { username } }) })
  return (
    <EntrancePage title={t.forgotTitle}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          sending.mutate()
        }}
      >
        <Stack gap="sm">
          <Text size="sm" role="status">
            {sending.isSuccess ? t.linkSent : t.forgotHint}
          </Text>
          {!sending.isSuccess && (
            <>
              <TextInput
                label={t.username}
                placeholder={t.usernameHint}
                name="username"
                autoComplete="username"
                required
                withAsterisk={false}
                autoFocus
                value={username}
                onChange={({ currentTarget }) => setUsername(currentTarget.value)}
              />
              {sending.isError && <Failure error={sending.error} />}
              <Button type="submit" loading={sending.isPending} fullWidth>
                {t.sendLink}
              </Button>
            </>
          )}
          <Anchor component={Link} to="/sign-in" size="sm" ta="center">
            {t.toSignIn}
          </Anchor>
        </Stack>
      </form>
    </EntrancePage>
  )
}
