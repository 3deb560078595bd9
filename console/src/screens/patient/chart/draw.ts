// The drawing of a panel on uPlot's canvas. Only what is seen is drawn.

import type uPlot from 'uplot'
import type { ClassifiedRange } from '../classification.ts'
import type { Colours } from './colours.ts'
import type { Lane } from './lanes.ts'
import { middleOf, placeOf, type Shape, type Trace } from './traces.ts'

export interface AlertMark {
  id: string
  time: number
  text: string
}

const MARK_SIZE = 3.5
/** Marks nearer to each other would be a smear: then some of them stand for all. */
const MARKS_APART = 9
const MARKS_OF_MANY_APART = 70
const LINE_WIDTH = 1.75

/** Device pixels for each of CSS: the canvas is drawn in the former. */
const ratio = () => devicePixelRatio || 1

function inPlot(u: uPlot, draw: (ctx: CanvasRenderingContext2D) => void): void {
  const { ctx, bbox } = u
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  draw(ctx)
  ctx.restore()
}

interface NamedRange {
  range: ClassifiedRange
  name: string
}

function placesOf(u: uPlot, { from, to }: ClassifiedRange): { high: number; low: number } {
  const { top, height } = u.bbox
  const at = (value: number | null, otherwise: number) =>
    value === null ? otherwise : Math.min(Math.max(u.valToPos(value, 'y', true), top), top + height)
  return { high: at(to, top), low: at(from, top + height) }
}

/** Below everything else. */
export function drawRanges(u: uPlot, ranges: NamedRange[], { tones }: Colours): void {
  inPlot(u, (ctx) => {
    const { left, width } = u.bbox
    for (const { range } of ranges) {
      const { high, low } = placesOf(u, range)
      if (low - high < 1) continue
      ctx.fillStyle = tones[range.tone]
      ctx.globalAlpha = 0.1
      ctx.fillRect(left, high, width, low - high)
      ctx.globalAlpha = 0.8
      ctx.fillRect(left, high, 3 * ratio(), low - high)
    }
  })
}

/** The names of ranges beside their colours, above everything else; at the right end they would cover the newest readings. */
export function drawRangeNames(u: uPlot, ranges: NamedRange[], colours: Colours, font: string): void {
  inPlot(u, (ctx) => {
    const { left } = u.bbox
    ctx.font = font
    ctx.textAlign = 'left'
    ctx.textBaseline = 'middle'
    for (const { range, name } of ranges) {
      const { high, low } = placesOf(u, range)
      if (low - high > 11 * ratio()) drawText(ctx, name, left + 9 * ratio(), (low + high) / 2, colours)
    }
  })
}

/** Text that can be read on anything. */
function drawText(ctx: CanvasRenderingContext2D, text: string, x: number, y: number, { text: ink, surface }: Colours) {
  ctx.lineJoin = 'round'
  ctx.lineWidth = 4 * ratio()
  ctx.strokeStyle = surface
  ctx.fillStyle = ink
  ctx.strokeText(text, x, y)
  ctx.fillText(text, x, y)
}

export function drawTraces(u: uPlot, traces: Trace[], colours: Colours): void {
  const isOne = traces.every(({ source }) => source === traces[0]?.source)
  inPlot(u, (ctx) => {
    for (const trace of traces) {
      const colour = colours.traces[trace.look.colour] as string
      ctx.strokeStyle = colour
      ctx.fillStyle = colour
      const { min = 0, max = 0 } = u.scales.x ?? {}
      // One more on either side, so that lines leave the picture.
      const first = Math.max(0, placeOf(trace.times, min) - 2)
      const last = Math.min(trace.times.length - 1, placeOf(trace.times, max) + 1)
      if (last < first) continue
      if (trace.isBars) drawBars(u, ctx, trace, first, last)
      else drawLine(u, ctx, trace, first, last, colours.surface, isOne)
    }
  })
}

function drawBars(u: uPlot, ctx: CanvasRenderingContext2D, trace: Trace, first: number, last: number): void {
  const ground = u.valToPos(0, 'y', true)
  for (let at = first; at <= last; at++) {
    const from = u.valToPos(trace.times[at] as number, 'x', true)
    const to = u.valToPos((trace.ends as number[])[at] as number, 'x', true)
    const top = u.valToPos(trace.values[at] as number, 'y', true)
    const gap = Math.min(1.5 * ratio(), (to - from) / 4)
    ctx.globalAlpha = 0.45
    ctx.fillRect(from + gap, top, Math.max(1, to - from - 2 * gap), ground - top)
    ctx.globalAlpha = 1
    if (to - from > 5 * ratio()) ctx.fillRect(from + gap, top - ratio(), to - from - 2 * gap, 2 * ratio())
  }
}

