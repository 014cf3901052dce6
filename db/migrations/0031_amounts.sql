-- Events are filtered by the change of MRR. Such a page, and its sum, are read from the index alone.
create index events_change_idx on events (organization_id, reporting_change_cents, id)
  include (mrr_status, currency, mrr_change_cents);
