-- Second factors, invitations, service accounts, service documents, and the record of who did what.

create table totp_configurations (
  id uuid primary key,
  user_id uuid not null references users (id),
  -- Encrypted with the instance key.
  secret bytea not null,
  enabled_at timestamptz,
  last_used_at timestamptz,
  -- The time step of the last accepted code: a code, and every earlier one, works once.
  last_step bigint,
  created_at timestamptz not null
);
create index totp_configurations_by_user on totp_configurations (user_id, created_at);
create unique index one_enabled_totp_per_user on totp_configurations (user_id) where enabled_at is not null;

create table mfa_email_challenges (
  id uuid primary key,
  user_id uuid not null references users (id),
  -- A keyed fingerprint: six digits could be guessed from a plain hash.
  code_fingerprint bytea not null,
  attempts integer not null default 0,
  answered_at timestamptz,
  -- When the ticket that the right code gave was used to sign in.
  spent_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create index mfa_email_challenges_by_user on mfa_email_challenges (user_id, created_at);

-- Links that are sent out: they work once, until they expire.
create table one_time_links (
  hash bytea primary key,
  purpose text not null check (purpose in ('invitation', 'password-reset')),
  user_id uuid not null references users (id),
  -- What following the link proves the user to hold.
  channel text not null check (channel in ('email', 'sms')),
  used_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create index one_time_links_by_user on one_time_links (user_id, purpose);

-- Something that is not a person and calls the service: a device, a job.
create table service_accounts (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  name text not null,
  kind text not null check (kind in ('device', 'job')),
  -- The ids of the operations it may call.
  scopes text[] not null,
  is_active boolean not null default true,
  created_by uuid not null references users (id),
  created_at timestamptz not null
);
create index service_accounts_by_name on service_accounts (organization_id, lower(name), id);

create table service_account_tokens (
  id uuid primary key,
  hash bytea not null unique,
  service_account_id uuid not null references service_accounts (id),
  name text not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null
);
create index service_account_tokens_by_account on service_account_tokens (service_account_id, created_at);

-- What an organization asks its users to agree to. A changed text is a new document.
create table service_documents (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  title text not null,
  body text not null,
  is_active boolean not null default true,
  created_at timestamptz not null
);
create index service_documents_by_organization on service_documents (organization_id, created_at, id);

create table service_document_agreements (
  user_id uuid not null references users (id),
  service_document_id uuid not null references service_documents (id),
  agreed_at timestamptz not null,
  primary key (user_id, service_document_id)
);

-- Who did what, to whose record, when, from where, and with what outcome.
create table audit_events (
  -- The nil uuid for what belongs to no organization, such as a failed sign-in.
  organization_id uuid not null,
  id uuid not null,
  occurred_at timestamptz not null,
  operation text not null,
  outcome text not null check (outcome in ('success', 'refused')),
  code text,
  user_id uuid,
  service_account_id uuid,
  individual_ids uuid[] not null,
  ip text,
  request_id text not null,
  primary key (organization_id, id)
);
create index audit_events_by_time on audit_events (organization_id, occurred_at desc, id desc);
create index audit_events_by_user on audit_events (organization_id, user_id, occurred_at desc);
create index audit_events_by_individual on audit_events using gin (individual_ids);

create function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  raise exception 'audit events are never changed or removed';
end $$;
create trigger audit_events_are_append_only before update or delete on audit_events
  for each row execute function refuse_change_of_audit();
create trigger audit_events_are_kept before truncate on audit_events
  for each statement execute function refuse_change_of_audit();
