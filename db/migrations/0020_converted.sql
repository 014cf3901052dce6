-- Records of the CRM hold converted amounts too, where an organization has several currencies, so another one is a change.
create or replace function note_push_due() returns trigger language plpgsql as $$
begin
  if not exists (select from push_marks) then
    return null;
  end if;
  if tg_op = 'INSERT' and tg_table_name = 'customers' then
    insert into push_due (organization_id, customer_id)
    select organization_id, id from added where organization_id in (select organization_id from push_marks);
  elsif tg_op = 'INSERT' then
    insert into push_due (organization_id, customer_id)
    select distinct organization_id, customer_id from added
     where customer_id is not null and organization_id in (select organization_id from push_marks);
  elsif tg_op = 'DELETE' then
    -- With the organization itself its marks go too.
    insert into push_due (organization_id, customer_id, event_id)
    select organization_id, coalesce(customer_id, ''), case tg_table_name when 'events' then to_jsonb(removed) ->> 'id' end
      from removed
     where exists (select from "organization" as known where known.id = organization_id)
       and organization_id in (select organization_id from push_marks);
  elsif tg_table_name = 'customers' then
    insert into push_due (organization_id, customer_id)
    select organization_id, id from added join removed using (organization_id, id)
     where (added.name, added.email) is distinct from (removed.name, removed.email)
       and organization_id in (select organization_id from push_marks);
  elsif tg_table_name = 'matches' then
    insert into push_due (organization_id, customer_id)
    select organization_id, customer_id from added join removed using (organization_id, customer_id, portal_id)
     where (added.state, added.company_record_id, added.contact_record_id)
           is distinct from (removed.state, removed.company_record_id, removed.contact_record_id)
       and organization_id in (select organization_id from push_marks);
  elsif tg_table_name = 'subscriptions' then
    insert into push_due (organization_id, customer_id)
    select distinct organization_id, unnest(array[added.customer_id, removed.customer_id])
      from added join removed using (organization_id, id)
     where (added.customer_id, added.updated_at, added.status, added.current_mrr_cents, added.quantity,
            added.unsupported_reason, added.reporting_mrr_cents, added.reporting_rate)
           is distinct from (removed.customer_id, removed.updated_at, removed.status, removed.current_mrr_cents,
            removed.quantity, removed.unsupported_reason, removed.reporting_mrr_cents, removed.reporting_rate)
       and organization_id in (select organization_id from push_marks);
  else
    insert into push_due (organization_id, customer_id)
    select distinct organization_id, customer
      from added join removed using (organization_id, id),
           unnest(array[added.customer_id, removed.customer_id]) as customer
     where customer is not null
       and (added.customer_id, added.updated_at, added.mrr_change_cents, added.reporting_change_cents,
            added.reporting_rate)
           is distinct from (removed.customer_id, removed.updated_at, removed.mrr_change_cents,
            removed.reporting_change_cents, removed.reporting_rate)
       and organization_id in (select organization_id from push_marks);
  end if;
  return null;
end
$$;

-- Rates may also be those that people keep in the CRM: what one unit is worth in the account's own currency.
alter table organization_settings drop constraint organization_settings_rates_source_check,
  add constraint organization_settings_rates_source_check check (rates_source in ('ecb', 'csv', 'crm'));

-- When the CRM's rates are read next, where an organization takes them; null: at once.
alter table conversions add column rates_due_at timestamptz;
