-- Subscriptions of some days are found without reading all.
create index subscriptions_created_idx on subscriptions (organization_id, created_at, id) where quantity is not null;
