-- How often what a confirmed record says changed since without a new version of its row: the name or address of its customer, or
-- its converted amount. A push that read the record after the last change takes them back.
alter table crm_links add column outdated integer not null default 0;

create function mark_outdated() returns trigger language plpgsql as $$
begin
  if not exists (select from push_marks) then
    return null;
  end if;
  if tg_table_name = 'customers' then
    with renamed as (
      select organization_id, added.id as customer_id, portal_id
        from added join removed using (organization_id, id) join push_marks using (organization_id)
       where (added.name, added.email) is distinct from (removed.name, removed.email)),
    written as (
      select organization_id, portal_id, 'subscription' as kind, id
        from renamed join subscriptions using (organization_id, customer_id)
      union all
      select organization_id, portal_id, 'event', id from renamed join events using (organization_id, customer_id))
    update crm_links l set outdated = l.outdated + 1 from written
     where l.organization_id = written.organization_id and l.portal_id = written.portal_id and l.kind = written.kind
       and l.source_id = written.id and l.state = 'confirmed';
  elsif tg_table_name = 'subscriptions' then
    update crm_links l set outdated = l.outdated + 1
      from added join removed using (organization_id, id) join push_marks using (organization_id)
     where (added.reporting_mrr_cents, added.reporting_rate)
           is distinct from (removed.reporting_mrr_cents, removed.reporting_rate)
       and l.organization_id = added.organization_id and l.portal_id = push_marks.portal_id and l.kind = 'subscription'
       and l.source_id = added.id and l.state = 'confirmed';
  else
    update crm_links l set outdated = l.outdated + 1
      from added join removed using (organization_id, id) join push_marks using (organization_id)
     where (added.reporting_change_cents, added.reporting_rate)
           is distinct from (removed.reporting_change_cents, removed.reporting_rate)
       and l.organization_id = added.organization_id and l.portal_id = push_marks.portal_id and l.kind = 'event'
       and l.source_id = added.id and l.state = 'confirmed';
  end if;
  return null;
end
$$;

create trigger outdated_changed after update on customers referencing old table as removed new table as added
  for each statement execute function mark_outdated();
create trigger outdated_changed after update on subscriptions referencing old table as removed new table as added
  for each statement execute function mark_outdated();
create trigger outdated_changed after update on events referencing old table as removed new table as added
  for each statement execute function mark_outdated();

-- A record that is outdated is not in the CRM as it is here.
create or replace function settle_all_unsent(of_organization integer)
returns void language plpgsql set enable_nestloop = off as $$
declare
  portal text := (select portal_id from push_marks where organization_id = of_organization);
begin
  with sources as (
    select 'event' as kind, id, updated_at, subscription_id, customer_id, occurred_at, mrr_status, currency,
           mrr_change_cents, reporting_change_cents
      from events where organization_id = of_organization
    union all
    select 'subscription', id, updated_at, null, null, null, null, null, null, null
      from subscriptions where organization_id = of_organization),
  held as (
    select kind, source_id, state, outdated, confirmed_at from crm_links
     where organization_id = of_organization and portal_id = portal and record_id is not null and state <> 'removed'),
  unsent as materialized (
    select s.kind, s.id, h.source_id is not null as has_record, subscription_id, customer_id, occurred_at, mrr_status,
           currency, mrr_change_cents, reporting_change_cents
      from sources s left join held h on h.kind = s.kind and h.source_id = s.id
     where (h.state = 'confirmed' and h.outdated = 0 and s.updated_at <= h.confirmed_at) is not true),
  settled as (
    delete from crm_unsent u
     where u.organization_id = of_organization
       and not exists (select from unsent where unsent.kind = u.kind and unsent.id = u.source_id))
  insert into crm_unsent as known
    (organization_id, kind, source_id, has_record, subscription_id, customer_id, occurred_at, mrr_status, currency,
     mrr_change_cents, reporting_change_cents)
  select of_organization, unsent.* from unsent
  on conflict (organization_id, kind, source_id) do update
     set has_record = excluded.has_record, subscription_id = excluded.subscription_id,
         customer_id = excluded.customer_id, occurred_at = excluded.occurred_at, mrr_status = excluded.mrr_status,
         currency = excluded.currency, mrr_change_cents = excluded.mrr_change_cents,
         reporting_change_cents = excluded.reporting_change_cents
   where known is distinct from excluded;
end
$$;

create or replace function settle_unsent(of_organization integer, of_portal text, of_kind text, ids text[])
returns void language plpgsql set enable_seqscan = off set enable_nestloop = off as $$
begin
  with sources as materialized (
    select id, updated_at, subscription_id, customer_id, occurred_at, mrr_status, currency, mrr_change_cents,
           reporting_change_cents
      from events
     where of_kind = 'event' and organization_id = of_organization and id = any(ids)
    union all
    select id, updated_at, null, null, null, null, null, null, null from subscriptions
     where of_kind = 'subscription' and organization_id = of_organization and id = any(ids)),
  held as materialized (
    select source_id, state, outdated, confirmed_at from crm_links
     where organization_id = of_organization and portal_id = of_portal and kind = of_kind and source_id = any(ids)
       and record_id is not null and state <> 'removed'),
  unsent as materialized (
    select id, source_id is not null as has_record, subscription_id, customer_id, occurred_at, mrr_status, currency,
           mrr_change_cents, reporting_change_cents
      from sources left join held on source_id = id
     where (state = 'confirmed' and outdated = 0 and updated_at <= confirmed_at) is not true),
  settled as (
    delete from crm_unsent
     where organization_id = of_organization and kind = of_kind and source_id = any(ids)
       and source_id not in (select id from unsent))
  insert into crm_unsent as known
    (organization_id, kind, source_id, has_record, subscription_id, customer_id, occurred_at, mrr_status, currency,
     mrr_change_cents, reporting_change_cents)
  select of_organization, of_kind, unsent.* from unsent
  on conflict (organization_id, kind, source_id) do update
     set has_record = excluded.has_record, subscription_id = excluded.subscription_id,
         customer_id = excluded.customer_id, occurred_at = excluded.occurred_at, mrr_status = excluded.mrr_status,
         currency = excluded.currency, mrr_change_cents = excluded.mrr_change_cents,
         reporting_change_cents = excluded.reporting_change_cents
   where known is distinct from excluded;
end
$$;

create or replace function keep_unsent_of_links()
returns trigger language plpgsql as $$
begin
  if not exists (select from push_marks) then
    return null;
  end if;
  if tg_op = 'INSERT' then
    perform settle_unsent(organization_id, portal_id, kind, array_agg(source_id))
       from added join push_marks using (organization_id, portal_id)
      where record_id is not null and state <> 'removed'
      group by organization_id, portal_id, kind;
  elsif tg_op = 'DELETE' then
    -- With the organization itself its marks go too.
    perform settle_unsent(organization_id, portal_id, kind, array_agg(source_id))
       from removed join push_marks using (organization_id, portal_id)
      where record_id is not null and state <> 'removed'
        and exists (select from "organization" as known where known.id = organization_id)
      group by organization_id, portal_id, kind;
  else
    perform settle_unsent(organization_id, portal_id, kind, array_agg(source_id))
       from added join removed using (organization_id, portal_id, kind, source_id)
            join push_marks using (organization_id, portal_id)
      where (added.record_id is null, added.state, added.outdated, added.confirmed_at)
            is distinct from (removed.record_id is null, removed.state, removed.outdated, removed.confirmed_at)
      group by organization_id, portal_id, kind;
  end if;
  return null;
end
$$;
