-- The opening of a transaction of a run's work, in one round trip: belongs to the organization, takes the run's lock, and
-- tells whether the attempt still holds the run. Volatile, so that what it sees is newer than the end of its wait.
create function hold_run(organization integer, run text, run_attempt integer, lock integer, may_be_lost boolean)
  returns boolean
  language plpgsql volatile
as $$
begin
  perform set_config('app.organization_id', organization::text, true);
  if may_be_lost then
    perform set_config('synchronous_commit', 'off', true);
  end if;
  perform pg_advisory_xact_lock_shared(lock, organization);
  return exists (
    select from runs
     where organization_id = organization and id = run and attempt = run_attempt and status = 'in_progress');
end
$$;
