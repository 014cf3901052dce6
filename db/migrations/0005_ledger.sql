-- The ledger: one row for one change of MRR. The id comes from (subscription, cause, kind), so a rebuild finds it again.
create table events (
  organization_id integer not null references "organization" ("id") on delete cascade,
  id text not null,
  subscription_id text not null,
  customer_id text,
  invoice_id text,
  occurred_at timestamptz not null,
  -- Order of events at the same instant.
  position integer not null,
  mrr_status text not null,
  change_type text not null,
  previous_mrr_cents bigint not null,
  current_mrr_cents bigint not null,
  mrr_change_cents bigint not null check (mrr_change_cents = current_mrr_cents - previous_mrr_cents),
  previous_quantity integer not null,
  current_quantity integer not null,
  currency text not null,
  product_name text,
  payment_method text,
  receipt jsonb,
  updated_at timestamptz not null default current_timestamp,
  primary key (organization_id, id)
);
create index events_newest_idx on events (organization_id, occurred_at desc, position desc, id);
create index events_status_idx on events (organization_id, mrr_status, occurred_at desc, position desc, id);
create index events_subscription_idx on events (organization_id, subscription_id, occurred_at desc, position desc);
create index events_customer_idx on events (organization_id, customer_id);

create table snapshots (
  organization_id integer not null references "organization" ("id") on delete cascade,
  month text not null,
  currency text not null,
  mrr_cents bigint not null,
  active_subscriptions integer not null,
  captured_at timestamptz not null default current_timestamp,
  primary key (organization_id, month, currency)
);

call isolate_by_organization('events', 'snapshots');
