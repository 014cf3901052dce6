-- The customers of a cohort are found first, then their events.
create index customers_cohort_idx on customers (organization_id, first_paid_month, id) where first_paid_month is not null;
