-- Health metrics: series of points, kept as segments and as loose points.

-- The patients that a device may push points of.
alter table service_accounts add individual_ids uuid[] not null default '{}';

-- One row for each origin of a metric of a person. Whoever writes to a series locks its row.
create table metric_series (
  individual_id uuid not null references individuals (id),
  id bigint generated always as identity,
  type text not null,
  source text not null,
  point_count bigint not null,
  first_time timestamptz not null,
  last_time timestamptz not null,
  -- The values of the newest point, by the names of their fields.
  last_point jsonb not null,
  -- Loose points written since they were last put together.
  loose integer not null default 0,
  primary key (individual_id, type, source)
);
create unique index metric_series_by_id on metric_series (individual_id, id);

-- Runs of points. Segments of a series never overlap in time.
create table metric_segments (
  individual_id uuid not null,
  series_id bigint not null,
  first_time timestamptz not null,
  last_time timestamptz not null,
  point_count integer not null,
  -- Seconds from each point to the next; the first is 0.
  steps integer[] not null,
  -- The values of the first field for every point, then those of the second, and so on. An enumeration is the place in
  -- its list, a text the place in `texts`, both counted from 0; NaN is no value.
  numbers float8[] not null,
  texts text[],
  -- Places in `texts`, and minutes ahead of UTC; null where no point has any.
  tags float8[],
  offsets float8[],
  -- Hours since 1970 that have points, and for each numeric field and hour: count, minimum, maximum, sum, first, last,
  -- and the seconds of the hour of these two.
  hour_starts integer[],
  hour_figures float8[],
  primary key (individual_id, series_id, first_time) include (last_time, point_count)
);

-- Points on their own, until there are enough for a segment. They may lie between those of a segment.
create table metric_points (
  individual_id uuid not null,
  series_id bigint not null,
  time timestamptz not null,
  numbers float8[] not null,
  texts text[],
  tag float8,
  utc_offset float8,
  primary key (individual_id, series_id, time)
);

-- What points said before they were changed.
create table metric_replaced_points (
  individual_id uuid not null,
  series_id bigint not null,
  time timestamptz not null,
  id uuid not null,
  numbers float8[] not null,
  texts text[],
  tag float8,
  utc_offset float8,
  replaced_at timestamptz not null,
  -- A user or a service account.
  replaced_by uuid not null,
  primary key (individual_id, series_id, time, id)
);

-- The fields of each type in the order they are stored; written at every start from the interface's own table.
create table metric_fields (
  type text not null,
  place integer not null,
  name text not null,
  kind text not null,
  choices text[],
  primary key (type, place)
);

-- All points as rows, for whoever wants to look with SQL.
create view metric_point_rows as
select s.individual_id, s.type, s.source, points.time, f.name as field,
  case when f.kind in ('integer', 'float') then nullif(points.number, 'NaN') end as number,
  case when f.kind = 'enumeration' and points.number <> 'NaN' then f.choices[points.number + 1]
    when f.kind in ('text', 'uuid', 'fields') and points.number <> 'NaN' then points.texts[points.number + 1] end as text,
  case when points.tag <> 'NaN' then points.texts[points.tag + 1] end as tag
from metric_series s
join metric_fields f on f.type = s.type
cross join lateral (
  select p.time, p.numbers[f.place + 1] as number, p.texts, coalesce(p.tag, 'NaN') as tag
  from metric_points p where p.individual_id = s.individual_id and p.series_id = s.id
  union all
  select g.first_time + sum(step.seconds) over (partition by g.first_time order by step.place) * interval '1 second',
    g.numbers[f.place * g.point_count + step.place], g.texts, coalesce(g.tags[step.place], 'NaN')
  from metric_segments g cross join lateral unnest(g.steps) with ordinality step (seconds, place)
  where g.individual_id = s.individual_id and g.series_id = s.id) points;

-- The latest reading of each person, in each list they are in: beside the list of individuals, because it changes with
-- every measurement and the list has an index for each of its orders.
create table listed_readings (
  organization_id uuid not null,
  account_type text not null,
  individual_id uuid not null,
  type text not null,
  time timestamptz not null,
  value float8 not null,
  -- The diastolic pressure.
  second float8,
  -- When a glucose was measured.
  context text,
  primary key (organization_id, account_type, individual_id, type)
);
create index listed_readings_by_time on listed_readings (organization_id, account_type, type, time, individual_id);
create index listed_readings_by_value on listed_readings (organization_id, account_type, type, value, individual_id);
create index listed_readings_by_second on listed_readings (organization_id, account_type, type, second, individual_id)
  where second is not null;
create index listed_readings_by_context on listed_readings (organization_id, account_type, type, context, individual_id)
  where context is not null;
create index listed_readings_of_individual on listed_readings (individual_id);

create function readings_of(individual uuid, metric text) returns setof listed_readings language sql stable as $$
  select l.organization_id, l.account_type, l.individual_id, s.type, s.last_time,
    coalesce(s.last_point ->> 'value', s.last_point ->> 'systolic')::float8, (s.last_point ->> 'diastolic')::float8,
    s.last_point ->> 'context'
  from (select type, last_time, last_point from metric_series
    where individual_id = individual and type = metric order by last_time desc, source limit 1) s
  join listed_individuals l on l.individual_id = individual
$$;

-- Whoever comes into a list brings the latest readings along, and who leaves it takes them away.
create or replace function follow_list(removed listed_individuals[], added listed_individuals[]) returns void
language plpgsql as $$
begin
  delete from listed_readings r using unnest(removed) g
  where r.organization_id = g.organization_id and r.account_type = g.account_type and r.individual_id = g.individual_id
    and not exists (select from unnest(added) a where a.organization_id = g.organization_id
      and a.account_type = g.account_type and a.individual_id = g.individual_id);
  insert into listed_readings
  select r.* from unnest(added) a join metric_series s on s.individual_id = a.individual_id
  cross join lateral readings_of(a.individual_id, s.type) r
  where s.type in ('BloodGlucose', 'BloodPressure', 'BodyMass', 'FeelingRating', 'OxygenSaturation', 'Pulse')
    and r.organization_id = a.organization_id and r.account_type = a.account_type
    and not exists (select from unnest(removed) g where g.organization_id = a.organization_id
      and g.account_type = a.account_type and g.individual_id = a.individual_id)
  on conflict do nothing;
end $$;
