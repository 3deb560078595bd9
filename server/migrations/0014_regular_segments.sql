-- Most runs of points are as regular as the device that took them, and most values are small whole numbers. Both are
-- kept as what they are: a single step, and two bytes a value.
alter table metric_segments
  -- In the place of `numbers`, where all of them are such.
  add wholes smallint[],
  alter numbers drop not null,
  add check ((wholes is null) <> (numbers is null));
-- Nobody looks for a value: to count which come most often, over and over while points come in, is work for nothing.
alter table metric_segments
  alter steps set statistics 0, alter wholes set statistics 0, alter numbers set statistics 0,
  alter texts set statistics 0, alter tags set statistics 0, alter offsets set statistics 0,
  alter hour_starts set statistics 0, alter hour_figures set statistics 0;
alter table metric_points alter numbers set statistics 0, alter texts set statistics 0;
alter table metric_replaced_points alter numbers set statistics 0, alter texts set statistics 0;
comment on column metric_segments.steps is
  'seconds from each point to the next, the first 0; a single one is the same between all points';

-- Seconds from the first point of a segment to each.
create function segment_seconds(steps integer[], point_count integer) returns table (place integer, seconds bigint)
language sql immutable as $$
  select p, (p - 1)::bigint * steps[1] from generate_series(1, point_count) p where cardinality(steps) = 1
  union all
  select s.place::integer, sum(s.step) over (order by s.place)
  from unnest(steps) with ordinality s (step, place) where cardinality(steps) > 1
$$;

create or replace view metric_point_rows as
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
  select g.first_time + at.seconds * interval '1 second',
    coalesce(g.wholes[f.place * g.point_count + at.place], g.numbers[f.place * g.point_count + at.place]), g.texts,
    coalesce(g.tags[at.place], 'NaN')
  from metric_segments g cross join lateral segment_seconds(g.steps, g.point_count) at
  where g.individual_id = s.individual_id and g.series_id = s.id) points;
