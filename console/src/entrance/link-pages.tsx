// The pages behind the links that are sent: a first password, or a new one.

import { Button, Loader, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Failure } from '../frame/failure.tsx'
import { speakLocale, useMessages } from '../language/language.ts'
import { almoner } from '../session/session.ts'
import { EntrancePage } from './entrance-page.tsx'
import { entrance } from './messages.ts'
import { registerRoute, resetRoute } from './routes.ts'

/** Taken out of the address bar at once: a link that works should not be seen over a shoulder or kept in a history. */
function useToken(given: string | undefined): string | undefined {
  const [token] = useState(given)
  useEffect(() => window.history.replaceState(window.history.state, '', location.pathname), [])
  return token
}

export function RegisterPage() {
  const t = useMessages(entrance)
  const token = useToken(registerRoute.useSearch().token)
  const opening = useQuery({
    queryKey: ['confirmInvitation', token],
    queryFn: () => almoner.confirmInvitation({ body: { token: token ?? '' } }),
    enabled: token !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const invited = opening.data
  useEffect(() => {
    if (invited) speakLocale(invited.locale)
  }, [invited])
  if (token === undefined) return <BrokenLink />
  if (opening.isError) return <BrokenLink error={opening.error} />
  if (!invited)
    return (
      <EntrancePage title={t.registerTitle}>
        <Loader size="sm" aria-label={t.opening} />
      </EntrancePage>
    )
  return (
    <SetPassword
      title={t.registerTitle}
      hint={t.greeting(invited.firstName)}
      username={invited.username}
      save={(password) => almoner.register({ body: { token, password } })}
    />
  )
}

export function ResetPage() {
  const t = useMessages(entrance)
  const token = useToken(resetRoute.useSearch().token)
  if (token === undefined) return <BrokenLink />
  const save = (password: string) => almoner.resetPassword({ body: { token, password } })
  return <SetPassword title={t.resetTitle} hint={t.resetHint} save={save} />
}

function BrokenLink({ error }: { error?: unknown }) {
  const t = useMessages(entrance)
  return (
    <EntrancePage title={t.broken}>
      <Stack gap="md">
        {error === undefined ? <Text size="sm">{t.noToken}</Text> : <Failure error={error} />}
        <Button component={Link} to="/sign-in" variant="default">
          {t.toSignIn}
        </Button>
      </Stack>
    </EntrancePage>
  )
}

interface SetPasswordProps {
  title: string
  hint: string
  username?: string
  save: (password: string) => Promise<unknown>
}

function SetPassword({ title, hint, username, save }: SetPasswordProps) {
  const t = useMessages(entrance)
  const [password, setPassword] = useState('')
  const saving = useMutation({ mutationFn: save })
  if (saving.isSuccess)
    return (
      <EntrancePage title={title}>
        <Stack gap="md">
          <Text size="sm" role="status">
            {t.saved}
          </Text>
          <Button component={Link} to="/sign-in">
            {t.toSignIn}
          </Button>
        </Stack>
      </EntrancePage>
    )
  return (
    <EntrancePage title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          saving.mutate(password)
        }}
      >
        <Stack gap="sm">
          <Text size="sm">{hint}</Text>
          {username !== undefined && (
            <TextInput label={t.username} name="username" autoComplete="username" readOnly value={username} />
          )}
          <PasswordInput
            label={t.newPassword}
            description={t.passwordHint}
            name="new-password"
            autoComplete="new-password"
            maxLength={255}
            required
            withAsterisk={false}
            autoFocus
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t.show }}
          />
          {saving.isError && <Failure error={saving.error} />}
          <Button type="submit" loading={saving.isPending} fullWidth>
            {t.save}
          </Button>
        </Stack>
      </form>
    </EntrancePage>
  )
}
