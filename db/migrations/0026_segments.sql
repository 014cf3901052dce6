-- Sums of events by several filters come from kept totals too: those of dimension 'segment' hold all attributes of the
-- subscription at once, as a JSON object with 'product', 'plan', 'interval' and 'size'; empty without a subscription.

do $$
declare
  named text := current_setting('app.organization_id', true);
  one record;
begin
  for one in select id from organization loop
    perform set_config('app.organization_id', one.id::text, true);
    insert into movement_totals
      (organization_id, dimension, value, month, movement, currency, event_count, change_cents, reporting_cents,
       unconverted_count, unconverted_cents, customer_count)
    select one.id, 'segment', value, month, movement, currency, count(*), sum(change_cents),
           coalesce(sum(reporting_cents), 0), count(*) filter (where reporting_cents is null),
           coalesce(sum(change_cents) filter (where reporting_cents is null), 0),
           sum((paying > 0)::integer - (paying - paying_change > 0)::integer)
      from (
        select to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM') as month, e.mrr_status as movement, e.currency,
               e.mrr_change_cents as change_cents, e.reporting_change_cents as reporting_cents,
               (e.current_mrr_cents > 0)::integer - (e.previous_mrr_cents > 0)::integer as paying_change,
               sum((e.current_mrr_cents > 0)::integer - (e.previous_mrr_cents > 0)::integer) over so_far as paying,
               case when s.id is null then '' else jsonb_build_object(
                 'product', s.product_name, 'plan', s.plan_name, 'interval', s.billing_interval_days,
                 'size', s.size)::text end as value
          from events e
          left join subscriptions s on s.organization_id = e.organization_id and s.id = e.subscription_id
         where e.organization_id = one.id and e.mrr_status <> 'Planned_Cancellation'
           and exists (select from payment_mirrors m
                        where m.organization_id = e.organization_id and m.movements_counted_at is not null)
        window so_far as (partition by e.customer_id order by e.occurred_at, e.position, e.id)) as moved
     group by value, month, movement, currency;
  end loop;
  perform set_config('app.organization_id', coalesce(named, ''), true);
end
$$;

-- Filters by what a subscription is ask for it, so that these sums too read no row of an event.
drop index events_customer_idx;
create index events_customer_idx on events (organization_id, customer_id, occurred_at desc, position desc, id)
  include (subscription_id, mrr_status, currency, mrr_change_cents, reporting_change_cents);
