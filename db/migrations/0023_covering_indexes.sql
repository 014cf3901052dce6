-- Sums of the events of many customers read this index alone, and no row with its receipt.
drop index events_customer_idx;
create index events_customer_idx on events (organization_id, customer_id, occurred_at desc, position desc, id)
  include (mrr_status, currency, mrr_change_cents, reporting_change_cents);
-- What filters ask of the customer of a row.
create index customers_filters_idx on customers (organization_id, id) include (is_attached, first_paid_month);

-- Pages in the middle of a list by company, or by MRR far from customers without a company, pass rows without reading them.
drop index subscriptions_customer_idx;
create index subscriptions_customer_idx on subscriptions (organization_id, customer_id, id) include (quantity);
drop index subscriptions_mrr_idx;
create index subscriptions_mrr_idx on subscriptions (organization_id, reporting_mrr_cents, id) include (customer_id)
  where quantity is not null;
