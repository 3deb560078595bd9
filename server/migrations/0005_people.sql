-- People: what is known of them, the groups they are in, and the list that care teams work from.

alter table organizations add restrict_providers_to_groups boolean not null default false;

alter table users add last_activity_at timestamptz;
-- What an archived user was before, to be restored.
alter table users add archived_from text;
-- Checked at the end of a statement, so that two records can exchange their users.
alter table users drop constraint users_individual_id_key;
alter table users add constraint users_by_individual unique (individual_id) deferrable initially immediate;

alter table individuals
  add preferred_name text,
  add birth_date date,
  add gender text check (gender in ('male', 'female', 'pnta', 'other', 'unknown')),
  add tz text,
  add communication_preferences jsonb not null default '{}',
  -- The record that this one was found to be a copy of.
  add merged_into uuid references individuals (id);

-- Groups form a tree. Two of each organization keep themselves: `all_participants` is every patient, `unassigned` every
-- patient in no other group; neither has rows of members.
alter table individual_groups
  add parent_group_id uuid references individual_groups (id),
  add check (parent_group_id <> id);
create index individual_groups_by_parent on individual_groups (parent_group_id, id);
create unique index one_automatic_group_of_a_type on individual_groups (organization_id, type)
  where type in ('all_participants', 'unassigned');

create function make_automatic_groups() returns trigger language plpgsql as $$
begin
  insert into individual_groups (id, organization_id, name, node_type, type, tags, created_at, last_modified_time)
  select gen_random_uuid(), new.id, automatic.name, 'group', type, '{}', new.created_at, new.created_at
  from (values ('All participants', 'all_participants'), ('Unassigned', 'unassigned')) automatic (name, type);
  return null;
end $$;
create trigger organizations_have_automatic_groups after insert on organizations
  for each row execute function make_automatic_groups();

insert into individual_groups (id, organization_id, name, node_type, type, tags, created_at, last_modified_time)
select gen_random_uuid(), o.id, automatic.name, 'group', automatic.type, '{}', now(), now()
from organizations o, (values ('All participants', 'all_participants'), ('Unassigned', 'unassigned')) automatic (name, type);

-- The patients in a group.
create table group_individuals (
  group_id uuid not null references individual_groups (id),
  individual_id uuid not null references individuals (id),
  added_at timestamptz not null,
  primary key (group_id, individual_id)
);
create index group_individuals_by_individual on group_individuals (individual_id, group_id);

-- The staff of a group.
create table group_staff (
  group_id uuid not null references individual_groups (id),
  kind text not null check (kind in ('leader', 'member')),
  user_id uuid not null references users (id),
  added_at timestamptz not null,
  primary key (group_id, kind, user_id)
);
create index group_staff_by_user on group_staff (user_id, group_id);

-- Words an organization marks its patients with.
create table tags (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  name text not null,
  created_at timestamptz not null
);
create unique index tags_by_name on tags (organization_id, lower(name));

create table individual_tags (
  tag_id uuid not null references tags (id),
  individual_id uuid not null references individuals (id),
  primary key (tag_id, individual_id)
);
create index individual_tags_by_individual on individual_tags (individual_id);

-- Work that goes on after its request was answered, to be asked about.
create table tasks (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  kind text not null,
  state text not null check (state in ('created', 'running', 'completed', 'failed')),
  done integer not null default 0,
  total integer,
  -- What came of it, by the kind of task.
  result jsonb not null default '{}',
  error text,
  created_by uuid references users (id),
  created_at timestamptz not null,
  finished_at timestamptz
);
create index tasks_by_organization on tasks (organization_id, created_at);

-- How a text is sorted and looked for: without case and without accents, then by code points.
create function sort_key(value text) returns text language sql immutable strict parallel safe
  return regexp_replace(lower(normalize(value, NFKD)), '[\u0300-\u036f]', '', 'g') collate "C";

