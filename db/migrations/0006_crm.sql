-- The two custom objects as they stand in one portal of the CRM.
create table crm_objects (
  organization_id integer not null references "organization" ("id") on delete cascade,
  portal_id text not null,
  kind text not null check (kind in ('subscription', 'event')),
  object_type_id text,
  state text not null default 'missing' check (state in ('ready', 'missing', 'failed')),
  reason text,
  updated_at timestamptz not null default current_timestamp,
  primary key (organization_id, portal_id, kind)
);

-- Companies and contacts of the portal, as far as matching needs them.
create table crm_companies (
  organization_id integer not null references "organization" ("id") on delete cascade,
  portal_id text not null,
  record_id text not null,
  name text,
  -- Hosts as the record names them, and the registrable domain of each.
  domains text[] not null default '{}',
  registrable_domains text[] not null default '{}',
  -- The listing that saw the record last; what a complete listing did not see is gone.
  listed_at timestamptz not null,
  primary key (organization_id, portal_id, record_id)
);
create index crm_companies_domains_idx on crm_companies using gin (domains);
create index crm_companies_registrable_idx on crm_companies using gin (registrable_domains);

create table crm_contacts (
  organization_id integer not null references "organization" ("id") on delete cascade,
  portal_id text not null,
  record_id text not null,
  emails text[] not null default '{}',
  company_record_ids text[] not null default '{}',
  listed_at timestamptz not null,
  primary key (organization_id, portal_id, record_id)
);
create index crm_contacts_emails_idx on crm_contacts using gin (emails);

-- Which company and contact a customer belongs to. What is decided stays; what is pending waits for a person.
create table matches (
  organization_id integer not null references "organization" ("id") on delete cascade,
  customer_id text not null,
  portal_id text not null,
  state text not null check (state in ('linked', 'pending', 'ignored')),
  company_record_id text,
  company_name text,
  contact_record_id text,
  -- Why: stored_id, contact_email, company_domain, created, person, no_candidate, several_candidates, free_mail, no_email.
  evidence text not null,
  candidates jsonb not null default '[]',
  updated_at timestamptz not null default current_timestamp,
  primary key (organization_id, customer_id)
);
create index matches_pending_idx on matches (organization_id) where state = 'pending';

-- CRM link: our row, their record. Synced means that the CRM confirmed this very hash.
create table crm_links (
  organization_id integer not null references "organization" ("id") on delete cascade,
  portal_id text not null,
  kind text not null check (kind in ('subscription', 'event')),
  source_id text not null,
  record_id text,
  state text not null default 'pending' check (state in ('pending', 'confirmed', 'failed', 'removed')),
  confirmed_hash text,
  -- What the CRM refused last; tried again only when it changed or a person asks.
  refused_hash text,
  error text,
  attempts integer not null default 0,
  -- The run that wrote it last.
  run_id text,
  confirmed_at timestamptz,
  primary key (organization_id, portal_id, kind, source_id)
);

-- An association that the CRM confirmed, kept apart from the record, since it is written apart from it.
create table crm_associations (
  organization_id integer not null references "organization" ("id") on delete cascade,
  portal_id text not null,
  kind text not null check (kind in ('subscription', 'event')),
  source_id text not null,
  target_kind text not null check (target_kind in ('subscription', 'company', 'contact')),
  target_record_id text not null,
  confirmed_at timestamptz not null default current_timestamp,
  primary key (organization_id, portal_id, kind, source_id, target_kind, target_record_id)
);

call isolate_by_organization(
  'crm_objects', 'crm_companies', 'crm_contacts', 'matches', 'crm_links', 'crm_associations');
