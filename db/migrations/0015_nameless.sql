-- The last page of customers by name begins with those that have none.
create index customers_nameless_idx on customers (organization_id, id) include (is_subscriber, is_attached) where name is null;
