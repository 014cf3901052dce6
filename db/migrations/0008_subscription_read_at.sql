-- When the provider was asked for what is kept of a subscription, by our clock: an invoice made after it may tell of a
-- change that is not in it yet.
alter table subscriptions add column read_at timestamptz not null default current_timestamp;
