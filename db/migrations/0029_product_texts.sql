-- A search for a part of many product names is summed from the index alone.
drop index events_newest_idx;
create index events_newest_idx on events (organization_id, occurred_at desc, position desc, id)
  include (subscription_id, customer_id, mrr_status, currency, mrr_change_cents, reporting_change_cents, product_name);
