// One stream of events for all tabs of a browser. The tab that holds the lock follows it and tells the others; when it
// is closed, the next one goes on after the last event that came. A stream in each tab would soon use up the few
// connections that browsers make to one address.

import type { HappenedEvent } from '@almoner/client'
import { almoner, sessionState } from '../session/session.ts'

const NAME = 'almoner-events'
const FIRST_DELAY_MS = 2000
const LONGEST_DELAY_MS = 60_000
/** A service that is started anew is back before anyone needs to know. */
const SAID_AFTER_MS = 4000

type Message =
  | { kind: 'event'; event: HappenedEvent }
  | { kind: 'connection'; stands: boolean; position: number | undefined }
  | { kind: 'asking' }

const listeners = new Set<(event: HappenedEvent) => void>()
const watchers = new Set<() => void>()
let channel: BroadcastChannel | undefined
let position: number | undefined
let isLeading = false
let stands = true
let isLost = false
let losing: ReturnType<typeof setTimeout> | undefined

/** Until the function that is answered is called. */
export function followEvents(): () => void {
  const controller = new AbortController()
  channel = new BroadcastChannel(NAME)
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => hear(data))
  channel.postMessage({ kind: 'asking' } satisfies Message)
  const leading = () => lead(controller.signal)
  // Browsers have locks on pages of secure origins only; elsewhere each tab follows for itself.
  const work = navigator.locks ? navigator.locks.request(NAME, { signal: controller.signal }, leading) : leading()
  // Giving up before the lock was there is how a tab ends that never led.
  work.catch(() => {})
  return () => {
    controller.abort()
    channel?.close()
    channel = undefined
    note(true)
    // What happened while someone else was here is not for the next person.
    if (sessionState() === 'signed-out') position = undefined
  }
}

export function onEvent(listener: (event: HappenedEvent) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function watchConnection(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

/** Whether it has been gone for longer than some seconds. */
export const isConnectionLost = (): boolean => isLost

async function lead(signal: AbortSignal): Promise<void> {
  isLeading = true
  let delay = FIRST_DELAY_MS
  const onConnection = (now: boolean, last = position) => {
    if (signal.aborted) return
    if (now) delay = FIRST_DELAY_MS
    tell({ kind: 'connection', stands: now, position: last })
  }
  while (!signal.aborted) {
    const network = new AbortController()
    const leave = () => network.abort()
    // Otherwise it is noticed only when nothing was heard for long.
    addEventListener('offline', leave)
    try {
      const input = position === undefined ? {} : { lastEventId: position }
      const options = { signal: AbortSignal.any([signal, network.signal]), onConnection }
      for await (const event of almoner.streamEvents(input, options)) tell({ kind: 'event', event })
    } catch {
      onConnection(false)
    } finally {
      removeEventListener('offline', leave)
    }
    await pauseOrOnline(delay, signal)
    delay = Math.min(delay * 2, LONGEST_DELAY_MS)
  }
  isLeading = false
}

function pauseOrOnline(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  addEventListener('online', () => resolve(), { once: true, signal })
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(() => clearTimeout(timer))
}

function tell(message: Message): void {
  channel?.postMessage(message)
  hear(message)
}

function hear(message: Message): void {
  if (message.kind === 'asking') {
    if (isLeading) channel?.postMessage({ kind: 'connection', stands, position } satisfies Message)
  } else if (message.kind === 'connection') {
    position = message.position
    note(message.stands)
  } else {
    position = message.event.position
    for (const listener of listeners) listener(message.event)
  }
}

function note(now: boolean): void {
  stands = now
  if (now) {
    clearTimeout(losing)
    losing = undefined
    say(false)
  } else
    losing ??= setTimeout(() => {
      losing = undefined
      say(true)
    }, SAID_AFTER_MS)
}

function say(lost: boolean): void {
  if (lost === isLost) return
  isLost = lost
  for (const watcher of watchers) watcher()
}
