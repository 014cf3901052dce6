-- What was deleted as a whole, for good and without a name: a restore of an older backup deletes it again. Belongs to no
-- organization, since that is what is gone. The second time tells the row from another that was given its number.
create table deletions (
  kind text not null check (kind in ('organization', 'account')),
  subject_id integer not null,
  subject_created_at timestamptz not null,
  deleted_at timestamptz not null default current_timestamp,
  -- Whether the CRM ended its tokens; null where there were none.
  crm_revoked boolean,
  primary key (kind, subject_id, subject_created_at)
);

-- People of the payment provider who were erased: what was done, under a pseudonym. The id is a keyed hash of the customer's.
create table erasures (
  organization_id integer not null references "organization" ("id") on delete cascade,
  id text not null,
  pseudonym text not null,
  reason text not null check (reason in ('asked', 'redacted', 'deleted')),
  erased_at timestamptz not null,
  counts jsonb not null,
  -- Null while records in the CRM may still hold what they held before.
  crm_rewritten_at timestamptz,
  -- What stands for the person in the CRM, until that has deleted it: the contact that the customer was matched with, and a
  -- company that was made for this person alone.
  crm_portal_id text,
  crm_contact_record_id text,
  crm_company_record_id text,
  crm_deleted_at timestamptz,
  primary key (organization_id, id)
);
call isolate_by_organization('erasures');

-- What belonged to erased people, as keyed hashes: it is not taken into the index of the CRM again, nor made there again.
create table erased_words (
  organization_id integer not null,
  kind text not null check (kind in ('address', 'name', 'host')),
  hash text not null,
  erasure_id text not null,
  primary key (organization_id, kind, hash, erasure_id),
  foreign key (organization_id, erasure_id) references erasures (organization_id, id) on delete cascade
);
call isolate_by_organization('erased_words');

-- The key of an organization's hashes, sealed.
create table erasure_keys (
  organization_id integer primary key references "organization" ("id") on delete cascade,
  sealed_secret text not null
);
call isolate_by_organization('erasure_keys');

-- Portals that are not connected any more but have an index here, since when that is known.
create table crm_departures (
  organization_id integer not null references "organization" ("id") on delete cascade,
  portal_id text not null,
  left_at timestamptz not null,
  primary key (organization_id, portal_id)
);
call isolate_by_organization('crm_departures');

alter table customers add column erasure_id text;
create index customers_erased_idx on customers (organization_id, id) where erasure_id is not null;

alter table organization_settings add column erases_deleted_customers boolean not null default false;

create or replace function sealed_key_versions() returns table (version integer, secrets bigint) language plpgsql as $$
declare
  outer_organization text := current_setting('app.organization_id', true);
  one record;
  counts jsonb := '{}';
  found record;
begin
  for one in select o."id" from "organization" o loop
    perform set_config('app.organization_id', one."id"::text, true);
    for found in
      select split_part(sealed_secret, '.', 2) as version, count(*) as secrets
        from (select sealed_secret from connections union all select sealed_secret from payment_webhooks
              union all select sealed_secret from erasure_keys) sealed
       where sealed_secret like 's1.%' group by 1
    loop
      counts := counts || jsonb_build_object(
        found.version, coalesce((counts ->> found.version)::bigint, 0) + found.secrets);
    end loop;
  end loop;
  perform set_config('app.organization_id', coalesce(outer_organization, ''), true);
  return query select key::integer, value::bigint from jsonb_each_text(counts) order by 1;
end
$$;

-- Takes a person who had an account out of what every organization keeps of who did what.
create function forget_person(person integer, address text) returns void language plpgsql as $$
declare
  outer_organization text := current_setting('app.organization_id', true);
  one record;
begin
  for one in select o."id" from "organization" o loop
    perform set_config('app.organization_id', one."id"::text, true);
    update audit_log set actor_user_id = null, actor_email = 'a deleted account', address = null
     where actor_user_id = person or lower(actor_email) = lower(forget_person.address);
    update audit_log set subject = replace(subject, forget_person.address, 'a deleted account')
     where position(forget_person.address in subject) > 0;
    update runs set message = replace(message, forget_person.address, 'a deleted account')
     where position(forget_person.address in message) > 0;
    update run_logs set line = replace(line, forget_person.address, 'a deleted account')
     where position(forget_person.address in line) > 0;
    update recounts set read_by = 'a deleted account' where lower(read_by) = lower(forget_person.address);
  end loop;
  perform set_config('app.organization_id', coalesce(outer_organization, ''), true);
end
$$;
