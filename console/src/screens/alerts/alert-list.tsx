// The rows of the list. The focus moves from row to row by j and k or the arrow keys, and the keys work while it is here:
// whoever dictates or types elsewhere sets nothing off.

import { Button, Checkbox, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import { useFormats } from '../../language/formats.ts'
import { useMessages } from '../../language/language.ts'
import classes from './alert-list.module.css'
import type { Alert } from './alert-search.ts'
import { alerts } from './messages.ts'
import type { Settling } from './settle-dialog.tsx'
import { Severity, State } from './severity.tsx'
import { useWhatHappened } from './what-happened.ts'

interface Props {
  items: Alert[]
  selected: ReadonlySet<string>
  onSelect: (id: string, isSelected: boolean) => void
  onSettle: (settling: Settling) => void
}

export function AlertList({ items, selected, onSelect, onSettle }: Props) {
  const t = useMessages(alerts)
  const settle = (how: Settling['how'], alert: Alert) => onSettle({ how, alerts: [alert] })
  const chosen = items.filter(({ id, state }) => selected.has(id) && state === 'open')

  const press = (event: KeyboardEvent<HTMLUListElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const rows = [...event.currentTarget.children] as HTMLElement[]
    const at = rows.findIndex((row) => row.contains(event.target as Node))
    const alert = items[at]
    const moveTo = (row: HTMLElement | undefined) => row?.querySelector('a')?.focus()
    if (!alert) return
    switch (event.key) {
      case 'j':
      case 'ArrowDown':
        moveTo(rows[at + 1])
        break
      case 'k':
      case 'ArrowUp':
        moveTo(rows[at - 1])
        break
      case 'x':
        if (alert.state === 'open') onSelect(alert.id, !selected.has(alert.id))
        break
      case 'a':
        if (chosen.length > 0) onSettle({ how: 'acknowledge', alerts: chosen })
        else if (alert.state === 'open') settle('acknowledge', alert)
        break
      case 'c':
        if (alert.state !== 'cleared') settle('clear', alert)
        break
      default:
        return
    }
    event.preventDefault()
  }

  return (
    <ul className={classes.list} onKeyDown={press} aria-label={t.list}>
      {items.map((alert) => (
        <Row key={alert.id} alert={alert} isSelected={selected.has(alert.id)} onSelect={onSelect} onSettle={settle} />
      ))}
    </ul>
  )
}

interface RowProps {
  alert: Alert
  isSelected: boolean
  onSelect: Props['onSelect']
  onSettle: (how: Settling['how'], alert: Alert) => void
}

function Row({ alert, isSelected, onSelect, onSettle }: RowProps) {
  const t = useMessages(alerts)
  const formats = useFormats()
  const words = useWhatHappened()
  const { id, individual, state, severity, firedAt, ruleName } = alert
  const name = `${individual.lastName}, ${individual.firstName}`
  return (
    <li className={classes.row} data-severity={severity} data-state={state}>
      <Checkbox
        className={classes.check}
        aria-label={t.select(name)}
        checked={isSelected && state === 'open'}
        disabled={state !== 'open'}
        onChange={(event) => onSelect(id, event.currentTarget.checked)}
      />
      <span className={classes.severity}>
        <Severity of={severity} />
      </span>
      <div className={classes.what}>
        <Link to="/alerts/$id" params={{ id }} className={classes.name}>
          {name}
        </Link>{' '}
        <Text component="span" size="xs" c="dimmed">
          {ruleName}
        </Text>
        <Text size="sm">{words(alert)}</Text>
      </div>
      <Text
        component="time"
        size="sm"
        c="dimmed"
        className={classes.when}
        title={formats.moment(firedAt)}
        dateTime={firedAt.toISOString()}
      >
        {formats.ago(firedAt)}
      </Text>
      <span className={classes.state}>
        <State of={state} />
      </span>
      <div className={classes.actions}>
        {state === 'open' && (
          <Button size="compact-xs" variant="default" onClick={() => onSettle('acknowledge', alert)}>
            {t.acknowledge}
          </Button>
        )}
        {state !== 'cleared' && (
          <Button size="compact-xs" variant="subtle" onClick={() => onSettle('clear', alert)}>
            {t.clear}
          </Button>
        )}
      </div>
    </li>
  )
}
