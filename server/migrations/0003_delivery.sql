-- E-mail and SMS on their way out: a row each, written in the transaction that wants it sent.
create table outbound_messages (
  id uuid primary key,
  -- Null where the message belongs to a person rather than to an organization.
  organization_id uuid,
  individual_id uuid,
  channel text not null check (channel in ('email', 'sms')),
  -- What it is for, such as 'invitation': tells the feature that wants to know how it ended.
  purpose text not null,
  recipient text not null,
  -- Null for SMS.
  subject text,
  -- Text and HTML as JSON, encrypted with the instance key. Erased at the end, because it may hold one-time links.
  body bytea,
  -- 'created' while it lies in the outbox.
  status text not null default 'created' check (status in ('created', 'sent', 'failed')),
  -- Attempts begun, whether or not they came to an end.
  attempts integer not null default 0,
  -- Why the last attempt failed. May name the recipient.
  error text,
  created_at timestamptz not null,
  sent_at timestamptz,
  check ((status = 'sent') = (sent_at is not null)),
  check (status = 'created' or body is null)
);
create index outbound_messages_by_age on outbound_messages (organization_id, created_at desc, id);
create index outbound_messages_by_individual on outbound_messages (individual_id, created_at);
