-- One import or push: the line in Sync History and the only thing that API and jobs share.
create table runs (
  organization_id integer not null references "organization" ("id") on delete cascade,
  id text not null,
  kind text not null check (kind in ('import', 'push')),
  status text not null default 'in_progress' check (status in ('in_progress', 'completed', 'failed', 'cancelled')),
  options jsonb not null default '{}',
  -- The claim that may write: each worker that takes the run over raises it, and so fences off the one before.
  attempt integer not null default 0,
  -- Attempts that ended in an error nobody expected; past a limit the run is given up.
  failure_count integer not null default 0,
  phase text,
  total_records integer not null default 0,
  processed_records integer not null default 0,
  failed_records integer not null default 0,
  message text not null default '',
  error text,
  created_at timestamptz not null default current_timestamp,
  claimed_at timestamptz,
  completed_at timestamptz,
  primary key (organization_id, id)
);
create unique index runs_one_in_progress_idx on runs (organization_id) where status = 'in_progress';
create index runs_newest_idx on runs (organization_id, created_at desc, id desc);

-- A part of a run with its own cursor, saved together with the rows of each page.
create table run_slices (
  organization_id integer not null,
  run_id text not null,
  slice text not null,
  position integer not null,
  cursor text,
  done_count integer not null default 0,
  is_done boolean not null default false,
  state jsonb not null default '{}',
  primary key (organization_id, run_id, slice),
  foreign key (organization_id, run_id) references runs (organization_id, id) on delete cascade
);

create table run_errors (
  organization_id integer not null,
  run_id text not null,
  id bigint generated always as identity,
  source_id text,
  message text not null,
  created_at timestamptz not null default current_timestamp,
  primary key (organization_id, run_id, id),
  foreign key (organization_id, run_id) references runs (organization_id, id) on delete cascade
);

create table run_logs (
  organization_id integer not null,
  run_id text not null,
  id bigint generated always as identity,
  line text not null,
  created_at timestamptz not null default current_timestamp,
  primary key (organization_id, run_id, id),
  foreign key (organization_id, run_id) references runs (organization_id, id) on delete cascade
);

call isolate_by_organization('runs', 'run_slices', 'run_errors', 'run_logs');
