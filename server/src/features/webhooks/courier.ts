// Attempts what is due. Every worker process has one; it is woken by a job, and looks by itself each second besides, so
// that nothing waits for a job that was lost. It waits for answers outside the queue's own few places: a receiver that
// hangs holds up neither other work nor other receivers.

import type { Logger } from 'pino'
import type { Database } from '../../platform/db/database.ts'
import { attempt, notAttempted, type Outcome } from './attempt.ts'
import { parcelOf } from './message.ts'
import { recordOutcome } from './outcome.ts'
import { type Claimed, claimDeliveries, LEASE_MS } from './queries/claiming.ts'
import { MOST_ATTEMPTS } from './retry-plan.ts'
import type { WebhookServices } from './services.ts'

/** Requests of this process at a time: to endpoints that work, and to those that have failed. */
const MOST_AT_ONCE = 100
const MOST_FAILING_AT_ONCE = 50
const LOOK_ANYWAY_MS = 1000

export class Courier {
  readonly #db: Database
  readonly #services: WebhookServices
  readonly #log: Logger
  readonly #running = new Set<Promise<void>>()
  readonly #failing = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | null = null
  #claiming: Promise<void> | null = null
  #isToClaimAgain = false
  #isStopped = false

  constructor(db: Database, services: WebhookServices, log: Logger) {
    this.#db = db
    this.#services = services
    this.#log = log
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), LOOK_ANYWAY_MS)
    this.wake()
  }

  /** What is under way comes to its end. */
  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#timer) clearInterval(this.#timer)
    await this.#claiming
    await Promise.all([...this.#running, ...this.#failing])
  }

  wake(): void {
    if (this.#isStopped) return
    if (this.#claiming) {
      this.#isToClaimAgain = true
      return
    }
    this.#claiming = this.#claim()
      .catch((error: unknown) => this.#log.error({ err: error }, 'webhooks could not be looked after; trying again'))
      .then(() => {
        this.#claiming = null
        if (!this.#isToClaimAgain) return
        this.#isToClaimAgain = false
        this.wake()
      })
  }

  async #claim(): Promise<void> {
    await this.#take(false, this.#running, MOST_AT_ONCE)
    await this.#take(true, this.#failing, MOST_FAILING_AT_ONCE)
  }

  async #take(isFailing: boolean, running: Set<Promise<void>>, most: number): Promise<void> {
    if (running.size >= most) return
    // When all places are taken, each goes to whoever has waited longest.
    const hasRoom = () => !this.#isStopped && running.size < most
    const claimedAt = performance.now()
    for (const claimed of await claimDeliveries(this.#db, isFailing, most - running.size)) {
      const delivering = this.#deliverAll(claimed, claimedAt, hasRoom)
        .catch((error: unknown) =>
          this.#log.error({ err: error, webhook: claimed.webhookId }, 'a delivery was left to be attempted again'),
        )
        .then(() => {
          running.delete(delivering)
          this.wake()
        })
      running.add(delivering)
    }
  }

  /** One after the other, for as long as its endpoint takes them and there is another. */
  async #deliverAll(first: Claimed, firstClaimedAt: number, hasRoom: () => boolean): Promise<void> {
    let claimedAt = firstClaimedAt
    for (let claimed: Claimed | null = first; claimed; ) {
      const outcome = await this.#attempt(claimed, claimedAt)
      if (!outcome) return
      claimedAt = performance.now()
      claimed = await recordOutcome(this.#services, this.#db, claimed, outcome, hasRoom())
    }
  }

  async #attempt(claimed: Claimed, claimedAt: number): Promise<Outcome | null> {
    const { secrets, outbound } = this.#services
    // One that brings down its process each time is given up in the end.
    if (claimed.roundCount > MOST_ATTEMPTS) return notAttempted('No attempt came to an end.')
    const { eventId } = claimed
    if (eventId === null) return notAttempted('The event is not kept any more.')
    // A process that stood still for so long leaves the attempt to whoever takes it next.
    if (performance.now() - claimedAt > LEASE_MS / 3) return null
    return attempt(outbound, parcelOf(secrets, { ...claimed, eventId }))
  }
}
