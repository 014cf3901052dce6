-- A push compares only customers that changed since the last one. Triggers note them, so that no writer can forget to.

-- The portal that the organization pushes to, and what its records were compared with.
create table push_marks (
  organization_id integer primary key references "organization" on delete cascade,
  portal_id text not null,
  -- What a record is made of beside its rows: another one makes every record due.
  basis text not null,
  -- When everything was last compared; null if the next push has to.
  compared_at timestamptz
);

-- Customers whose records or associations may have changed since the last push. Rows are only added and removed, so that
-- writers never wait for each other.
create table push_due (
  organization_id integer not null references "organization" on delete cascade,
  number bigint generated always as identity,
  customer_id text not null,
  -- An event that was removed from the ledger.
  event_id text,
  primary key (organization_id, number)
);

call isolate_by_organization('push_marks', 'push_due');

-- Before the first push nothing is noted: it compares everything.
create function note_push_due() returns trigger language plpgsql as $$
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
            added.unsupported_reason)
           is distinct from (removed.customer_id, removed.updated_at, removed.status, removed.current_mrr_cents,
            removed.quantity, removed.unsupported_reason)
       and organization_id in (select organization_id from push_marks);
  else
    insert into push_due (organization_id, customer_id)
    select distinct organization_id, customer
      from added join removed using (organization_id, id),
           unnest(array[added.customer_id, removed.customer_id]) as customer
     where customer is not null
       and (added.customer_id, added.updated_at, added.mrr_change_cents)
           is distinct from (removed.customer_id, removed.updated_at, removed.mrr_change_cents)
       and organization_id in (select organization_id from push_marks);
  end if;
  return null;
end
$$;

create trigger push_added after insert on customers
  referencing new table as added for each statement execute function note_push_due();
create trigger push_changed after update on customers
  referencing old table as removed new table as added for each statement execute function note_push_due();

create trigger push_added after insert on subscriptions
  referencing new table as added for each statement execute function note_push_due();
create trigger push_changed after update on subscriptions
  referencing old table as removed new table as added for each statement execute function note_push_due();

create trigger push_added after insert on events
  referencing new table as added for each statement execute function note_push_due();
create trigger push_changed after update on events
  referencing old table as removed new table as added for each statement execute function note_push_due();
create trigger push_removed after delete on events
  referencing old table as removed for each statement execute function note_push_due();

create trigger push_added after insert on matches
  referencing new table as added for each statement execute function note_push_due();
create trigger push_changed after update on matches
  referencing old table as removed new table as added for each statement execute function note_push_due();
create trigger push_removed after delete on matches
  referencing old table as removed for each statement execute function note_push_due();

-- Matched customers without a contact, for which each push looks again.
create index matches_lone_idx on matches (organization_id, portal_id, customer_id)
  where state = 'linked' and contact_record_id is null;

-- How large a portal's index was at its last listing; null until the next one.
alter table crm_listings add column companies integer, add column contacts integer;

-- Our records as the last push left them, so that an unchanged push counts none; null while one writes.
alter table crm_looks add column known integer, add column standing integer, add column written_at timestamptz;

-- How fresh each record is: when it changed at the payment provider, stood in the ledger, and stood in the CRM. A row
-- begins with a subscription's first change after the first import.
create table freshness (
  organization_id integer not null references "organization" on delete cascade,
  subscription_id text not null,
  -- The first change that was not yet in the CRM, by the provider's clock.
  changed_at timestamptz not null,
  ledger_at timestamptz not null,
  -- null while the CRM lacks the change.
  crm_at timestamptz,
  primary key (organization_id, subscription_id)
);
create index freshness_changed_idx on freshness (organization_id, changed_at);
create index freshness_waiting_idx on freshness (organization_id) where crm_at is null;

call isolate_by_organization('freshness');

-- What companies and contacts of the CRM are found by. Row-level security keeps operators of arrays and functions out of
-- index searches, so that each look-up read the whole index of a portal. Equal texts it lets through.
create table crm_keys (
  organization_id integer not null references "organization" on delete cascade,
  portal_id text not null,
  object text not null check (object in ('company', 'contact')),
  -- 'd' and a domain, 'n' and a name in lower case, 'e' and an address.
  key text not null,
  record_id text not null,
  primary key (organization_id, portal_id, object, key, record_id)
);
call isolate_by_organization('crm_keys');

-- Long texts are cut, because an index entry has its limit; who looks up compares whole texts afterwards.
create function crm_keys_of(name text, domains text[], registrable_domains text[], created_for text) returns setof text
language sql immutable as $$
  select distinct left('d' || domain, 500) from unnest(domains || registrable_domains || created_for) as domain
   where domain is not null
  union select left('n' || lower(name), 500) where name is not null
