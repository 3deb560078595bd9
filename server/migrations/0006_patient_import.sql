-- Patients from a file: what was asked for, and what came of each line.

create table patient_imports (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  task_id uuid not null references tasks (id),
  dry_run boolean not null,
  notifications text[] not null,
  -- What the cells of a line are.
  columns text[] not null,
  line_count integer not null,
  created_count integer not null default 0,
  refused_count integer not null default 0,
  warning_count integer not null default 0,
  -- Attempts, one after the other, that failed on our side.
  failures integer not null default 0,
  -- When it last went on: whoever stopped in the middle is noticed by this.
  worked_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index patient_imports_under_way on patient_imports (worked_at) where finished_at is null;

create table patient_import_lines (
  import_id uuid not null references patient_imports (id),
  line integer not null,
  id uuid not null,
  -- Null as soon as the line is done: what it said is in the patient's record or nowhere.
  cells jsonb,
  outcome text check (outcome in ('created', 'would-create', 'refused')),
  individual_id uuid references individuals (id),
  faults jsonb not null default '[]',
  warnings jsonb not null default '[]',
  -- By which later lines of the same file are found to be copies; null again when the import is finished.
  person_key text,
  -- In a dry run, the username that the line would have taken; likewise.
  username text,
  primary key (import_id, line)
);
create index patient_import_lines_to_do on patient_import_lines (import_id, line) where outcome is null;
create index patient_import_lines_by_person on patient_import_lines (import_id, person_key) where person_key is not null;
create index patient_import_lines_by_username on patient_import_lines (import_id, username) where username is not null;
