-- The last page of subscriptions by the customer's email begins with customers that have none.
create index customers_without_email_idx on customers (organization_id, id) where email is null;
