-- The first records that a run added, changed or removed, so that a run leads to them. Rows that change keep only their last
-- time, and what is removed keeps none, so they cannot tell. Ids alone: names and amounts are read where they are kept.
create table run_records (
  organization_id integer not null,
  run_id text not null,
  kind text not null check (kind in ('subscription', 'event')),
  source_id text not null,
  -- A removed event still leads to its subscription.
  subscription_id text not null,
  change text not null check (change in ('added', 'changed', 'removed')),
  primary key (organization_id, run_id, kind, source_id),
  foreign key (organization_id, run_id) references runs on delete cascade
);
call isolate_by_organization('run_records');
