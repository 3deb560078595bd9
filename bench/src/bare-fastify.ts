// The least that could answer the same list: Fastify, a pool and the same query. No sign-in, quota or validation.

import { fastify } from 'fastify'
import pg from 'pg'

const [url, port, userId] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url as string, max: 10 })
const app = fastify()

app.get('/identity/v1/organizations/', async (_, reply) => {
  const { rows } = await pool.query(
    `select organizations.id, name, created_at, array_agg(role order by role) as roles, (count(*) over ())::int as total
     from organizations join memberships on memberships.organization_id = organizations.id
     where user_id = $1 group by organizations.id order by lower(name), organizations.id limit $2 offset $3`,
    [userId, 100, 0],
  )
  const data = rows.map(({ id, name, created_at, roles }) => ({
    type: 'organizations',
    id,
    attributes: { name, 'created-at': created_at, roles },
  }))
  reply.header('content-type', 'application/vnd.api+json')
  return { data, meta: { 'page[offset]': 0, 'page[limit]': 100, 'page[total]': rows[0]?.total ?? 0 } }
})

await app.listen({ port: Number(port) })
process.send?.('ready')
