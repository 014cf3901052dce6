-- Which account the tables below were read from, and how far; outlives the connection.
create table payment_mirrors (
  organization_id integer primary key references "organization" ("id") on delete cascade,
  account_id text,
  is_live boolean not null,
  -- Start of the last import that ended well, by our clock; null until the history is complete.
  refreshed_at timestamptz,
  -- The provider's newest event at that start, by its clock: changes up to it are in the tables.
  events_until timestamptz
);

-- What is kept of the payment provider's objects: the fields that rules, receipts and screens read.
create table customers (
  organization_id integer not null references "organization" ("id") on delete cascade,
  id text not null,
  name text,
  email text,
  -- Host of the e-mail, lower case and in punycode; null without a usable address.
  domain text,
  is_deleted boolean not null default false,
  payment_method jsonb,
  created_at timestamptz not null,
  -- Set by whatever changes an object of the customer, cleared by the rebuild.
  is_rebuild_due boolean not null default true,
  primary key (organization_id, id)
);
create index customers_rebuild_due_idx on customers (organization_id, id) where is_rebuild_due;

create table products (
  organization_id integer not null references "organization" ("id") on delete cascade,
  id text not null,
  name text not null,
  is_active boolean not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);

create table prices (
  organization_id integer not null references "organization" ("id") on delete cascade,
  id text not null,
  product_id text,
  body jsonb not null,
  primary key (organization_id, id)
);

create table coupons (
  organization_id integer not null references "organization" ("id") on delete cascade,
  id text not null,
  body jsonb not null,
  primary key (organization_id, id)
);

create table subscriptions (
  organization_id integer not null references "organization" ("id") on delete cascade,
  id text not null,
  customer_id text not null,
  status text not null,
  body jsonb not null,
  created_at timestamptz not null,
  -- From here on what the rebuild makes of it.
  current_mrr_cents bigint not null default 0,
  currency text not null,
  quantity integer,
  product_name text,
  billing_interval_days integer,
  current_period_start timestamptz,
  current_period_end timestamptz,
  next_renewal_on date,
  unsupported_reason text,
  receipt jsonb,
  updated_at timestamptz not null default current_timestamp,
  primary key (organization_id, id)
);
create index subscriptions_customer_idx on subscriptions (organization_id, customer_id);
create index subscriptions_updated_idx on subscriptions (organization_id, updated_at desc, id);
create index subscriptions_renewal_idx on subscriptions (organization_id, next_renewal_on, id)
  where next_renewal_on is not null;

create table invoices (
  organization_id integer not null references "organization" ("id") on delete cascade,
  id text not null,
  customer_id text,
  subscription_id text,
  status text,
  billing_reason text,
  currency text not null,
  number text,
  customer_name text,
  customer_email text,
  total_discount_cents bigint not null,
  discounts jsonb,
  lines jsonb not null,
  created_at timestamptz not null,
  finalized_at timestamptz,
  uncollectible_at timestamptz,
  primary key (organization_id, id)
);
create index invoices_customer_idx on invoices (organization_id, customer_id);

create table invoice_payments (
  organization_id integer not null references "organization" ("id") on delete cascade,
  id text not null,
  invoice_id text not null,
  payment_method jsonb,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create index invoice_payments_invoice_idx on invoice_payments (organization_id, invoice_id);

call isolate_by_organization(
  'payment_mirrors', 'customers', 'products', 'prices', 'coupons', 'subscriptions', 'invoices', 'invoice_payments');
