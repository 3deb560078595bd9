export const MEDIA_TYPE = 'application/vnd.api+json'

/** As bytes, because Fastify would add a charset parameter to text and this media type has none. */
export const bytesOf = (json: string): Buffer => Buffer.from(json)
