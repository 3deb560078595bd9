-- What people are told, each once, and what of it goes out by e-mail and SMS.

create table notifications (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  -- Whoever is told.
  recipient_id uuid not null references individuals (id),
  -- What makes it the same when it is told again.
  key text not null check (length(key) <= 255),
  kind text not null check (length(kind) <= 100),
  severity text not null check (severity in ('critical', 'warning', 'info')),
  title text not null,
  text text not null,
  -- Within the console, and never another site's.
  path text check (path like '/%' and path not like '//%'),
  -- Whom it is about.
  individual_id uuid references individuals (id),
  created_at timestamptz not null,
  read_at timestamptz
);
create unique index notifications_are_told_once on notifications (recipient_id, organization_id, key);
create index notifications_newest_first on notifications (recipient_id, created_at desc, id desc);
-- Counted from the index alone.
create index notifications_unread on notifications (recipient_id, created_at desc, id desc) include (organization_id)
  where read_at is null;
create index notifications_about on notifications (individual_id) where individual_id is not null;
-- What is old lies together, and is looked through once a day.
create index notifications_by_age on notifications using brin (created_at);

-- What of a notification goes out besides, and what became of that.
create table notification_deliveries (
  notification_id uuid not null references notifications (id) on delete cascade,
  channel text not null check (channel in ('email', 'sms')),
  recipient_id uuid not null,
  due_at timestamptz not null,
  -- Held back, to be sent in one message with whatever else is held back for the person.
  is_gathered boolean not null,
  sent_at timestamptz,
  -- The row of the outbox.
  message_id uuid,
  primary key (notification_id, channel),
  check ((sent_at is null) = (message_id is null))
);
create index notification_deliveries_due on notification_deliveries (due_at) where sent_at is null;
create index notification_deliveries_waiting on notification_deliveries (recipient_id) where sent_at is null;
create index notification_deliveries_sent on notification_deliveries (recipient_id, sent_at) where sent_at is not null;

-- What a person chose of how to be told; what is not in it is as for everyone.
create table notification_preferences (
  individual_id uuid primary key references individuals (id),
  choices jsonb not null,
  changed_at timestamptz not null
);
