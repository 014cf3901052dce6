-- Events are filtered by the change of MRR. Such a page, and its sum, are read from the index alone.
create index events_change_idx on events (organization_id, reporting_change_cents, id)
  include (mrr_status, currency, mrr_change_cents);

-- The MRR of subscriptions is summed from the index alone, also of those that a search for a customer or product finds.
drop index subscriptions_mrr_idx;
create index subscriptions_mrr_idx on subscriptions (organization_id, reporting_mrr_cents, id)
  include (customer_id, product_name, currency, current_mrr_cents) where quantity is not null;

-- A record of which the CRM refused a tie is told as failing.
create index crm_associations_failed_idx on crm_associations (organization_id, portal_id, kind, source_id) where state = 'failed';
