-- Whose the subscriptions of a status are is read from this index alone, where lists are filtered by status and customer.
drop index subscriptions_status_idx;
create index subscriptions_status_idx on subscriptions (organization_id, status, updated_at desc, id)
  include (customer_id) where quantity is not null;
