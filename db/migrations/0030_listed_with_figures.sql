-- A subscription is listed and counted once its figures have been worked out: until then it stands in no index of a list,
-- so that a first import puts each into those once instead of twice.
drop index subscriptions_interval_idx;
drop index subscriptions_mrr_idx;
drop index subscriptions_period_end_idx;
drop index subscriptions_period_start_idx;
drop index subscriptions_product_idx;
drop index subscriptions_product_order_idx;
drop index subscriptions_quantity_idx;
drop index subscriptions_status_idx;
drop index subscriptions_updated_idx;
create index subscriptions_interval_idx on subscriptions (organization_id, billing_interval_days, id)
  where quantity is not null;
create index subscriptions_mrr_idx on subscriptions (organization_id, current_mrr_cents, id)
  where quantity is not null;
create index subscriptions_period_end_idx on subscriptions (organization_id, current_period_end, id)
  where quantity is not null;
create index subscriptions_period_start_idx on subscriptions (organization_id, current_period_start, id)
  where quantity is not null;
create index subscriptions_product_idx on subscriptions (organization_id, product_name) where product_name is not null;
create index subscriptions_product_order_idx on subscriptions (organization_id, lower(product_name), id)
  where quantity is not null;
create index subscriptions_quantity_idx on subscriptions (organization_id, quantity, id) where quantity is not null;
create index subscriptions_status_idx on subscriptions (organization_id, status, updated_at desc, id)
  where quantity is not null;
create index subscriptions_updated_idx on subscriptions (organization_id, updated_at desc, id)
  where quantity is not null;

-- The current figures are worked out before there is a history: what has ended takes no part in them.
drop index subscriptions_without_figures_idx;
create index subscriptions_without_figures_idx on subscriptions (organization_id, customer_id)
  where quantity is null and status not in ('canceled', 'incomplete_expired');

create or replace function total_subscriptions() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into subscription_totals (organization_id, status, currency, subscriptions, earning, mrr_cents)
    select organization_id, status, currency, count(*), count(*) filter (where current_mrr_cents > 0),
           coalesce(sum(current_mrr_cents) filter (where current_mrr_cents > 0), 0)
      from added where quantity is not null group by organization_id, status, currency;
  elsif tg_op = 'DELETE' then
    -- With the organization itself its totals go too.
    insert into subscription_totals (organization_id, status, currency, subscriptions, earning, mrr_cents)
    select organization_id, status, currency, -count(*), -count(*) filter (where current_mrr_cents > 0),
           -coalesce(sum(current_mrr_cents) filter (where current_mrr_cents > 0), 0)
      from removed where quantity is not null and exists (select from "organization" as known where known.id = organization_id)
     group by organization_id, status, currency;
  else
    insert into subscription_totals (organization_id, status, currency, subscriptions, earning, mrr_cents)
    select organization_id, status, currency, sum(one), coalesce(sum(one) filter (where current_mrr_cents > 0), 0),
           coalesce(sum(one * current_mrr_cents) filter (where current_mrr_cents > 0), 0)
      from (select organization_id, status, currency, current_mrr_cents, 1 as one from added where quantity is not null
            union all
            select organization_id, status, currency, current_mrr_cents, -1 from removed where quantity is not null
           ) as both_sides
     group by organization_id, status, currency
    having sum(one) <> 0 or sum(one) filter (where current_mrr_cents > 0) <> 0
        or sum(one * current_mrr_cents) filter (where current_mrr_cents > 0) <> 0;
  end if;
  return null;
end
$$;

do $$
declare
  known integer;
begin
  for known in select id from "organization" loop
    perform set_config('app.organization_id', known::text, true);
    -- Those that name no customer have no rebuild that would count them.
    update subscriptions set quantity = 0 where organization_id = known and customer_id = '' and quantity is null;
    delete from subscription_totals where organization_id = known;
    insert into subscription_totals (organization_id, status, currency, subscriptions, earning, mrr_cents)
    select organization_id, status, currency, count(*), count(*) filter (where current_mrr_cents > 0),
           coalesce(sum(current_mrr_cents) filter (where current_mrr_cents > 0), 0)
      from subscriptions where organization_id = known and quantity is not null
     group by organization_id, status, currency;
  end loop;
end
$$;
