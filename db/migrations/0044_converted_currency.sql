-- The currency of the last complete pass, null before it. Records in the CRM tell the reporting currency, so after another one
-- all of them are outdated, also those whose amounts stay the same.
alter table conversions add column currency text;

do $$
declare
  named text := current_setting('app.organization_id', true);
  one record;
begin
  for one in select id from organization loop
    perform set_config('app.organization_id', one.id::text, true);
    update conversions c set currency = s.reporting_currency
      from organization_settings s
     where c.organization_id = one.id and s.organization_id = one.id and c.done = c.requested;
  end loop;
  perform set_config('app.organization_id', coalesce(named, ''), true);
end
$$;
