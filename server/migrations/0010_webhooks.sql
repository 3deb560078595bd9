-- Where organizations want their events sent, and what became of each.

create table webhooks (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  url text not null,
  description text not null,
  -- Empty means all.
  kinds text[] not null,
  enabled boolean not null,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('manual', 'failing', 'gone')),
  -- Both encrypted with the instance key. The one before signs too, until its time is over.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  last_delivery_at timestamptz,
  last_success_at timestamptz,
  -- Failed attempts since the last success, and when the first of them was.
  consecutive_failures integer not null default 0,
  failing_since timestamptz,
  -- A user, or a service account.
  created_by uuid not null,
  created_at timestamptz not null,
  check (enabled = (disabled_at is null)),
  check ((disabled_at is null) = (disabled_reason is null)),
  check ((previous_secret is null) = (previous_secret_until is null)),
  check ((consecutive_failures = 0) = (failing_since is null))
);
create index webhooks_by_age on webhooks (organization_id, created_at, id);

-- An event on its way to a webhook. It outlives its webhook, so that what was sent can still be read.
create table webhook_deliveries (
  -- Sent as `webhook-id`.
  id uuid primary key,
  organization_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  kind text not null,
  state text not null check (state in ('pending', 'succeeded', 'failed', 'canceled')),
  -- When it is to be attempted; while it is being attempted, when that is taken to have been cut short.
  due_at timestamptz,
  -- While it is being attempted. Whoever attempts it is told by the count of attempts.
  leased_until timestamptz,
  -- Attempts begun, whether or not they came to an end.
  attempt_count integer not null default 0,
  -- Of these, those since it was made or resent, and when the first of them was.
  round_count integer not null default 0,
  round_started_at timestamptz,
  last_attempt_at timestamptz,
  last_status integer,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  unique (webhook_id, event_id),
  check ((state = 'pending') = (due_at is not null)),
  check ((state = 'pending') = (finished_at is null))
);
create index webhook_deliveries_by_age on webhook_deliveries (organization_id, created_at desc, id desc);
create index webhook_deliveries_of_a_webhook on webhook_deliveries (webhook_id, created_at desc, id desc);
create index webhook_deliveries_to_attempt on webhook_deliveries (webhook_id, due_at, id) where state = 'pending';
create index webhook_deliveries_being_attempted on webhook_deliveries (webhook_id) where leased_until is not null;
create index webhook_deliveries_to_forget on webhook_deliveries (created_at);

create table webhook_attempts (
  delivery_id uuid not null references webhook_deliveries (id) on delete cascade,
  number integer not null,
  attempted_at timestamptz not null,
  duration_ms integer,
  -- Null, like everything but the error, when the attempt was cut short by the end of its process.
  request_headers jsonb,
  response_status integer,
  -- Headers and the beginning of the body as JSON, encrypted with the instance key: they may repeat people's records.
  response bytea,
  error text,
  primary key (delivery_id, number)
);
