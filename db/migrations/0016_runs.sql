-- A run says who or what started it, what it changed, and which import it follows.

alter table runs
  -- 'person', 'schedule', 'webhook', 'import' (what it read is pushed) or 'rules' (MRR rules changed); null: not noted.
  add started_by text,
  add started_by_user_id integer references "user" (id) on delete set null,
  -- The import whose changes a push carries on. Old runs are gathered day by day, so it may be gone.
  add follows_run_id text,
  -- Rows of ours, or records and their links in the CRM; null: not counted.
  add changed_subscriptions integer,
  add changed_events integer,
  add changed_links integer,
  -- Completed, and nothing was changed and no error told.
  add is_unchanged boolean not null default false;

do $$
declare
  named text := current_setting('app.organization_id', true);
  one record;
begin
  for one in select id from organization loop
    perform set_config('app.organization_id', one.id::text, true);
    update runs set is_unchanged = true
     where organization_id = one.id and status = 'completed' and kind <> 'recount'
       and processed_records = 0 and failed_records = 0
       and not exists (select from run_errors e where e.organization_id = one.id and e.run_id = runs.id);
  end loop;
  perform set_config('app.organization_id', coalesce(named, ''), true);
end
$$;

create index runs_changed_idx on runs (organization_id, created_at desc, id desc) where not is_unchanged;
create index runs_unchanged_idx on runs (organization_id, kind, status) where is_unchanged;
create index runs_follows_idx on runs (organization_id, follows_run_id) where follows_run_id is not null;
-- The person of a run is looked for when a user is deleted.
create index runs_started_by_idx on runs (started_by_user_id) where started_by_user_id is not null;
