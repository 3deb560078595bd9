import { Redis } from 'ioredis'
import type { Logger } from 'pino'

/** While Redis is away calls fail at once, and the counters fall back to this process's memory. */
export function connectRedis(url: string, log: Logger): Redis {
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 500 })
  redis.on('error', (error) => log.warn({ err: error }, 'Redis does not answer'))
  return redis
}
