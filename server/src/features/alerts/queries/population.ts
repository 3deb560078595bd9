// Figures over everyone a caller sees. Each statement reads one index of the organization.

import type { AnswerOf } from '@almoner/contract'
import { type getPopulationSummary, TREND_DAYS } from '@almoner/contract/alerts/population'
import { sql } from 'kysely'
import { isSeen, type Sight } from '../../../platform/auth/sight.ts'
import type { Database } from '../../../platform/db/database.ts'
import { LISTED_TYPES } from '../../metrics/index.ts'

type Summary = AnswerOf<typeof getPopulationSummary>

interface Asked {
  organizationId: string
  sight: Sight
  now: Date
}

const DAY_MS = 86_400_000
const MOST_SHOWN = 20
const before = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS)

/** Nothing to ask about each person where the caller sees everyone. */
const isAmongSeen = ({ organizationId, sight }: Asked, table: string) =>
  sight.organizationIds.includes(organizationId)
    ? sql`true`
    : isSeen(sight, sql.ref(`${table}.organization_id`), sql.ref(`${table}.individual_id`))

export async function openAlerts(db: Database, asked: Asked): Promise<Summary['openAlerts']> {
  const { rows } = await sql<Summary['openAlerts'][number]>`
    select severity, count(*) filter (where state = 'open')::int as open,
      count(*) filter (where state = 'acknowledged')::int as acknowledged
    from alerts a where organization_id = ${asked.organizationId} and state in ('open', 'acknowledged')
      and ${isAmongSeen(asked, 'a')}
    group by severity, weight order by weight desc`.execute(db)
  return rows
}

export async function measuredCounts(
  db: Database,
  asked: Asked,
): Promise<Pick<Summary, 'individuals' | 'measuredToday' | 'measuredThisWeek'>> {
  const { organizationId, now } = asked
  const isWhole = asked.sight.organizationIds.includes(organizationId)
  const measured = (days: number) => sql`(select count(distinct r.individual_id)::int from listed_readings r
    where r.organization_id = ${organizationId} and r.account_type = 'regular' and r.time > ${before(now, days)}
      and r.type = any(${LISTED_TYPES}::text[])
      and ${isAmongSeen(asked, 'r')})`
  const individuals = isWhole
    ? sql`(select coalesce(sum(change), 0)::int from listed_counts
        where organization_id = ${organizationId} and account_type = 'regular' and state <> 'archived')`
    : sql`(select count(*)::int from listed_individuals l where l.organization_id = ${organizationId}
        and l.account_type = 'regular' and l.state <> 'archived' and ${isAmongSeen(asked, 'l')})`
  const { rows } = await sql<Pick<Summary, 'individuals' | 'measuredToday' | 'measuredThisWeek'>>`
    select ${individuals} as individuals, ${measured(1)} as measured_today, ${measured(7)} as measured_this_week`.execute(
    db,
  )
  return rows[0] ?? { individuals: 0, measuredToday: 0, measuredThisWeek: 0 }
}

/** The field that each of the two states of a listed reading is of. */
const stated = (asked: Asked) => sql`(
    select r.individual_id, r.type as metric_type, 'systolic' as field, r.state, r.value, r.time, r.context
    from listed_readings r where r.organization_id = ${asked.organizationId} and r.account_type = 'regular'
      and r.type = 'BloodPressure' and r.state is not null and ${isAmongSeen(asked, 'r')}
    union all
    select r.individual_id, r.type, 'diastolic', r.second_state, r.second, r.time, r.context
    from listed_readings r where r.organization_id = ${asked.organizationId} and r.account_type = 'regular'
      and r.type = 'BloodPressure' and r.second_state is not null and ${isAmongSeen(asked, 'r')}
    union all
    select r.individual_id, r.type, 'value', r.state, r.value, r.time, r.context
    from listed_readings r where r.organization_id = ${asked.organizationId} and r.account_type = 'regular'
      and r.type = 'BloodGlucose' and r.state is not null and ${isAmongSeen(asked, 'r')}) s`

/** How each label is shown: the same label means the same in whatever context. */
const tones = ({ organizationId }: Asked) => sql`(
    select distinct on (used.metric_type, used.field, range ->> 'label')
      used.metric_type, used.field, range ->> 'label' as label, range ->> 'tone' as tone
    from (select distinct on (metric_type, field) metric_type, field, ranges from classification_sets
      where is_active and (organization_id = ${organizationId} or organization_id is null)
      order by metric_type, field, organization_id nulls last) used
    cross join lateral jsonb_array_elements(used.ranges) range) t`

const isItsTone = sql`t.metric_type = s.metric_type and t.field = s.field and t.label = s.state`

export async function stateCounts(db: Database, asked: Asked): Promise<Summary['states']> {
  const { rows } = await sql<Summary['states'][number]>`
    select s.metric_type, s.field, s.state, t.tone, s.count
    from (select metric_type, field, state, count(*)::int as count from ${stated(asked)} group by 1, 2, 3) s
    left join ${tones(asked)} on ${isItsTone}
    order by s.metric_type desc, s.field desc, s.count desc`.execute(db)
  return rows
}

export async function outOfRange(db: Database, asked: Asked): Promise<Summary['outOfRange']> {
  const { rows } = await sql<Summary['outOfRange'][number]>`
    select s.individual_id, i.first_name, i.last_name, s.metric_type, s.field, s.value, s.state, t.tone, s.time
    from ${stated(asked)} join ${tones(asked)} on ${isItsTone} and t.tone in ('bad', 'danger')
    join individuals i on i.id = s.individual_id
    where s.time > ${before(asked.now, 7)} order by s.time desc, s.individual_id limit ${sql.lit(MOST_SHOWN)}`.execute(
    db,
  )
  return rows
}

export async function alertsByDay(db: Database, asked: Asked): Promise<Summary['alertsByDay']> {
  const { rows } = await sql<Summary['alertsByDay'][number]>`
    select (a.fired_at at time zone 'UTC')::date::text as day, a.severity, count(*)::int as count
    from alerts a where a.organization_id = ${asked.organizationId}
      and a.fired_at > ${before(asked.now, TREND_DAYS)} and ${isAmongSeen(asked, 'a')}
    group by 1, a.severity, a.weight order by 1, a.weight desc`.execute(db)
  return rows
}
