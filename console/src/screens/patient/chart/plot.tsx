// One panel of the chart: uPlot keeps the axes and the cursor, which all panels share with the time.

import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { LANGUAGE_TAGS, useLanguage } from '../../../language/language.ts'
import classes from './chart.module.css'
import type { Colours } from './colours.ts'
import { coloursOf } from './colours.ts'
import { ticksOf } from './time-axis.ts'
import type { TimeView } from './time-view.ts'

export interface Content {
  /** What the vertical axis shows. */
  range: [least: number, most: number]
  isLanes?: boolean
  below?: (u: uPlot, colours: Colours) => void
  draw: (u: uPlot, colours: Colours, font: string) => void
  /** The words for the time the pointer is at; `reach` is how far around it counts. */
  wordsAt: (time: number, reach: number) => string
}

interface Props {
  view: TimeView
  zone: string
  height: number
  content: Content
  /** Whether the pointer is in the left half, where the words would be in its way. */
  onWords: (words: string, isLeft: boolean) => void
}

export const AXIS_WIDTH = 58
const POINTER_REACH = 14
const CURSOR = uPlot.sync('readings')
/** Drawing is by hand: uPlot is given an empty line over all time. */
const ALL_TIME: uPlot.AlignedData = [
  [-1e11, 1e12],
  [null, null],
]

export function Plot({ view, zone, height, content, onWords }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const refresh = useRef<() => void>(() => {})
  const language = useLanguage()
  const colorScheme = useComputedColorScheme('light')
  const now = useRef({ content, zone, language, onWords })
  now.current = { content, zone, language, onWords }

  useEffect(() => {
    const element = place.current
    if (!element) return
    let colours = coloursOf(element)
    const family = getComputedStyle(element).fontFamily
    const font = () => `${12 * (devicePixelRatio || 1)}px ${family}`
    refresh.current = () => {
      colours = coloursOf(element)
      u.setScale('x', { min: view.range.from, max: view.range.to })
    }
    const axis = {
      stroke: () => colours.text,
      grid: { stroke: () => colours.line, width: 1 },
      ticks: { stroke: () => colours.line, width: 1, size: 4 },
      font: `12px ${family}`,
    }
    const ticks = (u: uPlot) =>
      ticksOf(view.range, u.bbox.width / (devicePixelRatio || 1), now.current.zone, now.current.language)
    const number = (value: number) =>
      value.toLocaleString(LANGUAGE_TAGS[now.current.language], { maximumFractionDigits: 2 })
    const u = new uPlot(
      {
        width: element.clientWidth,
        height: element.clientHeight,
        padding: [6, 8, 0, 0],
        legend: { show: false },
        scales: {
          x: { time: false, auto: false, range: (_, min, max) => [min, max] },
          y: { auto: true, range: () => now.current.content.range },
        },
        series: [{}, { show: false, scale: 'y' }],
        axes: [
          { ...axis, size: 26, gap: 2, splits: (u) => ticks(u).at, values: (u) => ticks(u).labels },
          {
            ...axis,
            size: AXIS_WIDTH,
            gap: 4,
            space: 28,
            // Lanes have their names within them.
            splits: (_, __, min, max, step) => (now.current.content.isLanes ? [] : stepsOf(min, max, step)),
            values: (_, at) => at.map(number),
          },
        ],
        cursor: {
          sync: { key: CURSOR.key, scales: ['x', null] },
          y: false,
          points: { show: false },
          drag: { x: false, y: false, setScale: false },
        },
        hooks: {
          drawClear: [(u) => now.current.content.below?.(u, colours)],
          draw: [(u) => now.current.content.draw(u, colours, font())],
          setCursor: [
            (u) => {
              const { left = -1 } = u.cursor
              if (left < 0) return now.current.onWords('', false)
              // As uPlot knows it: to ask the page would have it laid out anew in each frame.
              const width = u.bbox.width / (devicePixelRatio || 1)
              const perPixel = (view.range.to - view.range.from) / Math.max(1, width)
              const words = now.current.content.wordsAt(u.posToVal(left, 'x'), perPixel * POINTER_REACH)
              now.current.onWords(words, left < width / 2)
            },
          ],
        },
      },
      ALL_TIME,
      element,
    )
    const follow = () => u.setScale('x', { min: view.range.from, max: view.range.to })
    follow()
    const unfollow = view.subscribe(follow)
    const resize = new ResizeObserver(() => u.setSize({ width: element.clientWidth, height: element.clientHeight }))
    resize.observe(element)
    return () => {
      unfollow()
      resize.disconnect()
      u.destroy()
      refresh.current = () => {}
    }
  }, [view])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these is drawn
  useEffect(() => {
    // In the next frame the page has its new colours.
    const frame = requestAnimationFrame(() => refresh.current())
    return () => cancelAnimationFrame(frame)
  }, [content, zone, language, colorScheme, height])

  return <div ref={place} className={classes.plot} style={{ height }} />
}

/** Marks at whole steps, as uPlot would set them by itself. */
function stepsOf(min: number, max: number, step: number): number[] {
  const found: number[] = []
  for (let at = Math.ceil(min / step) * step; at <= max + step / 1e6; at += step) found.push(Number(at.toPrecision(12)))
  return found
}
