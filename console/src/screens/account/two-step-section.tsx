import type { AnswerTo } from '@almoner/client'
import { Button, Code, Group, Image, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Failure, notifyDone, notifyFailure } from '../../frame/failure.tsx'
import { Section } from '../../frame/section.tsx'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { almoner } from '../../session/session.ts'
import { account } from './messages.ts'

type Configuration = AnswerTo<'initiateTotp'>

export function TwoStepSection() {
  const t = useMessages(account)
  const formats = useFormats()
  const { data, error, refetch } = useQuery(ask('listTotp'))
  const [setUp, setSetUp] = useState<Configuration | null>(null)
  const [isEnding, setEnding] = useState(false)
  const beginning = useMutation({
    mutationFn: () => almoner.initiateTotp(),
    onSuccess: setSetUp,
    onError: notifyFailure,
  })
  const enabled = data?.items.find((one) => one.enabled)
  const done = (words: string) => {
    setSetUp(null)
    setEnding(false)
    notifyDone(words)
    refetch()
  }
  return (
    <Section title={t.twoStep}>
      <Stack gap="sm">
        <Text size="sm">{t.twoStepHint}</Text>
        {error ? (
          <Failure error={error} onRetry={refetch} />
        ) : !data ? (
          <Skeleton height={36} width={240} />
        ) : setUp ? (
          <SetUp configuration={setUp} onDone={() => done(t.turnedOn)} onCancel={() => setSetUp(null)} />
        ) : enabled ? (
          <>
            <Text size="sm" fw={600}>
              {t.twoStepOn(formats.moment(enabled.enabledAt ?? enabled.createdAt))}.{' '}
              {enabled.lastUsed && t.twoStepUsed(formats.ago(enabled.lastUsed))}
            </Text>
            {isEnding ? (
              <TurnOff id={enabled.id} onDone={() => done(t.turnedOff)} onCancel={() => setEnding(false)} />
            ) : (
              <Button variant="default" w="fit-content" onClick={() => setEnding(true)}>
                {t.turnOff}
              </Button>
            )}
          </>
        ) : (
          <Button w="fit-content" loading={beginning.isPending} onClick={() => beginning.mutate()}>
            {t.setUp}
          </Button>
        )}
      </Stack>
    </Section>
  )
}

interface StepProps {
  onDone: () => void
  onCancel: () => void
}

function SetUp({ configuration: { id, secret }, onDone, onCancel }: StepProps & { configuration: Configuration }) {
  const t = useMessages(account)
  const [codes, setCodes] = useState(['', ''])
  const [password, setPassword] = useState('')
  const enabling = useMutation({
    mutationFn: () => almoner.enableTotp({ id, body: { codes, password } }),
    onSuccess: onDone,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    enabling.mutate()
  }
  const code = (place: number) => ({
    value: codes[place] ?? '',
    inputMode: 'numeric' as const,
    autoComplete: 'one-time-code',
    required: true,
    withAsterisk: false,
    maxLength: 16,
    w: 140,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setCodes(codes.map((one, at) => (at === place ? currentTarget.value : one))),
  })
  const picture = secret?.provisioningQrcode
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">{t.step1}</Text>
        {picture && (
          <Image
            src={`data:${picture.mimetype};base64,${picture.contentsBase64}`}
            w={picture.width}
            h={picture.height}
            alt={t.qrCode}
          />
        )}
        <Text size="sm" c="dimmed">
          {t.cannotScan} <Code>{secret?.sharedSecretKey}</Code>
        </Text>
        <Text size="sm">{t.step2}</Text>
        <Group align="start">
          <TextInput label={t.firstCode} {...code(0)} />
          <TextInput label={t.secondCode} description={t.secondCodeHint} {...code(1)} />
        </Group>
        <ConfirmingPassword value={password} onChange={setPassword} />
        {enabling.isError && <Failure error={enabling.error} />}
        <Group>
          <Button type="submit" loading={enabling.isPending}>
            {t.turnOn}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function TurnOff({ id, onDone, onCancel }: StepProps & { id: string }) {
  const t = useMessages(account)
  const [password, setPassword] = useState('')
  const queries = useQueryClient()
  const disabling = useMutation({
    mutationFn: () => almoner.disableTotp({ id, body: { password } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['listTotp'] })
      onDone()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    disabling.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">{t.turnOffHint}</Text>
        <ConfirmingPassword value={password} onChange={setPassword} />
        {disabling.isError && <Failure error={disabling.error} />}
        <Group>
          <Button type="submit" color="red" loading={disabling.isPending}>
            {t.turnOff}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function ConfirmingPassword({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useMessages(account)
  return (
    <PasswordInput
      label={t.currentPassword}
      autoComplete="current-password"
      required
      withAsterisk={false}
      maw={320}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': t.show }}
    />
  )
}
