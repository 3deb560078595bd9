import { Anchor, Button, Checkbox, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Failure } from '../frame/failure.tsx'
import { useMessages } from '../language/language.ts'
import classes from './entrance.module.css'
import { entrance } from './messages.ts'
import { type Document, useSignInSteps } from './sign-in-steps.ts'

/** With a username it is someone known who signs in again. */
export function SignInForm({ username }: { username?: string }) {
  const t = useMessages(entrance)
  const steps = useSignInSteps()
  const { step, error, isBusy } = steps
  const failure = error !== null && <Failure error={error} />
  const startOver = (
    <Anchor component="button" type="button" size="sm" ta="center" onClick={steps.startOver}>
      {t.back}
    </Anchor>
  )
  if (step.kind === 'password') return <PasswordStep {...steps} known={username} failure={failure} />
  if (step.kind === 'totp')
    return (
      <Stack gap="sm">
        <CodeStep hint={t.totpHint} isBusy={isBusy} failure={failure} onCode={steps.giveTotp} />
        {startOver}
      </Stack>
    )
  if (step.kind === 'code')
    return (
      <Stack gap="sm">
        <CodeStep
          key={step.challengeId}
          hint={step.method === 'sms' ? t.codeBySms : t.codeByEmail}
          isBusy={isBusy}
          failure={failure}
          onCode={(code) => steps.giveCode(step.challengeId, code)}
        />
        <Anchor component="button" type="button" size="sm" ta="center" onClick={() => steps.sendCode(step.method)}>
          {t.sendAgain}
        </Anchor>
        {startOver}
      </Stack>
    )
  if (step.kind === 'documents')
    return <DocumentsStep documents={step.documents} isBusy={isBusy} failure={failure} onAgree={steps.agree} />
  return <ResetStep isBusy={isBusy} failure={failure} onRequest={steps.requestLink} />
}

interface StepProps {
  isBusy: boolean
  failure: React.ReactNode
}

type PasswordProps = StepProps & Pick<ReturnType<typeof useSignInSteps>, 'givePassword'> & { known: string | undefined }

function PasswordStep({ known, givePassword, isBusy, failure }: PasswordProps) {
  const t = useMessages(entrance)
  const [username, setUsername] = useState(known ?? '')
  const [password, setPassword] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await givePassword(username, password))) setPassword('')
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t.username}
          placeholder={t.usernameHint}
          name="username"
          autoComplete="username"
          required
          withAsterisk={false}
          readOnly={known !== undefined}
          data-autofocus={known === undefined || undefined}
          autoFocus={known === undefined}
          value={username}
          onChange={({ currentTarget }) => setUsername(currentTarget.value)}
        />
        <PasswordInput
          label={t.password}
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus={known !== undefined || undefined}
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t.show }}
        />
        {failure}
        <Button type="submit" loading={isBusy} fullWidth>
          {t.signIn}
        </Button>
      </Stack>
    </form>
  )
}

function CodeStep({
  hint,
  isBusy,
  failure,
  onCode,
}: StepProps & { hint: string; onCode: (code: string) => Promise<boolean> }) {
  const t = useMessages(entrance)
  const [code, setCode] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await onCode(code))) setCode('')
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t.code}
          description={hint}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          autoFocus
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        {failure}
        <Button type="submit" loading={isBusy} fullWidth>
          {t.next}
        </Button>
      </Stack>
    </form>
  )
}

function DocumentsStep({
  documents,
  isBusy,
  failure,
  onAgree,
}: StepProps & { documents: Document[]; onAgree: (ids: string[]) => Promise<boolean> }) {
  const t = useMessages(entrance)
  const [agreed, setAgreed] = useState<string[]>([])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAgree(agreed)
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">{t.documentsHint}</Text>
        <Checkbox.Group value={agreed} onChange={setAgreed}>
          <Stack gap="md">
            {documents.map(({ id, title, body }) => (
              <Stack key={id} gap="xs">
                <Title order={2}>{title}</Title>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls is reached by the keyboard */}
                <section className={classes.document} tabIndex={0} aria-label={title}>
                  {body}
                </section>
                <Checkbox value={id} label={t.agree(title)} required />
              </Stack>
            ))}
          </Stack>
        </Checkbox.Group>
        {failure}
        <Button type="submit" loading={isBusy} fullWidth disabled={agreed.length < documents.length}>
          {t.next}
        </Button>
      </Stack>
    </form>
  )
}

function ResetStep({ isBusy, failure, onRequest }: StepProps & { onRequest: () => Promise<boolean> }) {
  const t = useMessages(entrance)
  const [isSent, setSent] = useState(false)
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {isSent ? t.linkSent : t.resetRequired}
      </Text>
      {failure}
      {!isSent && (
        <Button loading={isBusy} onClick={async () => setSent(await onRequest())}>
          {t.sendLink}
        </Button>
      )}
    </Stack>
  )
}
