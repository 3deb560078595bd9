// Puts a made-up population into the database, in large pieces. A person is there whole or not at all, so that whatever
// interrupts it, the next run adds what is missing.

import { sql } from 'kysely'
import { hashPassword } from '../platform/auth/passwords.ts'
import type { Database } from '../platform/db/database.ts'
import { clinicGroups, FOUNDED } from './groups.ts'
import { type Patient, type Person, type Population, patients, TAGS } from './population.ts'
import { Random } from './random.ts'
import { clinicPosts, clinicStaff, type StaffMember } from './staff.ts'

export const DEMO_PASSWORD = 'almoner-demo-1'

export interface WriteOptions extends Population {
  organizationId: string
  patients: number
  onProgress?(done: number, total: number): void
  /** Asks to stop between two pieces. */
  signal?: AbortSignal
  batchSize?: number
}

export interface Written {
  patients: number
  /** Patients who were there before. */
  patientsBefore: number
  staff: number
  groups: number
  isComplete: boolean
}

/** What was to be added belongs to another organization. */
export class PopulationElsewhere extends Error {}

// As large as pays off, but small enough that something is told ten times.
const BATCH = { least: 500, most: 5000 }
const TAG_IDS = 30
// Any fixed number that nothing else in the database uses.
const LOCK = 7_204_113_906

export async function writePopulation(db: Database, options: WriteOptions): Promise<Written> {
  const { organizationId, patients: count, onProgress, signal } = options
  const batchSize = options.batchSize ?? Math.min(Math.max(Math.ceil(count / 10), BATCH.least), BATCH.most)
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  const into = { organizationId, passwordHash }
  const written: Written = {
    patients: 0,
    patientsBefore: 0,
    isComplete: false,
    ...(await writeClinic(db, options, into)),
  }
  const tagIds = await tagIdsOf(db, organizationId)
  for (let from = 0, batch = 1; from < count; from += batchSize, batch++) {
    if (signal?.aborted) return written
    const people = [...patients(options, Math.min(count, from + batchSize), from)]
    const added = await oneAtATime(db, (trx) => writePatients(trx, people, into, tagIds))
    written.patients += added
    written.patientsBefore += people.length - added
    onProgress?.(from + people.length, count)
    // The triggers' statements were planned for tables that have doubled since: they are planned anew.
    if (added > 0 && Number.isInteger(Math.log2(batch))) await sql`analyze ${tables()}`.execute(db)
  }
  await sql`vacuum analyze ${tables()}`.execute(db)
  return { ...written, isComplete: true }
}

const TABLES = [
  'individuals',
  'users',
  'memberships',
  'individual_groups',
  'group_individuals',
  'group_staff',
  'group_counts',
  'tags',
  'individual_tags',
  'listed_individuals',
  'listed_counts',
]
const tables = () => sql.join(TABLES.map((name) => sql.table(name)))

/** A second run at the same time finds what the first one wrote. */
const oneAtATime = <T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    return work(trx)
  })

interface Into {
  organizationId: string
  passwordHash: string
}

/** Everything but the patients: staff, groups, who works where, and tags. */
function writeClinic(db: Database, options: WriteOptions, into: Into): Promise<{ staff: number; groups: number }> {
  const { patients: count, seed, until } = options
  const { organizationId } = into
  return oneAtATime(db, async (trx) => {
    const staff = await missing(trx, clinicStaff(options, count), organizationId)
    await insertPeople(trx, staff, into)
    await insertMemberships(trx, staff, organizationId)
    const groups = clinicGroups(seed, count)
    const { numAffectedRows } = await sql`
      insert into individual_groups
        (id, organization_id, parent_group_id, name, node_type, type, tags, created_at, last_modified_time)
      select id, ${organizationId}, parent_id, name, node_type, type, array_remove(array[tag], null), ${FOUNDED}, ${until}
      from unnest(${groups.map(({ id }) => id)}::uuid[], ${groups.map(({ parentId }) => parentId)}::uuid[],
        ${groups.map(({ name }) => name)}::text[], ${groups.map(({ nodeType }) => nodeType)}::text[],
        ${groups.map(({ type }) => type)}::text[], ${groups.map(({ tags }) => tags[0] ?? null)}::text[])
        made (id, parent_id, name, node_type, type, tag)
      on conflict do nothing`.execute(trx)
    const posts = clinicPosts(options, count)
    await sql`
      insert into group_staff (group_id, kind, user_id, added_at)
      select g.id, post.kind, u.id, ${until}
      from unnest(${posts.map(({ groupId }) => groupId)}::uuid[], ${posts.map(({ kind }) => kind)}::text[],
        ${posts.map(({ username }) => username)}::text[]) post (group_id, kind, username)
      join individual_groups g on g.id = post.group_id and g.organization_id = ${organizationId}
      join users u on lower(u.username) = post.username
      join memberships m on m.user_id = u.id and m.organization_id = ${organizationId} and m.role = 'provider'
      on conflict do nothing`.execute(trx)
    const tags = TAGS.map(({ name }, place) => ({ name, id: new Random(seed, TAG_IDS, place).uuid(FOUNDED) }))
    await sql`
      insert into tags (id, organization_id, name, created_at)
      select id, ${organizationId}, name, ${FOUNDED}
      from unnest(${tags.map(({ id }) => id)}::uuid[], ${tags.map(({ name }) => name)}::text[]) made (id, name)
      on conflict do nothing`.execute(trx)
    return { staff: staff.length, groups: Number(numAffectedRows ?? 0) }
  })
}

