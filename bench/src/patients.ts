import type pg from 'pg'
import { v7 } from 'uuid'

/** Patients of the first organization, straight into the database; answers their ids. */
export async function makePatients(pool: pg.Pool, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => v7())
  await pool.query(
    `insert into individuals (id, first_name, last_name, created_at)
     select id, 'Bench', 'Patient', now() from unnest($1::uuid[]) id`,
    [ids],
  )
  await pool.query(
    `insert into users (id, individual_id, username, created_at)
     select id, id, id::text, now() from unnest($1::uuid[]) id`,
    [ids],
  )
  await pool.query(
    `insert into memberships (user_id, organization_id, role)
     select id, (select id from organizations order by created_at limit 1), 'patient' from unnest($1::uuid[]) id`,
    [ids],
  )
  await pool.query('analyze')
  return ids
}
