// One caller who follows events: first what was missed, then what the hub tells.

import { kindsMeant, printer, streamedSchema } from '@almoner/contract'
import { Event, streamEvents } from '@almoner/contract/integrator/events'
import type { AnyActor } from '../../platform/auth/actor.ts'
import { isInSight, type Sight, sightOf } from '../../platform/auth/sight.ts'
import { Problem } from '../../platform/errors/problem.ts'
import type { EventHub, FollowedEvent } from '../../platform/events/event-hub.ts'
import { type LoggedEvent, lastPosition } from '../../platform/events/event-log.ts'
import { type Context, implement } from '../../platform/http/implementation.ts'
import { ServerSentEvents } from '../../platform/http/server-sent-events.ts'
import { type Asked, eventsBetween } from './queries/events.ts'

export interface FollowingServices {
  hub: EventHub
  streamHeartbeatSeconds: number
}

const RECONNECT_MS = 2000
const READ_AT_ONCE = 500
/** Told while the caller still catches up. What is more is read from the log, as the rest. */
const MOST_PENDING = 2000
const PIECE = 32 * 1024

export const following = (services: FollowingServices) => [
  implement(streamEvents, async ({ filter, lastEventId }, context) => {
    const { kind, individualId } = filter
    const asked = { ...(kind ? { kinds: kindsMeant(kind) } : {}), ...(individualId ? { individualId } : {}) }
    const sight = await sightOf(context.db, context.actor, context.reach)
    return new Following(services, context, asked, sight).begin(lastEventId)
  }),
]

type FollowingContext = Pick<Context<AnyActor>, 'db' | 'again' | 'audit' | 'log'>

class Following {
  readonly #services: FollowingServices
  readonly #context: FollowingContext
  readonly #asked: Asked
  readonly #stream = new ServerSentEvents()
  #sight: Sight
  /** All that the caller is to see up to here was sent. */
  #position = 0
  /** What is to be read from the log ends here; what comes after it is told. */
  #goal = 0
  /** Null once everything that was missed is sent. */
  #pending: FollowedEvent[] | null = []
  #isChecking = false

  constructor(services: FollowingServices, context: FollowingContext, asked: Asked, sight: Sight) {
    this.#services = services
    this.#context = context
    this.#asked = asked
    this.#sight = sight
  }

  async begin(lastEventId: number | undefined): Promise<ServerSentEvents> {
    const stream = this.#stream
    const { hub, streamHeartbeatSeconds } = this.#services
    const { position, leave } = await hub.follow((events) => this.#told(events))
    stream.once('close', leave)
    stream.once('error', (error) => this.#context.log.warn({ err: error }, 'a stream was cut off'))
    try {
      const last = await lastPosition(this.#context.db)
      this.#position = Math.min(lastEventId ?? last, last)
    } catch (error) {
      stream.destroy()
      throw error
    }
    this.#goal = Math.max(position, this.#position)
    const timer = setInterval(() => void this.#beat(), streamHeartbeatSeconds * 1000)
    stream.once('close', () => {
      clearInterval(timer)
      this.#context.audit.recordSoFar()
    })
    // An id without data is no event, but is what a caller who is cut off before the first one goes on from.
    stream.send(`: following\nretry: ${RECONNECT_MS}\nid: ${this.#position}\n\n`)
    this.#catchUp().catch((error: unknown) => {
      this.#context.log.error({ err: error }, 'events could not be read for a stream')
      stream.end()
    })
    return stream
  }

  #told(events: FollowedEvent[]): void {
    if (this.#pending === null) this.#sendSeen(events)
    else if (this.#pending.length < MOST_PENDING) this.#pending.push(...events)
    else {
      this.#goal = events.at(-1)?.position ?? this.#goal
      this.#pending = []
    }
  }

  async #catchUp(): Promise<void> {
    const { db } = this.#context
    while (this.#position < this.#goal && !this.#stream.isOver) {
      const [after, upTo] = [this.#position, this.#goal]
      const events = await eventsBetween(db, this.#sight, this.#asked, { after, upTo, limit: READ_AT_ONCE })
      let piece = ''
      for (const event of events) {
        piece += this.#textOf(event)
        if (piece.length < PIECE) continue
        this.#stream.send(piece)
        piece = ''
        await this.#stream.room()
      }
      this.#stream.send(piece)
      this.#position = events.length < READ_AT_ONCE ? upTo : (events.at(-1)?.position ?? upTo)
      await this.#stream.room()
    }
    const pending = this.#pending ?? []
    this.#pending = null
    this.#sendSeen(pending)
  }

  #sendSeen(events: FollowedEvent[]): void {
    let text = ''
    for (const event of events) {
      if (event.position <= this.#position) continue
      this.#position = event.position
      if (this.#isFor(event)) text += this.#textOf(event)
    }
    if (text) this.#stream.send(text)
  }

  #isFor(event: FollowedEvent): boolean {
    const { kinds, individualId } = this.#asked
    return (
      (!kinds || kinds.includes(event.kind)) &&
      (!individualId || individualId === event.individualId) &&
      isInSight(this.#sight, event)
    )
  }

  #textOf(event: LoggedEvent): string {
    this.#context.audit.touched(event.individualId ? [event.individualId] : [], [event.organizationId])
    return printed(event)
  }

  /** Says that there is still someone here, and looks whether the caller may still listen. */
  async #beat(): Promise<void> {
    const { db, again, audit, log } = this.#context
    const stream = this.#stream
    // What cannot be found out is not assumed.
    if (this.#isChecking) return stream.end()
    this.#isChecking = true
    try {
      const { actor, reach } = await again()
      this.#sight = await sightOf(db, actor, reach)
    } catch (error) {
      if (!(error instanceof Problem)) log.error({ err: error }, 'who follows a stream could not be looked up')
      return stream.end()
    } finally {
      this.#isChecking = false
    }
    audit.recordSoFar()
    stream.send(this.#pending ? ': here\n\n' : `: here\nid: ${this.#position}\n\n`)
  }
}

const print = printer(streamedSchema(Event))
/** One text for all who are sent the same event. */
const texts = new WeakMap<LoggedEvent, string>()

function printed(event: LoggedEvent): string {
  const known = texts.get(event)
  if (known !== undefined) return known
  const text = `id: ${event.position}\nevent: ${event.kind}\ndata: ${print(event)}\n\n`
  texts.set(event, text)
  return text
}
