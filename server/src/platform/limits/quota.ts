// Usage quotas: each caller has a number of units in every bucket of 60 seconds.

import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'

export interface Usage {
  limit: number
  used: number
  remaining: number
  /** Unix time in seconds when the next bucket begins. */
  resetAt: number
  secondsLeft: number
  exceeded: boolean
}

/** Counts per key in buckets of a fixed length: in memory, or in Redis for several processes together. */
export class Counter {
  readonly #limiter: RateLimiterMemory | RateLimiterRedis
  readonly #seconds: number

  constructor(name: string, seconds: number, redis: Redis | undefined) {
    this.#seconds = seconds
    // The limit differs by caller, so it is compared here and the limiter itself only counts.
    const options = { keyPrefix: `almoner:${name}`, points: Number.MAX_SAFE_INTEGER, duration: seconds }
    const memory = new RateLimiterMemory(options)
    this.#limiter = redis ? new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter: memory }) : memory
  }

  async consume(key: string, units: number, limit: number): Promise<Usage> {
    return this.#usage(await this.#limiter.consume(key, units), limit)
  }

  async giveBack(key: string, units: number): Promise<void> {
    await this.#limiter.reward(key, units)
  }

  async forget(key: string): Promise<void> {
    await this.#limiter.delete(key)
  }

  #usage(counted: RateLimiterRes | null, limit: number): Usage {
    const consumed = counted?.consumedPoints ?? 0
    const milliseconds = counted && counted.msBeforeNext > 0 ? counted.msBeforeNext : this.#seconds * 1000
    const used = Math.min(consumed, limit)
    return {
      limit,
      used,
      remaining: limit - used,
      resetAt: Math.ceil((Date.now() + milliseconds) / 1000),
      secondsLeft: Math.max(1, Math.ceil(milliseconds / 1000)),
      exceeded: consumed > limit,
    }
  }
}
