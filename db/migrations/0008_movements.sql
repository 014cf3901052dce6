-- What movements of MRR come to, so that analytics read few rows at a million events. Writers add their differences in
-- rows that lock nothing, as in list_totals.

create table movement_totals (
  organization_id integer not null references organization (id) on delete cascade,
  -- 'day', 'cohort' (the month in which the customer first paid), or an attribute of the subscription: 'product',
  -- 'plan', 'interval', 'size'.
  dimension text not null,
  number bigint generated always as identity,
  -- The day, the cohort's month, or the attribute; empty where the subscription has none.
  value text not null,
  month text not null,
  movement text not null,
  currency text not null,
  -- Differences: the sums over their rows are the totals.
  event_count bigint not null,
  change_cents bigint not null,
  -- In the reporting currency, and the part of the two above that has no rate.
  reporting_cents bigint not null,
  unconverted_count bigint not null,
  unconverted_cents bigint not null,
  -- Customers that began to pay, less those that stopped.
  customer_count bigint not null,
  primary key (organization_id, dimension, number)
);

call isolate_by_organization('movement_totals');

-- When the totals of movements were first counted; null until then, and nothing is added to them before.
alter table payment_mirrors add column movements_counted_at timestamptz;

-- What segments are made of: the plan in words, and the band of the subscription's highest MRR.
alter table subscriptions add column plan_name text, add column size text;
-- The month of the first event that brought revenue, 'YYYY-MM'.
alter table customers add column first_paid_month text;

