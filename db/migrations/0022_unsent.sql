-- The rows that have no record in the CRM, in the portal that the organization pushes to (`push_marks`). Lists find them
-- here, where comparing a million rows with as many links takes a second. Triggers keep them, so that no writer can forget to.
create table crm_unsent (
  organization_id integer not null references "organization" on delete cascade,
  kind text not null check (kind in ('subscription', 'event')),
  source_id text not null,
  primary key (organization_id, kind, source_id)
);

call isolate_by_organization('crm_unsent');

-- Whether these rows have a record is looked up again. Each look-up goes along a key, whatever the statistics say.
create function settle_unsent(of_organization integer, of_portal text, of_kind text, ids text[])
returns void language plpgsql set enable_seqscan = off as $$
begin
  with sources as materialized (
    select id from events where of_kind = 'event' and organization_id = of_organization and id = any(ids)
    union all
    select id from subscriptions where of_kind = 'subscription' and organization_id = of_organization and id = any(ids)),
  held as materialized (
    select source_id from crm_links
     where organization_id = of_organization and portal_id = of_portal and kind = of_kind and source_id = any(ids)
       and record_id is not null and state <> 'removed'),
  unsent as materialized (select id from sources except select source_id from held),
  settled as (
    delete from crm_unsent
     where organization_id = of_organization and kind = of_kind and source_id = any(ids)
       and source_id not in (select id from unsent))
  insert into crm_unsent (organization_id, kind, source_id)
  select of_organization, of_kind, id from unsent
  on conflict do nothing;
end
$$;

-- The same for every row of an organization. It reads each table once.
create function settle_all_unsent(of_organization integer)
returns void language plpgsql set enable_nestloop = off as $$
declare
  portal text := (select portal_id from push_marks where organization_id = of_organization);
begin
  with sources as (
    select 'event' as kind, id from events where organization_id = of_organization
    union all
    select 'subscription', id from subscriptions where organization_id = of_organization),
  unsent as materialized (
    select kind, id from sources
     where not exists (select from crm_links l
                        where l.organization_id = of_organization and l.portal_id = portal and l.kind = sources.kind
                          and l.source_id = sources.id and l.record_id is not null and l.state <> 'removed')),
  settled as (
    delete from crm_unsent u
     where u.organization_id = of_organization
       and not exists (select from unsent where unsent.kind = u.kind and unsent.id = u.source_id))
  insert into crm_unsent (organization_id, kind, source_id)
  select of_organization, kind, id from unsent
  on conflict do nothing;
end
$$;

create function keep_unsent_of_links() returns trigger language plpgsql as $$
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
      where (added.record_id is not null and added.state <> 'removed')
            <> (removed.record_id is not null and removed.state <> 'removed')
      group by organization_id, portal_id, kind;
  end if;
  return null;
end
$$;

-- The argument is the kind of the table's rows.
create function keep_unsent_of_rows() returns trigger language plpgsql as $$
begin
  if not exists (select from push_marks) then
    return null;
  end if;
  if tg_op = 'INSERT' then
    perform settle_unsent(organization_id, portal_id, tg_argv[0], array_agg(id))
       from added join push_marks using (organization_id) group by organization_id, portal_id;
  else
    perform settle_unsent(organization_id, portal_id, tg_argv[0], array_agg(id))
       from removed join push_marks using (organization_id) group by organization_id, portal_id;
  end if;
  return null;
end
$$;

create trigger unsent_added after insert on crm_links
  referencing new table as added for each statement execute function keep_unsent_of_links();
create trigger unsent_changed after update on crm_links
  referencing old table as removed new table as added for each statement execute function keep_unsent_of_links();
create trigger unsent_removed after delete on crm_links
  referencing old table as removed for each statement execute function keep_unsent_of_links();

create trigger unsent_added after insert on events
  referencing new table as added for each statement execute function keep_unsent_of_rows('event');
create trigger unsent_removed after delete on events
  referencing old table as removed for each statement execute function keep_unsent_of_rows('event');
create trigger unsent_added after insert on subscriptions
  referencing new table as added for each statement execute function keep_unsent_of_rows('subscription');
create trigger unsent_removed after delete on subscriptions
  referencing old table as removed for each statement execute function keep_unsent_of_rows('subscription');

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

-- Customers without a company are few or many; either way the first ones are found at once.
create index customers_unattached_idx on customers (organization_id, id) where not is_attached;
