-- By the provider's clock, when it was asked for a subscription at least: an invoice made later may tell of a change that is
-- not in it yet. What stood for it until now was our clock (`read_at`), of which a minute was allowed to be wrong.
alter table subscriptions add column asked_after timestamptz;
do $$
declare
  known integer;
begin
  for known in select id from "organization" loop
    perform set_config('app.organization_id', known::text, true);
    update subscriptions set asked_after = read_at - interval '1 minute' where organization_id = known;
  end loop;
end
$$;
alter table subscriptions alter asked_after set default 'epoch', alter asked_after set not null;