async function tagIdsOf(db: Database, organizationId: string): Promise<Map<string, string>> {
  const tags = await db.selectFrom('tags').select(['id', 'name']).where('organizationId', '=', organizationId).execute()
  return new Map(tags.map(({ id, name }) => [name.toLowerCase(), id]))
}

/** How many of them were added. */
async function writePatients(
  trx: Database,
  people: Patient[],
  into: Into,
  tagIds: Map<string, string>,
): Promise<number> {
  const added = await missing(trx, people, into.organizationId)
  if (added.length === 0) return 0
  await insertPeople(trx, added, into)
  const inGroups = added.flatMap(({ individualId, createdAt, groupIds }) =>
    groupIds.map((groupId) => ({ groupId, individualId, createdAt })),
  )
  // Before the memberships: the list takes people up when they become members, and then has their groups at once.
  await sql`
    insert into group_individuals (group_id, individual_id, added_at)
    select made.group_id, individual_id, added_at
    from unnest(${inGroups.map(({ groupId }) => groupId)}::uuid[],
      ${inGroups.map(({ individualId }) => individualId)}::uuid[],
      ${inGroups.map(({ createdAt }) => createdAt)}::timestamptz[]) made (group_id, individual_id, added_at)
    join individual_groups g on g.id = made.group_id and g.organization_id = ${into.organizationId}`.execute(trx)
  const tagged = added.flatMap(({ individualId, tags }) =>
    tags.map((tag) => ({ tagId: tagIds.get(tag.toLowerCase()), individualId })),
  )
  await sql`
    insert into individual_tags (tag_id, individual_id)
    select * from unnest(${tagged.map(({ tagId }) => tagId)}::uuid[],
      ${tagged.map(({ individualId }) => individualId)}::uuid[])`.execute(trx)
  await insertMemberships(
    trx,
    added.map(({ userId }) => ({ userId, role: 'patient' as const })),
    into.organizationId,
  )
  return added.length
}

/** Those who are not there yet. Made again on another day they have other ids, but sign in by the same name. */
async function missing<P extends Person>(trx: Database, people: P[], organizationId: string): Promise<P[]> {
  const { rows } = await sql<{ username: string; individualId: string; isHere: boolean }>`
    select lower(u.username) as username, u.individual_id, exists (
      select from memberships m where m.user_id = u.id and m.organization_id = ${organizationId}) as is_here
    from users u
    where lower(u.username) = any(${people.map(({ username }) => username)}::text[])
      or u.individual_id = any(${people.map(({ individualId }) => individualId)}::uuid[])`.execute(trx)
  const elsewhere = rows.find(({ isHere }) => !isHere)
  if (elsewhere)
    throw new PopulationElsewhere(`${elsewhere.username} is in another organization already. Choose another seed.`)
  const known = new Set(rows.flatMap(({ username, individualId }) => [username, individualId]))
  return people.filter(({ username, individualId }) => !known.has(username) && !known.has(individualId))
}

async function insertPeople(trx: Database, people: Person[], { passwordHash }: Into): Promise<void> {
  const all = <T>(pick: (person: Person) => T) => people.map(pick)
  await sql`
    insert into individuals (id, first_name, last_name, preferred_name, birth_date, gender, email, mobile_phone,
      locale, tz, communication_preferences, created_at)
    select * from unnest(${all((one) => one.individualId)}::uuid[], ${all((one) => one.firstName)}::text[],
      ${all((one) => one.lastName)}::text[], ${all((one) => one.preferredName)}::text[],
      ${all((one) => one.birthDate)}::date[], ${all((one) => one.gender)}::text[], ${all((one) => one.email)}::text[],
      ${all((one) => one.mobilePhone)}::text[], ${all((one) => one.locale)}::text[], ${all((one) => one.tz)}::text[],
      ${all((one) => JSON.stringify(one.communicationPreferences))}::jsonb[],
      ${all((one) => one.createdAt)}::timestamptz[])`.execute(trx)
  await sql`
    insert into users (id, individual_id, username, password_hash, state, registration_invite, email_verified,
      phone_verified, registered_at, last_login_at, last_activity_at, created_at)
    select * from unnest(${all((one) => one.userId)}::uuid[], ${all((one) => one.individualId)}::uuid[],
      ${all((one) => one.username)}::text[], ${all((one) => (one.canSignIn ? passwordHash : null))}::text[],
      ${all((one) => one.state)}::text[], ${all((one) => one.registrationInvite)}::text[],
      ${all((one) => one.emailVerified)}::boolean[], ${all((one) => one.phoneVerified)}::boolean[],
      ${all((one) => one.registeredAt)}::timestamptz[], ${all((one) => one.lastLoginAt)}::timestamptz[],
      ${all((one) => one.lastActivityAt)}::timestamptz[], ${all((one) => one.createdAt)}::timestamptz[])`.execute(trx)
}

const insertMemberships = (
  trx: Database,
  members: { userId: string; role: StaffMember['role'] | 'patient' }[],
  organizationId: string,
) =>
  sql`
    insert into memberships (user_id, organization_id, role)
    select user_id, ${organizationId}, role
    from unnest(${members.map(({ userId }) => userId)}::uuid[], ${members.map(({ role }) => role)}::text[])
      made (user_id, role)`.execute(trx)
