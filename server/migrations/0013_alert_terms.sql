-- An alert says what it fired on, as its rule was then: people read it in their own words, whatever the rule is by now.
alter table alerts
  add direction text check (direction in ('above', 'below')),
  add threshold float8,
  add range_from float8,
  add range_to float8,
  -- Minutes of a range; hours without data.
  add period integer;
-- Those of a rule that was not changed since.
update alerts a set direction = r.direction, threshold = r.threshold, range_from = r.range_from, range_to = r.range_to,
  period = r.period
from alert_rules r where r.id = a.rule_id and r.last_modified_at <= a.created_at;
