-- Customers are filtered by what a subscription of theirs is. Whose these are is read from this index alone, whatever is asked.
drop index subscriptions_segment_idx;
create index subscriptions_segment_idx on subscriptions
  (organization_id, currency, product_name, billing_interval_days, id) include (status, customer_id, quantity);
