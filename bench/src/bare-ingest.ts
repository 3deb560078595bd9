// One transaction for each point: what a plain service would do. Answers when the point is stored for good.

import Fastify from 'fastify'
import pg from 'pg'

const [databaseUrl, port] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
const app = Fastify()

app.post('/points/', async (request, reply) => {
  const { data } = request.body as {
    data: {
      attributes: { 'individual-id': string; source: string; data: { type: string; time: string; value: number }[] }
    }[]
  }
  const { attributes } = data[0] as (typeof data)[number]
  const point = attributes.data[0] as (typeof attributes.data)[number]
  await pool.query('insert into bare_points values ($1, $2, $3, $4, $5) on conflict do nothing', [
    attributes['individual-id'],
    point.type,
    `${point.time}+00`,
    attributes.source,
    point.value,
  ])
  return reply.code(201).send({ data: [{ stored: 1 }] })
})

/** The same of a service that has nothing to do. */
app.post('/nothing/', async (_, reply) => reply.code(201).send({ data: [{ stored: 0 }] }))

await app.listen({ port: Number(port) })
process.send?.('ready')
