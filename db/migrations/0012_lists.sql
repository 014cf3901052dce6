-- Views of lists that a person saved: a name for a search with filters, columns and order.

create table list_views (
  organization_id integer not null references organization (id) on delete cascade,
  user_id integer not null references "user" (id) on delete cascade,
  -- 'subscriptions' or 'events'.
  list text not null,
  name text not null,
  -- The address of the list behind its '?'.
  query text not null,
  created_at timestamptz not null default current_timestamp,
  primary key (organization_id, user_id, list, name)
);

-- 'Churn' and 'churn' would be taken for one.
create unique index list_views_name_idx on list_views (organization_id, user_id, list, lower(name));

call isolate_by_organization('list_views');

-- The subscriptions of a segment are found first, then their events.
create index subscriptions_segment_idx on subscriptions
  (organization_id, currency, product_name, billing_interval_days, id);

-- Sums of events read what they need from the index that sorts them, and no row with its receipt.
drop index events_newest_idx;
create index events_newest_idx on events (organization_id, occurred_at desc, position desc, id)
  include (subscription_id, customer_id, mrr_status, currency, mrr_change_cents, reporting_change_cents);
