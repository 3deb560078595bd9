// A device's first push, as a command that works the way it is copied.

import { Anchor, Code, Group, Text } from '@mantine/core'
import { useMessages } from '../../../language/language.ts'
import { Copying } from '../parts/copying.tsx'
import classes from '../parts/parts.module.css'
import { pushing } from './push-messages.ts'

interface Props {
  individualId: string
  /** Left out where it is not known: it is shown only once. */
  token?: string
}

/** The time is the shell's, so that each run is a new reading. */
const commandOf = ({ individualId, token = 'TOKEN' }: Props) => `curl ${location.origin}/lachesis/v1/timeseries/ \\
  -H 'Authorization: Bearer ${token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"data": [{"type": "time-series", "attributes": {
    "individual-id": "${individualId}",
    "type": "BloodPressure", "data": [{
      "type": "BloodPressure", "time": "'$(date -u +%FT%TZ)'",
      "systolic": 128, "diastolic": 82}]}}]}'`

export function PushExample(props: Props) {
  const t = useMessages(pushing)
  const command = commandOf(props)
  return (
    <div>
      <Text size="sm" mb="xs">
        {props.token ? t.hint : t.hintWithoutToken}
      </Text>
      <Code block className={classes.code ?? ''} aria-label={t.command} role="group">
        {command}
      </Code>
      <Group mt="xs" gap="md">
        <Copying value={command} label={t.copy} done={t.copied} size="xs" />
        <Anchor size="sm" href="/reference/#tag/timeseries/POST/lachesis/v1/timeseries/" target="_blank">
          {t.reference}
        </Anchor>
      </Group>
    </div>
  )
}
