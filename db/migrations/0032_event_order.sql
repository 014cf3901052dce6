-- Events are sorted by their change of MRR, those of the same change newest first.
drop index events_change_idx;
create index events_change_idx on events (organization_id, reporting_change_cents desc, occurred_at desc, position desc, id)
  include (subscription_id, customer_id, mrr_status, currency, mrr_change_cents, product_name);
