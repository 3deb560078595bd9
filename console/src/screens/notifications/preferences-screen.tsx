import type { AnswerTo } from '@almoner/client'
import { AlmonerError } from '@almoner/client'
import {
  Button,
  Card,
  Checkbox,
  Group,
  Radio,
  Select,
  Skeleton,
  Stack,
  Switch,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure, notifyDone } from '../../frame/failure.tsx'
import { Screen } from '../../frame/screen.tsx'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { almoner } from '../../session/session.ts'
import { notificationTexts } from './messages.ts'
import classes from './notifications.module.css'

type Preferences = AnswerTo<'getNotificationPreferences'>

const WAYS = ['email', 'sms'] as const
const CHOICES = [
  ['critical', 'criticalChannels'],
  ['warning', 'warningChannels'],
  ['info', 'infoChannels'],
] as const
const DIGESTS = ['immediate', 'hourly', 'daily'] as const
const NIGHT = { from: '22:00', to: '07:00' }

export function PreferencesScreen() {
  const t = useMessages(notificationTexts).preferences
  const { data, error, refetch } = useQuery({ ...ask('getNotificationPreferences'), refetchOnWindowFocus: false })
  return (
    <Screen title={t.title} narrow>
      <Text c="dimmed" mt={-10} mb="md">
        {t.intro}
      </Text>
      {error && <Failure error={error} onRetry={() => refetch()} />}
      {data ? <Form kept={data} /> : !error && <Skeleton height={360} />}
    </Screen>
  )
}

function Form({ kept }: { kept: Preferences }) {
  const t = useMessages(notificationTexts).preferences
  const queries = useQueryClient()
  const [chosen, setChosen] = useState<Preferences>({ ...kept, tz: kept.tz ?? ownZone() })
  const change = (changed: Partial<Preferences>) => setChosen((before) => ({ ...before, ...changed }))
  const needsZone = chosen.quietHours !== null || chosen.digest === 'daily'
  const save = useMutation({
    mutationFn: () => {
      const { criticalChannels, warningChannels, infoChannels, quietHours, criticalAtOnce, digest, digestTime, tz } =
        chosen
      const ways = { criticalChannels, warningChannels, infoChannels }
      return almoner.modifyNotificationPreferences({
        body: { ...ways, quietHours, criticalAtOnce, digest, digestTime, ...(needsZone ? { tz } : {}) },
      })
    },
    onSuccess: (saved) => {
      queries.setQueryData(ask('getNotificationPreferences').queryKey, saved)
      notifyDone(t.saved)
    },
  })
  const faultAt = (part: string) =>
    save.error instanceof AlmonerError &&
    save.error.errors.some(({ meta }) => String(meta?.pointer ?? '').includes(`/${part}`))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Stack>
        <Ways chosen={chosen} onChange={change} />
        <Card withBorder component="section">
          <Title order={2} mb="xs">
            {t.digest}
          </Title>
          <Radio.Group
            aria-label={t.digest}
            value={chosen.digest}
            onChange={(digest) => change({ digest: digest as Preferences['digest'] })}
          >
            <Group gap="md">
              {DIGESTS.map((digest) => (
                <Radio key={digest} value={digest} label={t.digests[digest]} />
              ))}
            </Group>
          </Radio.Group>
          {chosen.digest === 'daily' && (
            <TextInput
              type="time"
              label={t.digestTime}
              maw={140}
              mt="sm"
              required
              value={chosen.digestTime}
              onChange={(event) => change({ digestTime: event.currentTarget.value })}
              error={faultAt('digest-time')}
            />
          )}
        </Card>
        <Card withBorder component="section">
          <Title order={2} mb={4}>
            {t.quiet}
          </Title>
          <Text size="sm" c="dimmed" mb="sm">
            {t.quietHint}
          </Text>
          <Switch
            label={t.hasQuiet}
            checked={chosen.quietHours !== null}
            onChange={(event) => change({ quietHours: event.currentTarget.checked ? NIGHT : null })}
          />
          {chosen.quietHours && <Quiet hours={chosen.quietHours} onChange={change} isWrong={faultAt('quiet-hours')} />}
          <Checkbox
            mt="md"
            label={t.atOnce}
            checked={chosen.criticalAtOnce}
            onChange={(event) => change({ criticalAtOnce: event.currentTarget.checked })}
          />
        </Card>
        {needsZone && (
          <Card withBorder component="section">
            <Select
              label={t.tz}
              description={t.tzHint}
              searchable
              allowDeselect={false}
              maw={320}
              data={Intl.supportedValuesOf('timeZone')}
              limit={100}
              value={chosen.tz}
              onChange={(tz) => tz && change({ tz })}
              error={faultAt('tz')}
            />
          </Card>
        )}
        {save.error && <Failure error={save.error} />}
        <Button type="submit" w="fit-content" loading={save.isPending}>
          {t.save}
        </Button>
      </Stack>
    </form>
  )
}

interface PartProps {
  chosen: Preferences
  onChange: (changed: Partial<Preferences>) => void
}

function Ways({ chosen, onChange }: PartProps) {
  const words = useMessages(notificationTexts)
  const t = words.preferences
  const lacking = WAYS.filter((way) => !chosen.availableChannels.includes(way))
  const missing = { email: t.noEmail, sms: t.noSms }
  return (
    <Card withBorder component="section">
      <Title order={2} mb="xs" id="ways">
        {t.ways}
      </Title>
      <Table className={classes.ways} aria-labelledby="ways">
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            {WAYS.map((way) => (
              <Table.Th key={way} scope="col">
                {t[way]}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {CHOICES.map(([severity, key]) => (
            <Table.Tr key={severity}>
              <Table.Th scope="row">{words.severity[severity]}</Table.Th>
              {WAYS.map((way) => (
                <Table.Td key={way} align="center">
                  <Checkbox
                    display="inline-block"
                    aria-label={t.by(words.severity[severity], t[way])}
                    checked={chosen[key].includes(way)}
                    onChange={(event) =>
                      onChange({
                        [key]: WAYS.filter((one) =>
                          one === way ? event.currentTarget.checked : chosen[key].includes(one),
                        ),
                      })
                    }
                  />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {lacking.map((way) => (
        <Text key={way} size="sm" c="dimmed" mt={6}>
          {missing[way]}
        </Text>
      ))}
    </Card>
  )
}

interface QuietProps {
  hours: NonNullable<Preferences['quietHours']>
  onChange: PartProps['onChange']
  isWrong: boolean
}

function Quiet({ hours, onChange, isWrong }: QuietProps) {
  const t = useMessages(notificationTexts).preferences
  return (
    <Group mt="sm" gap="md">
      {(['from', 'to'] as const).map((end) => (
        <TextInput
          key={end}
          type="time"
          label={t[end]}
          w={140}
          required
          value={hours[end]}
          onChange={(event) => onChange({ quietHours: { ...hours, [end]: event.currentTarget.value } })}
          error={isWrong}
        />
      ))}
    </Group>
  )
}

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