$$;

create function crm_keys_of(emails text[]) returns setof text language sql immutable as $$
  select distinct left('e' || email, 500) from unnest(emails) as email where email is not null
$$;

create function key_companies() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from crm_keys k
     using removed r, crm_keys_of(r.name, r.domains, r.registrable_domains, r.created_for) as gone (key)
     where (k.organization_id, k.portal_id, k.object, k.key, k.record_id)
         = (r.organization_id, r.portal_id, 'company', gone.key, r.record_id);
  elsif tg_op = 'UPDATE' then
    delete from crm_keys k
     using removed r join added a using (organization_id, portal_id, record_id),
           crm_keys_of(r.name, r.domains, r.registrable_domains, r.created_for) as gone (key)
     where (r.name, r.domains, r.registrable_domains, r.created_for)
           is distinct from (a.name, a.domains, a.registrable_domains, a.created_for)
       and (k.organization_id, k.portal_id, k.object, k.key, k.record_id)
         = (r.organization_id, r.portal_id, 'company', gone.key, r.record_id);
    insert into crm_keys (organization_id, portal_id, object, key, record_id)
    select organization_id, portal_id, 'company', made.key, record_id
      from removed r join added a using (organization_id, portal_id, record_id),
           crm_keys_of(a.name, a.domains, a.registrable_domains, a.created_for) as made (key)
     where (r.name, r.domains, r.registrable_domains, r.created_for)
           is distinct from (a.name, a.domains, a.registrable_domains, a.created_for);
  else
    insert into crm_keys (organization_id, portal_id, object, key, record_id)
    select organization_id, portal_id, 'company', made.key, record_id
      from added a, crm_keys_of(a.name, a.domains, a.registrable_domains, a.created_for) as made (key);
  end if;
  return null;
end
$$;

create function key_contacts() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from crm_keys k using removed r, crm_keys_of(r.emails) as gone (key)
     where (k.organization_id, k.portal_id, k.object, k.key, k.record_id)
         = (r.organization_id, r.portal_id, 'contact', gone.key, r.record_id);
  elsif tg_op = 'UPDATE' then
    delete from crm_keys k
     using removed r join added a using (organization_id, portal_id, record_id), crm_keys_of(r.emails) as gone (key)
     where r.emails is distinct from a.emails
       and (k.organization_id, k.portal_id, k.object, k.key, k.record_id)
         = (r.organization_id, r.portal_id, 'contact', gone.key, r.record_id);
    insert into crm_keys (organization_id, portal_id, object, key, record_id)
    select organization_id, portal_id, 'contact', made.key, record_id
      from removed r join added a using (organization_id, portal_id, record_id), crm_keys_of(a.emails) as made (key)
     where r.emails is distinct from a.emails;
  else
    insert into crm_keys (organization_id, portal_id, object, key, record_id)
    select organization_id, portal_id, 'contact', made.key, record_id
      from added a, crm_keys_of(a.emails) as made (key);
  end if;
  return null;
end
$$;

create trigger keys_added after insert on crm_companies
  referencing new table as added for each statement execute function key_companies();
create trigger keys_changed after update on crm_companies
  referencing old table as removed new table as added for each statement execute function key_companies();
create trigger keys_removed after delete on crm_companies
  referencing old table as removed for each statement execute function key_companies();

create trigger keys_added after insert on crm_contacts
  referencing new table as added for each statement execute function key_contacts();
create trigger keys_changed after update on crm_contacts
  referencing old table as removed new table as added for each statement execute function key_contacts();
create trigger keys_removed after delete on crm_contacts
  referencing old table as removed for each statement execute function key_contacts();

do $$
declare
  named text := current_setting('app.organization_id', true);
  one record;
begin
  for one in select id from organization loop
    perform set_config('app.organization_id', one.id::text, true);
    insert into crm_keys (organization_id, portal_id, object, key, record_id)
    select organization_id, portal_id, 'company', made.key, record_id
      from crm_companies c, crm_keys_of(c.name, c.domains, c.registrable_domains, c.created_for) as made (key)
     where organization_id = one.id
    union all
    select organization_id, portal_id, 'contact', made.key, record_id
      from crm_contacts c, crm_keys_of(c.emails) as made (key)
     where organization_id = one.id;
  end loop;
  perform set_config('app.organization_id', coalesce(named, ''), true);
end
$$;

-- No search could use these.
drop index crm_companies_created_idx, crm_companies_domains_idx, crm_companies_name_idx, crm_companies_registrable_idx,
           crm_contacts_emails_idx;
