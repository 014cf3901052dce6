-- Retention asks how much less customers pay after 1, 3 or 12 months than before them. Kept totals know it for every month:
-- of dimension 'lost', `value` is the number of months and `month` the last of them. A row has by how much that differs from
-- the month before. Of customers with several currencies, a row without one has it in the reporting currency.

-- Subscriptions that began to pay, less those that stopped, of events with a rate: a month for free is no Churn.
alter table movement_totals add column subscription_count bigint not null default 0;

do $$
declare
  named text := current_setting('app.organization_id', true);
  one record;
begin
  for one in select id from organization loop
    -- Row security shows the rows of this organization alone.
    perform set_config('app.organization_id', one.id::text, true);
    continue when not exists (select from payment_mirrors m
                               where m.organization_id = one.id and m.movements_counted_at is not null);
    insert into movement_totals
      (organization_id, dimension, value, month, movement, currency, event_count, change_cents, reporting_cents,
       unconverted_count, unconverted_cents, customer_count, subscription_count)
    select one.id, dimension, value, month, movement, currency, 0, 0, 0, 0, 0, 0, sum(paying_change)
      from (
        select to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD') as day,
               to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM') as month, e.mrr_status as movement, e.currency,
               case when e.reporting_change_cents is null then 0 else
                 (e.current_mrr_cents > 0)::integer - (e.previous_mrr_cents > 0)::integer end as paying_change,
               to_char(min(e.occurred_at) filter (where e.mrr_change_cents > 0) over (partition by e.customer_id)
                       at time zone 'UTC', 'YYYY-MM') as cohort,
               s.id as subscription_id, s.product_name, s.plan_name, s.billing_interval_days, s.size
          from events e
          left join subscriptions s on s.organization_id = e.organization_id and s.id = e.subscription_id
         where e.organization_id = one.id and e.mrr_status <> 'Planned_Cancellation') as moved
     cross join lateral (values
       ('day', day), ('cohort', coalesce(cohort, '')), ('product', coalesce(product_name, '')),
       ('plan', coalesce(plan_name, '')), ('interval', coalesce(billing_interval_days::text, '')),
       ('size', coalesce(size, '')),
       ('segment', case when subscription_id is null then '' else jsonb_build_object(
         'product', product_name, 'plan', plan_name, 'interval', billing_interval_days, 'size', size)::text end))
       as part (dimension, value)
     where paying_change <> 0
     group by dimension, value, month, movement, currency
    having sum(paying_change) <> 0;
    insert into movement_totals
      (organization_id, dimension, value, month, movement, currency, event_count, change_cents, reporting_cents,
       unconverted_count, unconverted_cents, customer_count, subscription_count)
    select one.id, 'lost', months::text, to_char(make_date(at / 12, at % 12 + 1, 1), 'YYYY-MM'), '', part, 0,
           sum(least(own, 0) - least(own - own_moved, 0)),
           sum(least(reporting, 0) - least(reporting - reporting_moved, 0)), 0, 0, 0, 0
      from (
        select part, months, at, own_moved, reporting_moved, sum(own_moved) over net as own,
               sum(reporting_moved) over net as reporting
          from (
            select customer_id, part, months, at + later as at, sum(moved * sign) as own_moved,
                   sum(reported * sign) as reporting_moved
              from (
                select e.customer_id, e.currency, at, sum(e.mrr_change_cents) as change,
                       coalesce(sum(e.reporting_change_cents), 0) as reporting,
                       min(min(e.mrr_change_cents)) over own as least_change,
                       min(e.currency) over own = max(e.currency) over own as is_alone
                  from events e
                 cross join lateral (select e.occurred_at at time zone 'UTC' as utc) as moment
                 cross join lateral (
                   select (extract(year from utc) * 12 + extract(month from utc) - 1)::integer as at) as numbered
                 where e.organization_id = one.id and e.mrr_status <> 'Planned_Cancellation'
                 group by e.customer_id, e.currency, at
                window own as (partition by e.customer_id)) as monthly
             cross join lateral (
               select currency as part, change as moved, case when is_alone then reporting else 0 end as reported
                union all select '', 0, reporting where not is_alone) as parts
             cross join (values (1), (3), (12)) as span (months)
             cross join lateral (values (0, 1), (months, -1)) as passing (later, sign)
             where least_change < 0
             group by customer_id, part, months, at + later) as moved
        window net as (partition by customer_id, part, months order by at)) as nets
     group by months, at, part;
  end loop;
  perform set_config('app.organization_id', coalesce(named, ''), true);
end
$$;
