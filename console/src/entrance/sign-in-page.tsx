import { Anchor, Group } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useMessages } from '../language/language.ts'
import { useSessionState } from '../session/session.ts'
import { EntrancePage } from './entrance-page.tsx'
import { entrance } from './messages.ts'
import { signInRoute } from './routes.ts'
import { SignInForm } from './sign-in-form.tsx'

export function SignInPage() {
  const t = useMessages(entrance)
  const { next } = signInRoute.useSearch()
  const navigate = useNavigate()
  const state = useSessionState()
  useEffect(() => {
    // Also when another tab has signed in.
    if (state === 'signed-in') navigate({ href: next ?? '/', replace: true })
  }, [state, next, navigate])
  return (
    <EntrancePage title={t.title}>
      <SignInForm />
      <Group justify="center" mt="md">
        <Anchor component={Link} to="/forgot-password" size="sm">
          {t.forgotten}
        </Anchor>
      </Group>
    </EntrancePage>
  )
}
