/** As bytes, because Fastify would add a charset parameter to text and the interface's media type has none. */
export const bytesOf = (json: string): Buffer => Buffer.from(json)
