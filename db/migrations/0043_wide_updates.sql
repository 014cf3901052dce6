-- A session keeps the plan of its first update, which may be of one row. A nested loop in it takes hours once all rows of a
-- large account change, so functions that join the rows before and after an update do so without one.
alter function note_push_due() set enable_nestloop = off;
alter function keep_unsent_of_links() set enable_nestloop = off;
alter function keep_unsent_of_rows() set enable_nestloop = off;

create function add_outdated(of_organization integer, of_portal text, of_kind text, ids text[])
returns void language sql set enable_seqscan = off as $$
  update crm_links set outdated = outdated + 1
   where organization_id = of_organization and portal_id = of_portal and kind = of_kind and source_id = any(ids)
     and state = 'confirmed'
$$;

create function add_outdated_of_customers(of_organization integer, of_portal text, customer_ids text[])
returns void language sql set enable_seqscan = off as $$
  select add_outdated(of_organization, of_portal, 'subscription', array_agg(id)) from subscriptions
   where organization_id = of_organization and customer_id = any(customer_ids) having count(*) > 0;
  select add_outdated(of_organization, of_portal, 'event', array_agg(id)) from events
   where organization_id = of_organization and customer_id = any(customer_ids) having count(*) > 0
$$;

create or replace function mark_outdated() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  if not exists (select from push_marks) then
    return null;
  end if;
  if tg_table_name = 'customers' then
    perform add_outdated_of_customers(organization_id, portal_id, array_agg(id))
       from added join removed using (organization_id, id) join push_marks using (organization_id)
      where (added.name, added.email) is distinct from (removed.name, removed.email)
      group by organization_id, portal_id;
  elsif tg_table_name = 'subscriptions' then
    perform add_outdated(organization_id, portal_id, 'subscription', array_agg(id))
       from added join removed using (organization_id, id) join push_marks using (organization_id)
      where (added.reporting_mrr_cents, added.reporting_rate)
            is distinct from (removed.reporting_mrr_cents, removed.reporting_rate)
      group by organization_id, portal_id;
  else
    perform add_outdated(organization_id, portal_id, 'event', array_agg(id))
       from added join removed using (organization_id, id) join push_marks using (organization_id)
      where (added.reporting_change_cents, added.reporting_rate)
            is distinct from (removed.reporting_change_cents, removed.reporting_rate)
      group by organization_id, portal_id;
  end if;
  return null;
end
$$;
