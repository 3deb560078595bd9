-- Organizations, the people in them, how they sign in, and the groups they are kept in.

create table organizations (
  id uuid primary key,
  name text not null,
  -- Quota units a minute for each of its users; null for the service's default.
  quota integer check (quota > 0),
  require_second_factor boolean not null default false,
  created_at timestamptz not null
);

-- A person with a record.
create table individuals (
  id uuid primary key,
  first_name text not null,
  last_name text not null,
  email text,
  mobile_phone text,
  locale text not null default 'en_US' check (locale in ('en_US', 'es_US')),
  created_at timestamptz not null
);

-- Someone who signs in. Every user is one individual.
create table users (
  id uuid primary key,
  individual_id uuid not null unique references individuals (id),
  username text not null,
  -- Null until a password is set.
  password_hash text,
  state text not null default 'init' check (state in
    ('init', 'confirmed', 'registered', 'disabled', 'registered_disabled', 'force_reset_password', 'archived')),
  registration_invite text not null default 'none' check (registration_invite in ('none', 'sent', 'accepted', 'failed')),
  email_verified boolean not null default false,
  phone_verified boolean not null default false,
  registered_at timestamptz,
  quota integer check (quota > 0),
  last_login_at timestamptz,
  created_at timestamptz not null
);
create unique index users_by_username on users (lower(username));

create table memberships (
  user_id uuid not null references users (id),
  organization_id uuid not null references organizations (id),
  role text not null check (role in ('org-admin', 'provider', 'patient')),
  primary key (user_id, organization_id, role)
);
create index memberships_by_organization on memberships (organization_id, role);

-- One sign-in and the tokens it was given. Only hashes of tokens are kept.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  -- The lifetimes that refreshed tokens get.
  access_seconds integer not null,
  refresh_seconds integer not null,
  -- A developer's aid: background work of this sign-in's calls waits this long.
  queue_delay_ms integer not null default 0,
  ip text,
  user_agent text,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_by_user on sessions (user_id, created_at);

create table session_tokens (
  hash bytea primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  kind text not null check (kind in ('access', 'refresh')),
  expires_at timestamptz not null,
  spent_at timestamptz
);
create index session_tokens_by_session on session_tokens (session_id);
create index session_tokens_by_expiry on session_tokens (expires_at);

create table individual_groups (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  name text not null,
  node_type text not null check (node_type in ('division', 'group')),
  type text not null check (type in ('all_participants', 'provider_only', 'regular', 'unassigned')),
  tags text[] not null,
  is_active boolean not null default true,
  created_at timestamptz not null,
  last_modified_time timestamptz not null
);
create index individual_groups_by_name on individual_groups (organization_id, lower(name), id);
