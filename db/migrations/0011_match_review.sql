-- A match belongs to a portal: record ids of one account mean nothing in another, and who comes back to an earlier
-- account finds the decisions made there.
alter table matches
  drop constraint matches_pkey,
  add primary key (organization_id, customer_id, portal_id),
  -- Raised by every write. A run writes only over what it read, so that it never overturns a person's decision.
  add column revision integer not null default 1,
  -- Why the contact of this very address is not created, until the address changes or a person asks again.
  add column contact_problem text,
  add column contact_problem_email text;

drop index matches_pending_idx;
create index matches_pending_idx on matches (organization_id, portal_id) where state = 'pending';

-- What a person decided for all customers of a registrable domain.
create table match_rules (
  organization_id integer not null references "organization" ("id") on delete cascade,
  portal_id text not null,
  domain text not null,
  -- always: this company; never: the domain says nothing of the company.
  kind text not null check (kind in ('always', 'never')),
  company_record_id text,
  company_name text,
  created_at timestamptz not null default current_timestamp,
  primary key (organization_id, portal_id, domain),
  check ((kind = 'always') = (company_record_id is not null))
);

-- How far the index of a portal's companies and contacts is true.
create table crm_listings (
  organization_id integer not null references "organization" ("id") on delete cascade,
  portal_id text not null,
  -- When the last complete listing was begun.
  listed_at timestamptz not null,
  -- Changes made before this are in the index, whether they were listed or searched for.
  read_until timestamptz not null,
  primary key (organization_id, portal_id)
);

-- By hash: names may be longer than a tree takes, and this index must not look like a key of the table.
create index crm_companies_name_idx on crm_companies using hash (lower(name));

call isolate_by_organization('match_rules', 'crm_listings');
