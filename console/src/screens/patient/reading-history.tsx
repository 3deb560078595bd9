// What a reading said before it was corrected, for administrators.

import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Failure } from '../../frame/failure.tsx'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import { ask } from '../../session/asking.ts'
import { type Reading, secondsOf } from './chart/tiles.ts'
import { patient as texts } from './messages.ts'
import type { MetricType } from './metric-types.ts'
import { useMetricWords } from './metric-words.ts'
import { readingsPage } from './questions.ts'

const MOST = 100

interface Props {
  individualId: string
  type: MetricType
  reading: Reading
}

export function ReadingHistory({ individualId, type, reading }: Props) {
  const t = useMessages(texts)
  const words = useMetricWords()
  const { time } = reading
  const { data, error } = useQuery({
    ...readingsPage({
      ...{ individualId, type: type.name, from: time, to: time, withFormer: true },
      page: { limit: MOST, offset: 0 },
    }),
    // By now it may say something else.
    staleTime: 0,
  })
  if (error) return <Failure error={error} />
  const former = (data?.readings ?? []).filter(
    ({ source, values }) => source === reading.source && values['deleted-at'],
  )
  return (
    <section>
      <Title order={3} mt="md" mb={4}>
        {t.history}
      </Title>
      {data && former.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.noHistory}
        </Text>
      )}
      <ul style={{ margin: 0, paddingLeft: 20 }}>
        {former.map(({ values }) => (
          <Text key={String(values['deleted-at'])} component="li" size="sm">
            {type.fields
              .filter(({ name }) => values[name] !== undefined)
              .map(
                (field) =>
                  `${field.name === 'value' ? '' : `${words.field(field)} `}${values[field.name]} ${words.unit(field.unit)}`,
              )
              .join(', ')}{' '}
            <Text span size="xs" c="dimmed">
              <ChangedBy values={values} />
            </Text>
          </Text>
        ))}
      </ul>
    </section>
  )
}

/** Until when a reading said this, and who changed it. For administrators, who may look up users. */
export function ChangedBy({ values }: { values: Record<string, unknown> }) {
  const t = useMessages(texts)
  const formats = useFormats()
  const id = values['deleted-by']
  const { data: user } = useQuery({
    ...ask('getUser', { id: String(id) }),
    enabled: typeof id === 'string',
    retry: false,
    staleTime: 600_000,
  })
  const who = user ? `${user.firstName} ${user.lastName}` : t.someone
  return t.changedBy(who, formats.moment(new Date(secondsOf(values['deleted-at']) * 1000)))
}
