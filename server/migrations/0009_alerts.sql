-- Alerts: rules over readings, what they found, and the ranges that readings are called by.

create table alert_rules (
  organization_id uuid not null references organizations (id),
  id uuid not null primary key,
  name text not null,
  -- The individual, the group or the organization it watches, and which of these that is.
  target_id uuid not null,
  target text not null check (target in ('individual', 'group', 'organization')),
  metric_type text not null,
  -- Null where the reading itself is watched and not what it says.
  field text,
  kind text not null check (kind in ('watermark', 'range', 'no-data')),
  direction text check (direction in ('above', 'below')),
  threshold float8,
  clear_threshold float8,
  range_from float8,
  range_to float8,
  -- Minutes of a range; hours without data.
  period integer,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  notify jsonb not null,
  worklist_entry jsonb,
  enabled boolean not null,
  -- Readings before this do not count: from here on it is what it is now.
  effective_from timestamptz not null,
  created_at timestamptz not null,
  created_by uuid not null,
  last_modified_at timestamptz not null,
  deleted_at timestamptz
);
create index alert_rules_by_name on alert_rules (organization_id, lower(name), id) where deleted_at is null;
-- What a reading is looked up by: only the rules that can match it are read.
create index alert_rules_by_target on alert_rules (target_id, metric_type) where enabled and deleted_at is null;
create index alert_rules_of_silence on alert_rules (id) where kind = 'no-data' and enabled and deleted_at is null;

-- Where a rule stands with a series, kept only while there is something to keep: a value beyond the threshold, or a run
-- inside the range. Whoever writes to the series has its lock. Of silence there is one for all series, with the id 0.
create table alert_runs (
  individual_id uuid not null,
  rule_id uuid not null references alert_rules (id),
  series_id bigint not null,
  -- Since when every reading lies inside the range; null when the newest does not any more, by a correction.
  since timestamptz,
  fired boolean not null,
  primary key (individual_id, rule_id, series_id)
);
create index alert_runs_of_rule on alert_runs (rule_id);

create table alerts (
  organization_id uuid not null references organizations (id),
  id uuid not null primary key,
  rule_id uuid not null references alert_rules (id),
  individual_id uuid not null,
  -- As the rule said when it fired.
  rule_name text not null,
  kind text not null,
  metric_type text not null,
  field text,
  severity text not null,
  -- 1 for info, 2 for warning, 3 for critical.
  weight smallint not null,
  state text not null check (state in ('open', 'acknowledged', 'cleared')),
  source text,
  value float8,
  message text not null,
  -- The reading's own time, and when it was noticed.
  fired_at timestamptz not null,
  created_at timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  note text,
  cleared_at timestamptz,
  cleared_by uuid,
  clear_reason text check (clear_reason in ('readings', 'by-hand', 'rule-changed'))
);
create unique index one_open_alert on alerts (rule_id, individual_id) where state <> 'cleared';
create index alerts_by_time on alerts (organization_id, fired_at desc, id desc);
create index alerts_by_state on alerts (organization_id, state, weight desc, fired_at desc, id desc);
create index alerts_of_individual on alerts (individual_id, fired_at desc);

-- Ranges of a field with a name for each. Those without an organization are shipped and hold where an organization has
-- no active set of its own for the same field.
create table classification_sets (
  id uuid primary key,
  organization_id uuid references organizations (id),
  name text not null,
  metric_type text not null,
  field text not null,
  origin text not null,
  ranges jsonb not null,
  is_active boolean not null,
  created_at timestamptz not null,
  last_modified_at timestamptz not null
);
create unique index one_active_classification on classification_sets
  (coalesce(organization_id, '00000000-0000-0000-0000-000000000000'), metric_type, field) where is_active;
create index classification_sets_by_name on classification_sets (organization_id, lower(name), id);

-- A range without a context holds for every context that has none of its own there.
create function classify(organization uuid, metric text, metric_field text, reading float8, reading_context text) returns text
language sql stable as $$
  select range ->> 'label'
  from (select ranges from classification_sets
    where metric_type = metric and field = metric_field and is_active
      and (organization_id = organization or organization_id is null)
    order by organization_id nulls last limit 1) used
  cross join lateral jsonb_array_elements(used.ranges) range
  where reading >= coalesce((range ->> 'from')::float8, '-infinity')
    and reading < coalesce((range ->> 'to')::float8, 'infinity')
    and coalesce(range ->> 'context', reading_context, '') = coalesce(reading_context, '')
  order by range ->> 'context' nulls last
  limit 1
$$;

alter table listed_readings add state text, add second_state text;
create index listed_readings_by_state on listed_readings (organization_id, account_type, type, state, individual_id)
  where state is not null;
create index listed_readings_by_second_state on listed_readings
  (organization_id, account_type, type, second_state, individual_id) where second_state is not null;

create function classify_reading() returns trigger language plpgsql as $$
begin
  if new.type = 'BloodPressure' then
    new.state := classify(new.organization_id, new.type, 'systolic', new.value, null);
    new.second_state := classify(new.organization_id, new.type, 'diastolic', new.second, null);
  else
    new.state := classify(new.organization_id, new.type, 'value', new.value, new.context);
  end if;
  return new;
end $$;
-- Only what the list of individuals has a state of.
create trigger readings_are_classified before insert or update on listed_readings
  for each row when (new.type in ('BloodGlucose', 'BloodPressure')) execute function classify_reading();

create or replace function readings_of(individual uuid, metric text) returns setof listed_readings
language sql stable as $$
  select l.organization_id, l.account_type, l.individual_id, s.type, s.last_time,
    coalesce(s.last_point ->> 'value', s.last_point ->> 'systolic')::float8, (s.last_point ->> 'diastolic')::float8,
    s.last_point ->> 'context', null::text, null::text
  from (select type, last_time, last_point from metric_series
    where individual_id = individual and type = metric order by last_time desc, source limit 1) s
  join listed_individuals l on l.individual_id = individual
$$;