-- The list of individuals: a row for each organization a person belongs to, and each kind of account there. It is a
-- copy, so that it can be sorted and filtered by any column within one organization. What it says is said once, in
-- this view; the triggers below copy it in the transaction of every change.
create view individuals_to_list as
select m.organization_id, m.account_type, u.individual_id, u.id as user_id,
  i.first_name, i.last_name, i.preferred_name, i.birth_date, i.email, i.mobile_phone as phone,
  nullif(i.communication_preferences, '{}') as communication_preferences,
  u.state, u.registered_at is not null as registered, u.registration_invite, u.email_verified, u.phone_verified,
  i.created_at as created_time, u.registered_at as registration_completed_time,
  u.last_login_at as last_login_time, u.last_activity_at as last_activity_time,
  array(select g.group_id from group_individuals g join individual_groups o on o.id = g.group_id
    where g.individual_id = u.individual_id and o.organization_id = m.organization_id and m.account_type = 'regular'
    order by 1) as group_ids,
  sort_key(i.first_name) as first_name_key, sort_key(i.last_name) as last_name_key,
  sort_key(i.preferred_name) as preferred_name_key, sort_key(i.email) as email_key,
  left(nullif(i.communication_preferences, '{}')::text, 500) collate "C" as communication_preferences_key,
  -- Which columns are empty, a bit each.
  (i.preferred_name is null)::int + 2 * (i.birth_date is null)::int + 4 * (i.email is null)::int
    + 8 * (i.communication_preferences = '{}')::int + 16 * (u.registered_at is null)::int
    + 32 * (u.last_login_at is null)::int + 64 * (u.last_activity_at is null)::int as blanks
from users u
join individuals i on i.id = u.individual_id
cross join lateral (
  select organization_id, 'regular' as account_type from memberships where user_id = u.id and role = 'patient'
  union all
  select distinct organization_id, 'provider' from memberships where user_id = u.id and role <> 'patient') m;

create table listed_individuals as table individuals_to_list with no data;
alter table listed_individuals add primary key (organization_id, account_type, individual_id);
create index listed_individuals_of_individual on listed_individuals (individual_id);

-- One index for each order. Who has no value comes last, in the order of ids.
create index listed_by_blanks on listed_individuals (organization_id, account_type, individual_id) include (blanks) where state <> 'archived';
create index listed_by_last_name on listed_individuals (organization_id, account_type, last_name_key, individual_id) include (first_name_key, state);
create index listed_by_last_name_descending on listed_individuals (organization_id, account_type, last_name_key desc, individual_id) where state <> 'archived';
create index listed_by_first_name on listed_individuals (organization_id, account_type, first_name_key, individual_id) where state <> 'archived';
create index listed_by_first_name_descending on listed_individuals (organization_id, account_type, first_name_key desc, individual_id) where state <> 'archived';
create index listed_by_preferred_name on listed_individuals (organization_id, account_type, preferred_name_key, individual_id) where state <> 'archived' and preferred_name_key is not null;
create index listed_by_email on listed_individuals (organization_id, account_type, email_key, individual_id) where state <> 'archived' and email_key is not null;
create index listed_by_communication_preferences on listed_individuals (organization_id, account_type, communication_preferences_key, individual_id) where state <> 'archived' and communication_preferences_key is not null;
create index listed_by_birth_date on listed_individuals (organization_id, account_type, birth_date, individual_id) where state <> 'archived' and birth_date is not null;
create index listed_by_birth_date_descending on listed_individuals (organization_id, account_type, birth_date desc, individual_id) where state <> 'archived' and birth_date is not null;
create index listed_by_created_time on listed_individuals (organization_id, account_type, created_time, individual_id) where state <> 'archived';
create index listed_by_registration_completed_time on listed_individuals (organization_id, account_type, registration_completed_time, individual_id) where state <> 'archived' and registration_completed_time is not null;
create index listed_by_last_login_time on listed_individuals (organization_id, account_type, last_login_time, individual_id) where state <> 'archived' and last_login_time is not null;
create index listed_by_last_activity_time on listed_individuals (organization_id, account_type, last_activity_time, individual_id) where state <> 'archived' and last_activity_time is not null;
-- Those with few values have many ties, and these are in the order of ids in both directions.
create index listed_by_state on listed_individuals (organization_id, account_type, state, individual_id);
create index listed_by_state_descending on listed_individuals (organization_id, account_type, state desc, individual_id) where state <> 'archived';
create index listed_by_registered on listed_individuals (organization_id, account_type, registered, individual_id) where state <> 'archived';
create index listed_by_registered_descending on listed_individuals (organization_id, account_type, registered desc, individual_id) where state <> 'archived';
create index listed_by_registration_invite on listed_individuals (organization_id, account_type, registration_invite, individual_id) where state <> 'archived';
create index listed_by_registration_invite_descending on listed_individuals (organization_id, account_type, registration_invite desc, individual_id) where state <> 'archived';
create index listed_by_email_verified on listed_individuals (organization_id, account_type, email_verified, individual_id) where state <> 'archived';
create index listed_by_email_verified_descending on listed_individuals (organization_id, account_type, email_verified desc, individual_id) where state <> 'archived';
create index listed_by_phone_verified on listed_individuals (organization_id, account_type, phone_verified, individual_id) where state <> 'archived';
create index listed_by_phone_verified_descending on listed_individuals (organization_id, account_type, phone_verified desc, individual_id) where state <> 'archived';
create index listed_unassigned on listed_individuals (organization_id, individual_id) where account_type = 'regular' and state <> 'archived' and group_ids = '{}';
create index listed_by_phone on listed_individuals (organization_id, account_type, phone) where phone is not null;

