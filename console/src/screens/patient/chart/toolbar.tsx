// Buttons that move through time, and the time that is seen, in words.

import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core'
import { ChevronLeftIcon, ChevronRightIcon, DashIcon, PlusIcon } from '@primer/octicons-react'
import { LANGUAGE_TAGS, useLanguage, useMessages } from '../../../language/language.ts'
import { patient } from '../messages.ts'
import { panBack, panOn, zoomIn, zoomOut } from './gestures.ts'
import { DAY, spanOf, type TimeRange, type TimeView, YEAR } from './time-view.ts'

const SPANS = { day: DAY, week: 7 * DAY, month: 30 * DAY, quarter: 90 * DAY, year: YEAR } as const

interface Props {
  view: TimeView
  /** What is seen, once it is still. */
  range: TimeRange
  zone: string
}

export function Toolbar({ view, range, zone }: Props) {
  const t = useMessages(patient)
  const moves = [
    [t.back, ChevronLeftIcon, panBack],
    [t.zoomOut, DashIcon, zoomOut],
    [t.zoomIn, PlusIcon, zoomIn],
    [t.on, ChevronRightIcon, panOn],
  ] as const
  return (
    <Group gap="xs" justify="space-between">
      <Button.Group attributes={{ group: { role: 'group', 'aria-label': t.timeSpan } }}>
        {Object.entries(SPANS).map(([name, span]) => (
          <Button
            key={name}
            size="xs"
            px={10}
            variant="default"
            title={t.spanNames[name as keyof typeof SPANS]}
            onClick={() => view.latest(span)}
          >
            {t.spans[name as keyof typeof SPANS]}
          </Button>
        ))}
        <Button size="xs" px={10} variant="default" title={t.spanNames.all} onClick={() => view.all()}>
          {t.spans.all}
        </Button>
      </Button.Group>
      <Text size="sm" role="status" fw={600}>
        <RangeWords range={range} zone={zone} />
      </Text>
      <ActionIcon.Group>
        {moves.map(([label, Icon, move]) => (
          <Tooltip key={label} label={label}>
            <ActionIcon variant="default" size={30} aria-label={label} onClick={() => move(view)}>
              <Icon size={16} />
            </ActionIcon>
          </Tooltip>
        ))}
      </ActionIcon.Group>
    </Group>
  )
}

function RangeWords({ range, zone }: { range: TimeRange; zone: string }) {
  const language = useLanguage()
  const printer = new Intl.DateTimeFormat(LANGUAGE_TAGS[language], {
    dateStyle: 'medium',
    ...(spanOf(range) < 3 * DAY ? { timeStyle: 'short' as const } : {}),
    timeZone: zone,
  })
  return printer.formatRange(range.from * 1000, range.to * 1000)
}
