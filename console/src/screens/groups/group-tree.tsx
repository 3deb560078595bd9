// The tree of groups, as the ARIA tree pattern has it: arrow keys, Home and End, and the first letters of a name.

import { Loader, Text } from '@mantine/core'
import {
  ArchiveIcon,
  ChevronDownIcon,
  ChevronRightIcon,
  OrganizationIcon,
  PeopleIcon,
  StackIcon,
  SyncIcon,
} from '@primer/octicons-react'
import { type DragEvent, type KeyboardEvent, useRef, useState } from 'react'
import { Failure } from '../../frame/failure.tsx'
import { useFormats } from '../../language/formats.ts'
import { useGroupName } from '../../language/group-names.ts'
import { useMessages } from '../../language/language.ts'
import { Empty } from '../administration/parts/table-region.tsx'
import { type Browsing, type Group, isAutomatic, type Row, useRows } from './browsing.ts'
import classes from './groups.module.css'
import { groups as texts } from './messages.ts'
import { keyed } from './tree-keys.ts'

interface Props {
  label: string
  browsing: Pick<Browsing, 'open' | 'setOpen' | 'withInactive'>
  current: string | null
  onChoose: (group: Group) => void
  /** Left out where groups cannot be moved. */
  onMove?: (id: string, toParentGroupId: string | null) => void
}

export function GroupTree({ label, browsing, current, onChoose, onMove }: Props) {
  const t = useMessages(texts)
  const { open, setOpen } = browsing
  const { rows, isPending, error, retry, isLoading } = useRows(browsing)
  const [focused, setFocused] = useState<string | null>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  const [over, setOver] = useState<string | null>(null)
  const typed = useRef({ letters: '', at: 0 })
  const tree = useRef<HTMLDivElement>(null)
  const has = (id: string | null) => id !== null && rows.some(({ group }) => group.id === id)
  // One row is reached by Tab, and the arrow keys lead on from there.
  const reached = has(focused) ? focused : has(current) ? current : (rows[0]?.group.id ?? null)

  const fold = (id: string, isOpen: boolean) => {
    const next = new Set(open)
    if (isOpen) next.add(id)
    else next.delete(id)
    setOpen(next)
  }
  const goTo = (row: Row | undefined) => {
    if (!row) return
    setFocused(row.group.id)
    tree.current?.querySelector<HTMLElement>(`[data-id="${row.group.id}"]`)?.focus()
  }
  const press = (event: KeyboardEvent) => {
    const at = rows.findIndex(({ group }) => group.id === reached)
    const row = rows[at]
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const { key, timeStamp } = event
    if (key.length === 1 && key !== ' ') {
      const isNew = timeStamp - typed.current.at > 700
      typed.current = { letters: (isNew ? '' : typed.current.letters) + key.toLowerCase(), at: timeStamp }
    }
    const answer = keyed(key, rows, at, typed.current.letters)
    if (!answer) return
    event.preventDefault()
    if (answer.kind === 'choose') onChoose(row.group)
    else if (answer.kind === 'go') goTo(rows[answer.to])
    else fold(row.group.id, answer.kind === 'open')
  }
  const drop = (event: DragEvent, toParentGroupId: string | null) => {
    event.preventDefault()
    if (dragged !== null && dragged !== toParentGroupId) onMove?.(dragged, toParentGroupId)
    setDragged(null)
    setOver(null)
  }
  if (error) return <Failure error={error} onRetry={retry} />
  if (isPending) return <Loader size="sm" aria-label={t.loading} />
  if (rows.length === 0) return <Empty>{t.noGroups}</Empty>
  return (
    <>
      <div ref={tree} role="tree" aria-label={label} className={classes.tree} onKeyDown={press}>
        {rows.map((row) => (
          <TreeRow
            key={row.group.id}
            row={row}
            isCurrent={row.group.id === current}
            isReached={row.group.id === reached}
            isOver={row.group.id === over}
            isLoading={row.isOpen && isLoading(row.group.id)}
            onFold={(isOpen) => fold(row.group.id, isOpen)}
            onChoose={() => onChoose(row.group)}
            onFocus={() => setFocused(row.group.id)}
            dragging={
              onMove && {
                canDrag: !isAutomatic(row.group),
                onDragStart: () => setDragged(row.group.id),
                onDragEnd: () => setDragged(null),
                onDragOver: () => setOver(row.group.id),
                onDrop: (event) => drop(event, row.group.id),
              }
            }
          />
        ))}
      </div>
      {dragged !== null && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the dialog “Move to…” is the way by the keyboard
        <div
          className={classes.topZone}
          data-over={over === TOP_ZONE || undefined}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(TOP_ZONE)
          }}
          onDrop={(event) => drop(event, null)}
        >
          {t.dropAtTop}
        </div>
      )}
    </>
  )
}

