-- By which version of the rules, which are code, and by which revision of the policy, which is a choice, the whole ledger was
-- rebuilt last. What is there already was counted by rules that nobody noted: 0, which is behind every version. A worker
-- of an earlier release that begins an import leaves 0 as well.
alter table payment_mirrors
  add column rule_book_version integer not null default 0,
  add column policy_revision integer not null default 0;

alter table runs
  drop constraint runs_kind_check,
  add constraint runs_kind_check check (kind in ('import', 'push', 'recount'));

-- A rebuild of everything under other rules or another policy, and what it changed. Kept for good.
create table recounts (
  organization_id integer not null references "organization" ("id") on delete cascade,
  id bigint not null generated always as identity,
  from_rules integer not null,
  to_rules integer not null,
  from_policy integer not null,
  to_policy integer not null,
  started_at timestamptz not null,
  -- Null while customers are still being rebuilt; until then whoever rebuilds one notes what changed.
  completed_at timestamptz,
  -- Current MRR by currency, in its minor units.
  mrr_before jsonb not null,
  mrr_after jsonb,
  -- How much has other figures, of records also how many stand in the CRM or come to.
  month_count integer not null default 0,
  customer_count integer not null default 0,
  record_count integer not null default 0,
  crm_record_count integer not null default 0,
  -- When an owner or admin has read it, and who.
  read_at timestamptz,
  read_by text,
  primary key (organization_id, id)
);
create unique index recounts_one_open_idx on recounts (organization_id) where completed_at is null;
create index recounts_newest_idx on recounts (organization_id, started_at desc, id desc);

-- The MRR of each 1st. Those that did not change are gone once the recount is complete.
create table recount_months (
  organization_id integer not null,
  recount_id bigint not null,
  month text not null,
  currency text not null,
  mrr_before_cents bigint not null default 0,
  mrr_after_cents bigint not null default 0,
  subscriptions_before integer not null default 0,
  subscriptions_after integer not null default 0,
  primary key (organization_id, recount_id, month, currency),
  foreign key (organization_id, recount_id) references recounts (organization_id, id) on delete cascade
);

create table recount_customers (
  organization_id integer not null,
  recount_id bigint not null,
  customer_id text not null,
  currency text not null,
  mrr_before_cents bigint not null,
  mrr_after_cents bigint not null,
  -- Counted once the recount is complete.
  event_count integer not null default 0,
  primary key (organization_id, recount_id, customer_id, currency),
  foreign key (organization_id, recount_id) references recounts (organization_id, id) on delete cascade
);
create index recount_customers_largest_idx on recount_customers
  (organization_id, recount_id, abs(mrr_after_cents - mrr_before_cents) desc, customer_id, currency);

-- Subscriptions and events whose figures changed, by the fields of their records in the CRM.
create table recount_records (
  organization_id integer not null,
  recount_id bigint not null,
  kind text not null check (kind in ('subscription', 'event')),
  source_id text not null,
  customer_id text not null,
  currency text not null,
  -- Without a name of a person: 'Upgrade +10.00 USD · 2026-05-01', or the product.
  label text not null,
  -- The values that changed; null where there was no such event before, or is none after.
  before jsonb,
  after jsonb,
  -- Whether the record stood in the CRM, or, of a new event, that of its subscription did.
  is_in_crm boolean not null,
  primary key (organization_id, recount_id, kind, source_id),
  foreign key (organization_id, recount_id) references recounts (organization_id, id) on delete cascade
);
create index recount_records_customer_idx on recount_records
  (organization_id, recount_id, customer_id, kind desc, source_id);

call isolate_by_organization('recounts', 'recount_months', 'recount_customers', 'recount_records');