function drawLine(
  u: uPlot,
  ctx: CanvasRenderingContext2D,
  trace: Trace,
  first: number,
  last: number,
  surface: string,
  isOne: boolean,
): void {
  const x = (at: number) => u.valToPos(middleOf(trace, at), 'x', true)
  const y = (value: number | undefined) => u.valToPos(value as number, 'y', true)
  const { values, lows, highs } = trace
  const pieces = piecesOf(trace, first, last)
  if (lows && highs) {
    ctx.globalAlpha = 0.2
    for (const [from, to] of pieces) {
      ctx.beginPath()
      for (let at = from; at <= to; at++) ctx.lineTo(x(at), y(highs[at]))
      for (let at = to; at >= from; at--) ctx.lineTo(x(at), y(lows[at]))
      ctx.closePath()
      ctx.fill()
      // A period that stands alone has a span as well.
      if (from === to) ctx.fillRect(x(from) - 2 * ratio(), y(highs[from]), 4 * ratio(), y(lows[from]) - y(highs[from]))
    }
    ctx.globalAlpha = 1
  }
  ctx.lineWidth = LINE_WIDTH * ratio()
  ctx.lineJoin = 'round'
  ctx.setLineDash(trace.isBroken ? [5 * ratio(), 3 * ratio()] : [])
  for (const [from, to] of pieces) {
    ctx.beginPath()
    for (let at = from; at <= to; at++) ctx.lineTo(x(at), y(values[at]))
    ctx.stroke()
  }
  ctx.setLineDash([])
  const mark = (at: number) => drawMark(ctx, trace.look.shape, x(at), y(values[at]), trace.isBroken ? surface : null)
  const apart = (x(last) - x(first)) / Math.max(1, last - first)
  const isCrowded = apart < MARKS_APART * ratio()
  // Crowded marks tell sources apart; where there is one source they would only look like something else. A piece that
  // is too short for a line to be seen has one in any case.
  if (isCrowded && isOne) {
    for (const [from, to] of pieces) if (x(to) - x(from) < MARKS_APART * ratio()) mark(to)
    return
  }
  const step = isCrowded ? 2 ** Math.ceil(Math.log2((MARKS_OF_MANY_APART * ratio()) / Math.max(apart, 0.01))) : 1
  // Counted in time: marks do not jump when the picture moves, nor when more was loaded.
  const unit = Math.max(1, ((trace.times[last] as number) - (trace.times[first] as number)) / Math.max(1, last - first))
  const turn = (at: number) => Math.floor((trace.times[at] as number) / (step * unit))
  for (let at = first; at <= last; at++) if (step === 1 || (at > first && turn(at) !== turn(at - 1))) mark(at)
}

/** A line does not pretend to know what was in a long silence. */
function piecesOf({ times, ends }: Trace, first: number, last: number): [from: number, to: number][] {
  const pieces: [number, number][] = []
  const longest = longestStep(times, first, last, ends)
  let from = first
  for (let at = first + 1; at <= last; at++) {
    if ((times[at] as number) - (ends?.[at - 1] ?? (times[at - 1] as number)) <= longest) continue
    pieces.push([from, at - 1])
    from = at
  }
  return [...pieces, [from, last]]
}

function longestStep(times: number[], first: number, last: number, ends?: number[]): number {
  if (ends) return 2.5 * ((ends[first] as number) - (times[first] as number))
  const steps: number[] = []
  // Some of them tell what is usual.
  const stride = Math.max(1, Math.floor((last - first) / 64))
  for (let at = first + 1; at <= last; at += stride) steps.push((times[at] as number) - (times[at - 1] as number))
  steps.sort((a, b) => a - b)
  return Math.max(8 * (steps[Math.floor(steps.length / 2)] ?? 0), 1800)
}

