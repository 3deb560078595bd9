// What alerts ought to be, written down slowly from the rules: it keeps everything that ever happened and plays it all
// through again whenever it is asked.

export type Terms =
  | { kind: 'watermark'; direction: 'above' | 'below'; threshold: number; clearThreshold: number | null }
  | { kind: 'range'; from: number; to: number; period: number }

export interface Reading {
  time: number
  value: number
}

/** Seconds since 1970. */
export type Happened = { now: number } & (
  | { what: 'push'; series: { source: string; readings: Reading[] }[] }
  /** The whole rule as it is from now on; null when it is deleted. */
  | { what: 'rule'; rule: number; terms: Terms | null; isEnabled: boolean }
  | { what: 'acknowledge' | 'clear'; rule: number }
)

export interface ModelAlert {
  rule: number
  state: 'open' | 'acknowledged' | 'cleared'
  firedAt: number
  value: number
  source: string
  clearReason: 'readings' | 'by-hand' | 'rule-changed' | null
}

const HOUR = 3600

interface Series {
  /** What counts of it, by time. */
  counted: Map<number, number>
  newest: number
}

interface Rule {
  terms: Terms
  isEnabled: boolean
  effectiveFrom: number
  /** Sources that fired and were not back since. */
  beyond: Set<string>
  open: ModelAlert | null
}

export interface Played {
  alerts: ModelAlert[]
  /** Of each rule what was told, in order. */
  told: Map<number, string[]>
}

export function play(history: Happened[]): Played {
  const alerts: ModelAlert[] = []
  const told = new Map<number, string[]>()
  const rules = new Map<number, Rule>()
  const allSeries = new Map<string, Series>()
  const tell = (rule: number, words: string) => told.set(rule, [...(told.get(rule) ?? []), words])

  const clear = (number: number, rule: Rule, reason: NonNullable<ModelAlert['clearReason']>) => {
    if (!rule.open) return
    Object.assign(rule.open, { state: 'cleared', clearReason: reason })
    tell(number, `cleared ${rule.open.firedAt} ${reason}`)
    rule.open = null
  }

  const fire = (number: number, rule: Rule, source: string, { time, value }: Reading) => {
    if (rule.open) return
    rule.open = { rule: number, state: 'open', firedAt: time, value, source, clearReason: null }
    alerts.push(rule.open)
    tell(number, `fired ${time} ${value}`)
  }

  for (const one of history) {
    const { now } = one
    if (one.what === 'rule') {
      const before = rules.get(one.rule)
      if (before) clear(one.rule, before, 'rule-changed')
      rules.delete(one.rule)
      if (one.terms)
        rules.set(one.rule, {
          terms: one.terms,
          isEnabled: one.isEnabled,
          effectiveFrom: Math.floor(now),
          beyond: new Set(),
          open: null,
        })
      continue
    }
    if (one.what !== 'push') {
      const rule = rules.get(one.rule)
      if (!rule?.open) continue
      if (one.what === 'clear') clear(one.rule, rule, 'by-hand')
      else if (rule.open.state === 'open') {
        rule.open.state = 'acknowledged'
        tell(one.rule, `acknowledged ${rule.open.firedAt}`)
      }
      continue
    }
    const arrived = one.series.map(({ source, readings }) => {
      const series = allSeries.get(source) ?? { counted: new Map(), newest: -Infinity }
      allSeries.set(source, series)
      const possible = readings.filter(({ time }) => time <= now + HOUR)
      for (const { time, value } of possible) series.counted.set(time, value)
      const times = [...new Set(possible.map(({ time }) => time))].sort((a, b) => a - b)
      const fresh = times.filter((time) => time > series.newest)
      series.newest = Math.max(series.newest, ...fresh)
      return { source, series, fresh }
    })
    for (const [number, rule] of rules) {
      if (!rule.isEnabled) continue
      const changes = arrived.flatMap(({ source, series, fresh }) => changesOf(rule, source, series, fresh, now))
      changes.sort((a, b) => a.reading.time - b.reading.time || Number(a.isBack) - Number(b.isBack))
      // Other sources are as they were before this came.
      const beyond = new Set(rule.beyond)
      for (const { source, reading, isBack } of changes) {
        if (isBack) {
          beyond.delete(source)
          if (beyond.size === 0) clear(number, rule, 'readings')
        } else {
          beyond.add(source)
          fire(number, rule, source, reading)
        }
      }
      rule.beyond = beyond
    }
  }
  return { alerts, told }
}

interface Change {
  source: string
  reading: Reading
  isBack: boolean
}

function changesOf(rule: Rule, source: string, { counted }: Series, fresh: number[], now: number): Change[] {
  const { terms, effectiveFrom } = rule
  const changes: Change[] = []
  let isBeyond = rule.beyond.has(source)
  for (const time of fresh) {
    const value = counted.get(time) as number
    // Too old to fire or to clear anything, or from before the rule was what it is.
    if (time < now - 24 * HOUR || time < effectiveFrom) continue
    const isBack = isBeyond && isOver(terms, value)
    const fires = !isBeyond && isReached(terms, value, runTo(counted, time, effectiveFrom))
    if (!isBack && !fires) continue
    isBeyond = fires
    changes.push({ source, reading: { time, value }, isBack })
  }
  return changes
}

/** Everything up to a time that counts for a rule, the newest first. */
const runTo = (counted: Map<number, number>, to: number, from: number): Reading[] =>
  [...counted]
    .filter(([time]) => time >= from && time <= to)
    .map(([time, value]) => ({ time, value }))
    .sort((a, b) => b.time - a.time)

function isReached(terms: Terms, value: number, upToNow: Reading[]): boolean {
  if (terms.kind === 'watermark') return terms.direction === 'above' ? value > terms.threshold : value < terms.threshold
  const outside = upToNow.findIndex((one) => !isInside(terms, one.value))
  const run = outside === -1 ? upToNow : upToNow.slice(0, outside)
  const [newest, oldest] = [run[0], run.at(-1)]
  return newest !== undefined && oldest !== undefined && newest.time - oldest.time >= terms.period * 60
}

function isOver(terms: Terms, value: number): boolean {
  if (terms.kind === 'range') return !isInside(terms, value)
  const back = terms.clearThreshold ?? terms.threshold
  return terms.direction === 'above' ? value <= back : value >= back
}

const isInside = ({ from, to }: Extract<Terms, { kind: 'range' }>, value: number) => value >= from && value < to
