import { Button, PasswordInput, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Failure, notifyDone } from '../../frame/failure.tsx'
import { faultsOf } from '../../frame/faults.ts'
import { usePerson } from '../../frame/person.ts'
import { Section } from '../../frame/section.tsx'
import { useMessages } from '../../language/language.ts'
import { almoner } from '../../session/session.ts'
import { account } from './messages.ts'
import { PasswordStrength } from './password-strength.tsx'

export function PasswordSection() {
  const t = useMessages(account)
  const { profile } = usePerson()
  const queries = useQueryClient()
  const [currentPassword, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const changing = useMutation({
    mutationFn: () => almoner.changePassword({ body: { currentPassword, password } }),
    onSuccess: () => {
      setCurrent('')
      setPassword('')
      notifyDone(t.passwordChanged)
      queries.invalidateQueries({ queryKey: ['listSessions'] })
    },
  })
  const { fields, rest } = faultsOf(changing.error, ['currentPassword', 'password'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    changing.mutate()
  }
  return (
    <Section title={t.password}>
      <form onSubmit={submit}>
        <Stack gap="sm" maw={420}>
          {/* For password managers, which want to know whose password it is. */}
          <input type="text" name="username" autoComplete="username" value={profile.username} readOnly hidden />
          <PasswordInput
            label={t.currentPassword}
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={currentPassword}
            error={fields.currentPassword}
            onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t.show }}
          />
          <PasswordInput
            label={t.newPassword}
            description={t.passwordHint}
            autoComplete="new-password"
            maxLength={255}
            required
            withAsterisk={false}
            value={password}
            error={fields.password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t.show }}
          />
          <PasswordStrength password={password} />
          {changing.isError && rest && <Failure error={rest} />}
          <Button type="submit" w="fit-content" loading={changing.isPending}>
            {t.changePassword}
          </Button>
        </Stack>
      </form>
    </Section>
  )
}
