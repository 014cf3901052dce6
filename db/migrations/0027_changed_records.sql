-- Also kept are the rows that changed since the CRM confirmed their record: all that is not there as it is here. Counts of
-- what is synced, and lists of what changed, compared a million rows with as many links.
alter table crm_unsent add column has_record boolean not null default false;
-- What filters ask of an event, so that the sums of those without a record read nothing else.
alter table crm_unsent add column subscription_id text, add column customer_id text, add column occurred_at timestamptz;
-- Of a million kept rows, nearly all have a record, or nearly none.
create index crm_unsent_record_idx on crm_unsent (organization_id, kind, has_record, source_id);

-- Whether these rows stand in the CRM as they are here is looked up again. Each look-up goes along a key, and the found rows
-- are joined by hashes, whatever the statistics say.
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
    select source_id, state, confirmed_at from crm_links
     where organization_id = of_organization and portal_id = of_portal and kind = of_kind and source_id = any(ids)
       and record_id is not null and state <> 'removed'),
  unsent as materialized (
    select id, source_id is not null as has_record, subscription_id, customer_id, occurred_at, mrr_status, currency,
           mrr_change_cents, reporting_change_cents
      from sources left join held on source_id = id
     where (state = 'confirmed' and updated_at <= confirmed_at) is not true),
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
    select kind, source_id, state, confirmed_at from crm_links
     where organization_id = of_organization and portal_id = portal and record_id is not null and state <> 'removed'),
  unsent as materialized (
    select s.kind, s.id, h.source_id is not null as has_record, subscription_id, customer_id, occurred_at, mrr_status,
           currency, mrr_change_cents, reporting_change_cents
      from sources s left join held h on h.kind = s.kind and h.source_id = s.id
     where (h.state = 'confirmed' and s.updated_at <= h.confirmed_at) is not true),
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

create or replace function keep_unsent_of_links() returns trigger language plpgsql as $$
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
      where (added.record_id is null, added.state, added.confirmed_at)
            is distinct from (removed.record_id is null, removed.state, removed.confirmed_at)
      group by organization_id, portal_id, kind;
  end if;
  return null;
end
$$;

-- The argument is the kind of the table's rows.
create or replace function keep_unsent_of_rows() returns trigger language plpgsql as $$
begin
  if not exists (select from push_marks) then
    return null;
  end if;
  if tg_op = 'INSERT' then
    perform settle_unsent(organization_id, portal_id, tg_argv[0], array_agg(id))
       from added join push_marks using (organization_id) group by organization_id, portal_id;
  elsif tg_op = 'DELETE' then
    perform settle_unsent(organization_id, portal_id, tg_argv[0], array_agg(id))
       from removed join push_marks using (organization_id) group by organization_id, portal_id;
  elsif tg_argv[0] = 'subscription' then
    perform settle_unsent(organization_id, portal_id, 'subscription', array_agg(id))
       from added join removed using (organization_id, id) join push_marks using (organization_id)
      where added.updated_at <> removed.updated_at
      group by organization_id, portal_id;
  else
    perform settle_unsent(organization_id, portal_id, 'event', array_agg(id))
       from added join removed using (organization_id, id) join push_marks using (organization_id)
      where (added.updated_at, added.subscription_id, added.customer_id, added.occurred_at)
            is distinct from (removed.updated_at, removed.subscription_id, removed.customer_id, removed.occurred_at)
      group by organization_id, portal_id;
  end if;
  return null;
end
$$;

-- A conversion runs beside a push and changes amounts alone. unsent_changed takes these to what is kept and keeps nothing
-- again, so that it cannot bring back a row that the push has just confirmed.
create trigger unsent_moved after update on events
  referencing old table as removed new table as added for each statement execute function keep_unsent_of_rows('event');
create trigger unsent_moved after update on subscriptions
  referencing old table as removed new table as added
  for each statement execute function keep_unsent_of_rows('subscription');

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
