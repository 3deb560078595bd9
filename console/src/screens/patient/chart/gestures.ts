// Moving through time by mouse, touch and keyboard.

import { type KeyboardEvent, useEffect, useRef } from 'react'
import { AXIS_WIDTH } from './plot.tsx'
import { spanOf, type TimeRange, type TimeView, zoomed } from './time-view.ts'

const STEP = 0.25
const ZOOM_STEP = 1 / 1.6

/** What keys do where the chart has the focus; true when one did something. */
export function moveByKey(view: TimeView, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  const actions: Record<string, () => void> = {
    ArrowLeft: () => view.pan(event.shiftKey ? -1 : -STEP),
    ArrowRight: () => view.pan(event.shiftKey ? 1 : STEP),
    PageUp: () => view.pan(-1),
    PageDown: () => view.pan(1),
    Home: () => view.start(),
    End: () => view.latest(spanOf(view.range)),
    '+': () => view.zoom(ZOOM_STEP),
    '=': () => view.zoom(ZOOM_STEP),
    '-': () => view.zoom(1 / ZOOM_STEP),
    _: () => view.zoom(1 / ZOOM_STEP),
  }
  const action = actions[event.key]
  if (!action) return false
  event.preventDefault()
  action()
  return true
}

export const zoomIn = (view: TimeView) => view.zoom(ZOOM_STEP)
export const zoomOut = (view: TimeView) => view.zoom(1 / ZOOM_STEP)
export const panBack = (view: TimeView) => view.pan(-STEP)
export const panOn = (view: TimeView) => view.pan(STEP)

/** To be put on the element of a plot. The wheel alone scrolls the page; with Ctrl it zooms, and sideways it pans. */
export function useGestures(view: TimeView) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const target = element.current
    if (!target) return
    const pointers = new Map<number, number>()
    // Asked for when a movement begins, and not in each frame of it, in which the page would be laid out anew.
    let [left, width] = [0, 1]
    const measure = () => {
      const box = target.getBoundingClientRect()
      left = box.left + AXIS_WIDTH
      width = Math.max(1, box.width - AXIS_WIDTH - 8)
    }
    const timeAt = (x: number, range: TimeRange) => range.from + ((x - left) / width) * spanOf(range)

    const down = (event: PointerEvent) => {
      if (event.button !== 0) return
      measure()
      pointers.set(event.pointerId, event.clientX)
      target.setPointerCapture(event.pointerId)
    }
    const move = (event: PointerEvent) => {
      const before = pointers.get(event.pointerId)
      if (before === undefined) return
      const { range } = view
      const [other] = [...pointers].filter(([id]) => id !== event.pointerId)
      pointers.set(event.pointerId, event.clientX)
      if (!other) {
        const by = ((before - event.clientX) / width) * spanOf(range)
        return view.show({ from: range.from + by, to: range.to + by })
      }
      // Two fingers: the times below them stay below them.
      const [anchor, moved] = [timeAt(other[1], range), timeAt(before, range)]
      const distance = event.clientX - other[1]
      if (Math.abs(distance) < 10) return
      const factor = (moved - anchor) / ((distance / width) * spanOf(range))
      if (factor > 0) view.show(zoomed(range, factor, anchor))
    }
    const up = (event: PointerEvent) => void pointers.delete(event.pointerId)
    const wheel = (event: WheelEvent) => {
      const { range } = view
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault()
        measure()
        view.show(zoomed(range, Math.exp(event.deltaY * 0.002), timeAt(event.clientX, range)))
      } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault()
        measure()
        const by = (event.deltaX / width) * spanOf(range)
        view.show({ from: range.from + by, to: range.to + by })
      }
    }
    const twice = (event: MouseEvent) => {
      measure()
      view.zoom(ZOOM_STEP ** 2, timeAt(event.clientX, view.range))
    }
    const stop = new AbortController()
    const { signal } = stop
    target.addEventListener('pointerdown', down, { signal })
    target.addEventListener('pointermove', move, { signal })
    target.addEventListener('pointerup', up, { signal })
    target.addEventListener('pointercancel', up, { signal })
    target.addEventListener('wheel', wheel, { signal, passive: false })
    target.addEventListener('dblclick', twice, { signal })
    return () => stop.abort()
  }, [view])
  return element
}
