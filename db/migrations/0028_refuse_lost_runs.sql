-- Fails where the attempt does not hold the run any more, instead of telling so: what was sent right behind it is not done then,
-- and takes no lock that could be in the way of the attempt that does.
create or replace function hold_run(organization integer, run text, run_attempt integer, lock integer, may_be_lost boolean)
  returns boolean
  language plpgsql volatile
as $$
begin
  perform set_config('app.organization_id', organization::text, true);
  if may_be_lost then
    perform set_config('synchronous_commit', 'off', true);
  end if;
  perform pg_advisory_xact_lock_shared(lock, organization);
  if not exists (
    select from runs
     where organization_id = organization and id = run and attempt = run_attempt and status = 'in_progress') then
    raise exception 'the run is not held by this attempt' using errcode = 'RL001';
  end if;
  return true;
end
$$;
