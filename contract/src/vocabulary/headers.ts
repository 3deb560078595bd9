export const MEDIA_TYPE = 'application/vnd.api+json'

/** The caller's quota, on every answer. */
export const QUOTA_HEADERS = {
  limit: 'X-Ratelimit-Limit',
  used: 'X-Ratelimit-Used',
  remaining: 'X-Ratelimit-Remaining',
  reset: 'X-Ratelimit-Reset',
} as const
