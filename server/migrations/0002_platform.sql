-- What the platform keeps for every feature.

-- Answers given to requests that carried an Idempotency-Key, to be given again.
create table idempotent_answers (
  -- The user, or the nil uuid for callers who are not signed in.
  caller uuid not null,
  key text not null,
  request_hash bytea not null,
  -- Encrypted with the instance key: answers hold health records and tokens.
  answer bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (caller, key)
);
create index idempotent_answers_by_expiry on idempotent_answers (expires_at);

-- What happened, written in the transaction that made it happen.
create table events (
  organization_id uuid not null,
  id uuid not null,
  kind text not null,
  individual_id uuid,
  occurred_at timestamptz not null,
  data jsonb not null,
  primary key (organization_id, id)
);
