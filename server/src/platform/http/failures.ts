// Whatever goes wrong becomes an answer of the one declared shape.

import type { Socket } from 'node:net'
import { type ErrorCode, type ErrorEntry, MEDIA_TYPE } from '@almoner/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors/problem.ts'
import { bytesOf } from './media-type.ts'

const ABOUT_TOKENS = new Set<ErrorCode>(['NotAuthenticated', 'TokenInvalid', 'TokenExpired'])

export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = error instanceof Problem ? error : translate(error as FastifyError, request)
  if (problem.status >= 500)
    request.log.error({ err: error, operation: request.routeOptions.config.operation?.id }, 'a request failed')
  if (problem.code && ABOUT_TOKENS.has(problem.code)) reply.header('www-authenticate', 'Bearer')
  const seconds = problem.entries[0]?.meta?.seconds
  if (problem.status === 429) reply.header('retry-after', String(seconds))
  return reply
    .code(problem.status)
    .header('content-type', MEDIA_TYPE)
    .send(bytesOf(print(problem.entries)))
}

/** Fastify's own refusals have their places in the table; what is left is ours to mend. */
function translate(error: FastifyError, request: FastifyRequest): Problem {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('BodyTooLarge', { limit: request.routeOptions.bodyLimit })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('UnsupportedMediaType')
    default:
      if (error.statusCode && error.statusCode < 500) return new Problem('MalformedRequest', { reason: error.message })
      return new Problem('InternalError', { requestId: request.id })
  }
}

/** For what Node refuses before there is a request: broken HTTP, headers too large, too slow. */
export function answerBrokenConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const reason = error.code === 'HPE_HEADER_OVERFLOW' ? 'its headers or address are too long' : 'it cannot be parsed'
  const body = print(new Problem('MalformedRequest', { reason }).entries)
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: ${MEDIA_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

const print = (errors: ErrorEntry[]): string => JSON.stringify({ errors })
