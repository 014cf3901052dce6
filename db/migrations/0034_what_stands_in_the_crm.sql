alter table matches
  -- The address for which the contact was last looked for, as the payment provider spells it: another one is looked for anew.
  add column contact_for text;
-- Merges and new names of companies find their customers by it. By hash, as below: these must not look like keys.
create index matches_company_idx on matches using hash (company_record_id);

alter table crm_companies
  -- Under which key of ours it was created; null for a company that is none of ours.
  add column created_for text;
create index crm_companies_created_idx on crm_companies using hash (created_for);

alter table crm_contacts
  -- The company that the CRM calls the contact's primary one.
  add column primary_company_id text;

-- What somebody deleted in the CRM, by what it was: addresses of contacts, domains of companies. Only a hash of each is
-- kept, since who had himself deleted there is not to be remembered here by name.
create table crm_deleted (
  organization_id integer not null references "organization" ("id") on delete cascade,
  portal_id text not null,
  kind text not null check (kind in ('company', 'contact')),
  value_hash bytea not null,
  noticed_at timestamptz not null default current_timestamp,
  primary key (organization_id, portal_id, kind, value_hash)
);
call isolate_by_organization('crm_deleted');

-- Contacts that were noticed before; organization by organization, since the owner sees no more at a time than anybody.
do $$
declare
  known integer;
begin
  for known in select id from "organization" loop
    perform set_config('app.organization_id', known::text, true);
    insert into crm_deleted (organization_id, portal_id, kind, value_hash)
    select distinct organization_id, portal_id, 'contact', sha256(convert_to(contact_problem_email, 'UTF8'))
      from matches
     where organization_id = known and contact_problem like 'Somebody deleted this contact in %'
       and contact_problem_email is not null;
  end loop;
end
$$;