const TOP_ZONE = 'top'

interface RowProps {
  row: Row
  isCurrent: boolean
  isReached: boolean
  isOver: boolean
  isLoading: boolean
  onFold: (isOpen: boolean) => void
  onChoose: () => void
  onFocus: () => void
  dragging:
    | {
        canDrag: boolean
        onDragStart: () => void
        onDragEnd: () => void
        onDragOver: () => void
        onDrop: (event: DragEvent) => void
      }
    | undefined
}

function TreeRow({ row, isCurrent, isReached, isOver, isLoading, onFold, onChoose, onFocus, dragging }: RowProps) {
  const t = useMessages(texts)
  const nameOf = useGroupName()
  const { number } = useFormats()
  const { group, level, place, size, isOpen, canOpen } = row
  const Icon = iconOf(group)
  const Chevron = isOpen ? ChevronDownIcon : ChevronRightIcon
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys
    <div
      role="treeitem"
      tabIndex={isReached ? 0 : -1}
      aria-level={level}
      aria-posinset={place}
      aria-setsize={size}
      aria-selected={isCurrent}
      aria-expanded={canOpen ? isOpen : undefined}
      data-id={group.id}
      data-over={isOver || undefined}
      data-inactive={!group.isActive || undefined}
      className={classes.row}
      style={{ paddingLeft: 6 + (level - 1) * 20 }}
      onClick={onChoose}
      onFocus={onFocus}
      draggable={dragging?.canDrag}
      onDragStart={dragging?.onDragStart}
      onDragEnd={dragging?.onDragEnd}
      onDragOver={(event) => {
        if (!dragging) return
        event.preventDefault()
        dragging.onDragOver()
      }}
      onDrop={dragging?.onDrop}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the left and right keys do the same */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the left and right keys do the same */}
      <span
        className={classes.fold}
        onClick={(event) => {
          if (!canOpen) return
          event.stopPropagation()
          onFold(!isOpen)
        }}
      >
        {canOpen && (isLoading ? <Loader size={12} /> : <Chevron size={16} />)}
      </span>
      <Icon size={16} className={classes.icon ?? ''} aria-label={t.types[group.type]} />
      <span className={classes.name}>{nameOf(group)}</span>
      {!group.isActive && (
        <Text component="span" size="xs" c="dimmed">
          {t.inactive}
        </Text>
      )}
      {hasCount(group) && (
        <Text component="span" size="xs" c="dimmed" className={classes.count ?? ''} title={t.patients}>
          {number(group.individualsCount)}
        </Text>
      )}
    </div>
  )
}

/** A division mostly holds groups, and a care team never holds patients. */
const hasCount = ({ type, nodeType, individualsCount }: Group) =>
  type !== 'provider_only' && (nodeType === 'group' || individualsCount > 0)

function iconOf({ type, nodeType, isActive }: Group) {
  if (!isActive) return ArchiveIcon
  if (type === 'provider_only') return PeopleIcon
  if (type !== 'regular') return SyncIcon
  return nodeType === 'division' ? OrganizationIcon : StackIcon
}
