-- While a first import reads its lists, figures are computed every second for the subscriptions that have none yet.
create index subscriptions_without_figures_idx on subscriptions (organization_id, customer_id) where quantity is null;