function drawMark(
  ctx: CanvasRenderingContext2D,
  shape: Shape,
  x: number,
  y: number,
  hollow: string | null = null,
  size = MARK_SIZE * ratio(),
): void {
  ctx.beginPath()
  if (shape === 'circle') ctx.arc(x, y, size, 0, 2 * Math.PI)
  else if (shape === 'square') ctx.rect(x - size * 0.9, y - size * 0.9, size * 1.8, size * 1.8)
  else if (shape === 'triangle') polygon(ctx, x, y, [0, -1.2, 1.15, 0.9, -1.15, 0.9], size)
  else if (shape === 'diamond') polygon(ctx, x, y, [0, -1.35, 1.2, 0, 0, 1.35, -1.2, 0], size)
  else {
    const [a, b] = shape === 'cross' ? [1, 1] : [0, 1.3]
    ctx.moveTo(x - size * b, y - size * a)
    ctx.lineTo(x + size * b, y + size * a)
    ctx.moveTo(x - size * a, y + size * b)
    ctx.lineTo(x + size * a, y - size * b)
  }
  const isFilled = shape !== 'cross' && shape !== 'plus'
  const filled = ctx.fillStyle
  if (hollow) ctx.fillStyle = hollow
  if (isFilled) ctx.fill()
  ctx.fillStyle = filled
  if (!isFilled || hollow) ctx.stroke()
}

function polygon(ctx: CanvasRenderingContext2D, x: number, y: number, corners: number[], size: number): void {
  for (let at = 0; at < corners.length; at += 2)
    ctx.lineTo(x + (corners[at] as number) * size, y + (corners[at + 1] as number) * size)
  ctx.closePath()
}

/** A flag at the top for each, and a line down to the reading. */
export function drawAlerts(u: uPlot, alerts: AlertMark[], { alert, surface }: Colours): void {
  inPlot(u, (ctx) => {
    const { left, width, top, height } = u.bbox
    for (const { time } of alerts) {
      const x = u.valToPos(time, 'x', true)
      if (x < left - 8 * ratio() || x > left + width + 8 * ratio()) continue
      ctx.strokeStyle = alert
      ctx.globalAlpha = 0.5
      ctx.lineWidth = ratio()
      ctx.setLineDash([2 * ratio(), 3 * ratio()])
      ctx.beginPath()
      ctx.moveTo(x, top + 12 * ratio())
      ctx.lineTo(x, top + height)
      ctx.stroke()
      ctx.setLineDash([])
      ctx.globalAlpha = 1
      ctx.fillStyle = alert
      ctx.beginPath()
      polygon(ctx, x, top + 8 * ratio(), [0, -1, 1, 0.8, -1, 0.8], 7 * ratio())
      ctx.fill()
      ctx.fillStyle = surface
      ctx.fillRect(x - 0.75 * ratio(), top + 5 * ratio(), 1.5 * ratio(), 4.5 * ratio())
      ctx.fillRect(x - 0.75 * ratio(), top + 10.5 * ratio(), 1.5 * ratio(), 1.5 * ratio())
    }
  })
}

/** Bars for what lasts, marks for what happened, and above each lane its name. */
export function drawLanes(u: uPlot, lanes: Lane[], colours: Colours, font: string): void {
  inPlot(u, (ctx) => {
    const { left, width, height, top } = u.bbox
    const tall = height / Math.max(1, lanes.length)
    ctx.font = font
    ctx.textBaseline = 'middle'
    for (const [place, { name, marks }] of lanes.entries()) {
      const middle = top + tall * (place + 0.68)
      ctx.globalAlpha = 0.5
      ctx.fillStyle = colours.line
      ctx.fillRect(left, middle, width, ratio())
      ctx.globalAlpha = 1
      let free = Number.NEGATIVE_INFINITY
      for (const [at, { from, to, look, text }] of marks.entries()) {
        const x = u.valToPos(from, 'x', true)
        const end = to === undefined ? x : u.valToPos(to, 'x', true)
        if (end < left || x > left + width) continue
        ctx.fillStyle = colours.traces[look.colour] as string
        ctx.strokeStyle = ctx.fillStyle
        ctx.lineWidth = LINE_WIDTH * ratio()
        if (to !== undefined) ctx.fillRect(x, middle - tall * 0.2, Math.max(1.5 * ratio(), end - x), tall * 0.4)
        else drawMark(ctx, look.shape, x, middle, null, 4.5 * ratio())
        // A name beside its mark where there is room for it.
        if (to === undefined && x > free) {
          ctx.fillStyle = colours.text
          ctx.textAlign = 'left'
          const wide = ctx.measureText(text).width
          const next = marks[at + 1]
          const room = (next ? u.valToPos(next.from, 'x', true) : left + width) - x
          if (room > wide + 22 * ratio()) {
            ctx.fillText(text, x + 9 * ratio(), middle)
            free = x + wide + 12 * ratio()
          }
        }
      }
      ctx.textAlign = 'left'
      drawText(ctx, name, left + 6 * ratio(), middle - tall * 0.44, colours)
    }
  })
}
