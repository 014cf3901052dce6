-- A failed run tells in which phase it failed, and the request that failed as the provider's support finds it: method, path
-- without ids, status, code and id, none of a person. Runs that told of errors are found without a look at their lines.
alter table runs
  add column failed_phase text,
  add column failed_request jsonb,
  add column told_errors boolean not null default false;

do $$
declare
  named text := current_setting('app.organization_id', true);
  one record;
begin
  for one in select id from organization loop
    perform set_config('app.organization_id', one.id::text, true);
    update runs set told_errors = true
     where organization_id = one.id
       and id in (select run_id from run_errors where organization_id = one.id);
  end loop;
  perform set_config('app.organization_id', coalesce(named, ''), true);
end
$$;

create index runs_with_errors_idx on runs (organization_id, created_at, id)
 where status = 'failed' or failed_records > 0 or told_errors;