-- Part of a name or of an address.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create index listed_by_parts on listed_individuals using gin
  (organization_id, last_name_key gin_trgm_ops, first_name_key gin_trgm_ops, email_key gin_trgm_ops);

-- How many there are of each kind, and in each group: sums of changes. A change is a row of its own, so that writers
-- never wait for each other; the rows are added up in the background.
create table listed_counts (
  organization_id uuid not null,
  account_type text not null,
  state text not null,
  registered boolean not null,
  registration_invite text not null,
  email_verified boolean not null,
  phone_verified boolean not null,
  is_assigned boolean not null,
  change integer not null
);
create index listed_counts_by_organization on listed_counts (organization_id, account_type);


-- Archived individuals do not count.
create table group_counts (
  group_id uuid not null,
  change integer not null
);
create index group_counts_by_group on group_counts (group_id);

-- What other parts keep beside the list follows it: whoever keeps something puts it here.
create function follow_list(removed listed_individuals[], added listed_individuals[]) returns void language plpgsql as $$
begin
end $$;

-- Planned once and by indexes: planning takes longer than the few rows of most changes, and that plan does for many too.
create function relist(ids uuid[]) returns void language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  removed listed_individuals[];
  added listed_individuals[];
begin
  -- Whoever changes something else of the same person waits here, and then sees what the other did.
  perform from individuals where id in (select unnest(ids)) order by id for no key update;
  with gone as (
    delete from listed_individuals l using unnest(ids) one (id) where individual_id = one.id and not exists (
      select from individuals_to_list v where v.organization_id = l.organization_id
        and v.account_type = l.account_type and v.individual_id = l.individual_id
        and row(v.*) is not distinct from row(l.*))
    returning l)
  select array_agg(gone.l) into removed from gone;
  with come as (
    insert into listed_individuals as l
    select v.* from unnest(ids) one (id) join individuals_to_list v on v.individual_id = one.id
    where not exists (select from listed_individuals old where old.organization_id = v.organization_id
        and old.account_type = v.account_type and old.individual_id = v.individual_id)
    returning l)
  select array_agg(come.l) into added from come;
  insert into listed_counts
  select organization_id, account_type, state, registered, registration_invite, email_verified, phone_verified,
    group_ids <> '{}', sum(change)
  from (select 1 as change, a.* from unnest(added) a union all select -1, r.* from unnest(removed) r) changes
  group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(change) <> 0;
  insert into group_counts
  select unnest(group_ids), sum(change)
  from (select 1 as change, a.* from unnest(added) a union all select -1, r.* from unnest(removed) r) changes
  where state <> 'archived' group by 1 having sum(change) <> 0;
  perform follow_list(removed, added);
end $$;

create function relist_individuals() returns trigger language plpgsql as $$
begin
  perform relist(array(select id from changed));
  return null;
end $$;
create function relist_users() returns trigger language plpgsql as $$
begin
  perform relist(array(select individual_id from changed union select individual_id from before));
  return null;
end $$;
create function relist_memberships() returns trigger language plpgsql as $$
begin
  perform relist(array(select distinct individual_id from users where id in (select user_id from changed)));
  return null;
end $$;
create function relist_group_individuals() returns trigger language plpgsql as $$
begin
  perform relist(array(select distinct individual_id from changed));
  return null;
end $$;

create trigger individuals_are_relisted after update on individuals
  referencing new table as changed for each statement execute function relist_individuals();
create trigger users_are_relisted after update on users
  referencing old table as before new table as changed for each statement execute function relist_users();
create trigger new_memberships_are_listed after insert on memberships
  referencing new table as changed for each statement execute function relist_memberships();
create trigger changed_memberships_are_relisted after update on memberships
  referencing new table as changed for each statement execute function relist_memberships();
create trigger ended_memberships_are_unlisted after delete on memberships
  referencing old table as changed for each statement execute function relist_memberships();
create trigger individuals_in_groups_are_relisted after insert on group_individuals
  referencing new table as changed for each statement execute function relist_group_individuals();
create trigger individuals_out_of_groups_are_relisted after delete on group_individuals
  referencing old table as changed for each statement execute function relist_group_individuals();

select relist(array(select id from individuals));
