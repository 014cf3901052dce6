-- The events that have no record in the CRM are summed from this table alone: where half of a million have none, it takes a
-- second to look up what each comes to. Empty for subscriptions.
alter table crm_unsent add column mrr_status text, add column currency text, add column mrr_change_cents bigint,
  add column reporting_change_cents bigint;

create or replace function settle_unsent(of_organization integer, of_portal text, of_kind text, ids text[])
returns void language plpgsql set enable_seqscan = off as $$
begin
  with sources as materialized (
    select id, mrr_status, currency, mrr_change_cents, reporting_change_cents from events
     where of_kind = 'event' and organization_id = of_organization and id = any(ids)
    union all
    select id, null, null, null, null from subscriptions
     where of_kind = 'subscription' and organization_id = of_organization and id = any(ids)),
  held as materialized (
    select source_id from crm_links
     where organization_id = of_organization and portal_id = of_portal and kind = of_kind and source_id = any(ids)
       and record_id is not null and state <> 'removed'),
  unsent as materialized (select * from sources where id not in (select source_id from held)),
  settled as (
    delete from crm_unsent
     where organization_id = of_organization and kind = of_kind and source_id = any(ids)
       and source_id not in (select id from unsent))
  insert into crm_unsent as known
    (organization_id, kind, source_id, mrr_status, currency, mrr_change_cents, reporting_change_cents)
  select of_organization, of_kind, unsent.* from unsent
  on conflict (organization_id, kind, source_id) do update
     set mrr_status = excluded.mrr_status, currency = excluded.currency, mrr_change_cents = excluded.mrr_change_cents,
         reporting_change_cents = excluded.reporting_change_cents
   where (known.mrr_status, known.currency, known.mrr_change_cents, known.reporting_change_cents)
         is distinct from (excluded.mrr_status, excluded.currency, excluded.mrr_change_cents,
                           excluded.reporting_change_cents);
end
$$;

create or replace function settle_all_unsent(of_organization integer)
returns void language plpgsql set enable_nestloop = off as $$
declare
  portal text := (select portal_id from push_marks where organization_id = of_organization);
begin
  with sources as (
    select 'event' as kind, id, mrr_status, currency, mrr_change_cents, reporting_change_cents
      from events where organization_id = of_organization
    union all
    select 'subscription', id, null, null, null, null from subscriptions where organization_id = of_organization),
  unsent as materialized (
    select * from sources
     where not exists (select from crm_links l
                        where l.organization_id = of_organization and l.portal_id = portal and l.kind = sources.kind
                          and l.source_id = sources.id and l.record_id is not null and l.state <> 'removed')),
  settled as (
    delete from crm_unsent u
     where u.organization_id = of_organization
       and not exists (select from unsent where unsent.kind = u.kind and unsent.id = u.source_id))
  insert into crm_unsent as known
    (organization_id, kind, source_id, mrr_status, currency, mrr_change_cents, reporting_change_cents)
  select of_organization, unsent.* from unsent
  on conflict (organization_id, kind, source_id) do update
     set mrr_status = excluded.mrr_status, currency = excluded.currency, mrr_change_cents = excluded.mrr_change_cents,
         reporting_change_cents = excluded.reporting_change_cents
   where (known.mrr_status, known.currency, known.mrr_change_cents, known.reporting_change_cents)
         is distinct from (excluded.mrr_status, excluded.currency, excluded.mrr_change_cents,
                           excluded.reporting_change_cents);
end
$$;

create function keep_unsent_sums() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if not exists (select from push_marks) then
    return null;
  end if;
  update crm_unsent u
     set mrr_status = added.mrr_status, currency = added.currency, mrr_change_cents = added.mrr_change_cents,
         reporting_change_cents = added.reporting_change_cents
    from added
   where u.organization_id = added.organization_id and u.kind = 'event' and u.source_id = added.id
     and (u.mrr_status, u.currency, u.mrr_change_cents, u.reporting_change_cents)
         is distinct from (added.mrr_status, added.currency, added.mrr_change_cents, added.reporting_change_cents);
  return null;
end
$$;

create trigger unsent_changed after update on events
  referencing new table as added for each statement execute function keep_unsent_sums();

do $$
declare
  named text := current_setting('app.organization_id', true);
  one record;
begin
  for one in select id from organization loop
    perform set_config('app.organization_id', one.id::text, true);
    perform settle_all_unsent(one.id) where exists (select from push_marks);
  end loop;
  perform set_config('app.organization_id', coalesce(named, ''), true);
end
$$;
