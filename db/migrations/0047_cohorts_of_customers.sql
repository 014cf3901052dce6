-- Kept totals count an event under the month in which its customer first paid. Events without a stored customer are in no
-- cohort, as in lists; until now they were in one of their own.
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
    select one.id, 'cohort', value, month, movement, currency, sum(sign), sum(sign * change_cents),
           coalesce(sum(sign * reporting_cents), 0), coalesce(sum(sign) filter (where reporting_cents is null), 0),
           coalesce(sum(sign * change_cents) filter (where reporting_cents is null), 0),
           sum(sign * ((paying > 0)::integer - (paying - paying_change > 0)::integer)),
           coalesce(sum(sign * paying_change) filter (where reporting_cents is not null), 0)
      from (
        select to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM') as month, e.mrr_status as movement, e.currency,
               e.mrr_change_cents as change_cents, e.reporting_change_cents as reporting_cents,
               (e.current_mrr_cents > 0)::integer - (e.previous_mrr_cents > 0)::integer as paying_change,
               sum((e.current_mrr_cents > 0)::integer - (e.previous_mrr_cents > 0)::integer) over so_far as paying,
               to_char(min(e.occurred_at) filter (where e.mrr_change_cents > 0) over (partition by e.customer_id)
                       at time zone 'UTC', 'YYYY-MM') as cohort
          from events e
         where e.organization_id = one.id and e.mrr_status <> 'Planned_Cancellation'
           and not exists (select from customers c where c.organization_id = e.organization_id and c.id = e.customer_id)
        window so_far as (partition by e.customer_id order by e.occurred_at, e.position, e.id)) as moved
     cross join lateral (values (cohort, -1), ('', 1)) as side (value, sign)
     where cohort is not null
     group by value, month, movement, currency;
  end loop;
  perform set_config('app.organization_id', coalesce(named, ''), true);
end
$$;
