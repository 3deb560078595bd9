-- Events in one order that everybody reads them in. An event is written by the transaction that caused it, and has no
-- place yet: transactions end in another order than they begin. Once it can be seen it is given the next place, so that
-- whoever has read up to a place has missed nothing before it.

alter table events add position bigint;
create sequence event_positions;
update events e set position = ordered.position
from (select organization_id, id, nextval('event_positions') as position
  from (select organization_id, id from events order by occurred_at, id) as oldest_first) ordered
where e.organization_id = ordered.organization_id and e.id = ordered.id;

create index events_to_place on events (id) where position is null;
create index events_in_order on events (position);
create index events_of_an_organization_in_order on events (organization_id, position);
create index events_of_an_individual on events (individual_id, id) where individual_id is not null;

create function tell_of_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('events_written', '');
  return null;
end $$;
create trigger events_are_told_of after insert on events for each statement execute function tell_of_events();

-- How far each of those who do something with every event has come.
create table event_readers (
  name text primary key,
  position bigint not null
);
