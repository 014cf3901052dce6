-- Customers get a list of their own, with its totals, and a page each.

alter table customers
  -- Whether the customer has a subscription with figures, or had an event. Only such customers are listed.
  add column is_subscriber boolean not null default false,
  -- The time of the first event.
  add column first_paid_at timestamptz;

-- The included columns are what the list filters by, so that far pages are found without reading the rows before.
drop index customers_mrr_idx;
create index customers_mrr_idx on customers (organization_id, reporting_mrr_cents desc, id)
  include (is_subscriber, is_attached);
drop index customers_name_idx;
create index customers_name_idx on customers (organization_id, lower(name), id) include (is_subscriber, is_attached);
create index customers_first_paid_idx on customers (organization_id, first_paid_at, id) include (is_subscriber, is_attached);

-- The totals of 'attached' become those of 'customers': by 'matched' and 'unmatched'.
do $$
declare
  named text := current_setting('app.organization_id', true);
  one record;
begin
  for one in select id from organization loop
    perform set_config('app.organization_id', one.id::text, true);
    update customers c set is_subscriber = true, first_paid_at = found.first_paid_at
      from (select customer_id, min(occurred_at) as first_paid_at
              from (select customer_id, occurred_at from events where organization_id = one.id
                    union all
                    select customer_id, null from subscriptions
                     where organization_id = one.id and quantity is not null) as rows
             group by customer_id) as found
     where c.organization_id = one.id and c.id = found.customer_id;
    delete from list_totals where organization_id = one.id and list = 'attached';
    insert into list_totals (organization_id, list, status, part, row_count, earning_count, mrr_cents, reporting_cents,
                             unconverted_cents)
    select one.id, 'customers', case when is_attached then 'matched' else 'unmatched' end, part, count(*), 0, sum(cents),
           sum(reporting), sum(unconverted)
      from customers c
     cross join lateral (
        select key as part, value::bigint as cents, 0::bigint as reporting,
               coalesce((c.unconverted_by_currency ->> key)::bigint, 0) as unconverted
          from jsonb_each_text(c.mrr_by_currency)
        union all
        select '', 0, c.reporting_mrr_cents, 0) as added
     where c.organization_id = one.id and c.is_subscriber
     group by is_attached, part;
  end loop;
  perform set_config('app.organization_id', coalesce(named, ''), true);
end
$$;

-- Must agree with the counting in src/server/store/totals, apart from which it is the only writer of totals.
create or replace function name_companies(of_organization integer, ids text[])
returns void language plpgsql as $$
begin
  with due as (
    select c.organization_id, c.id, left(m.company_name, 500) as company_name,
           m.company_record_id is not null as is_attached, c.is_attached as was_attached
      from customers c
      left join matches m on m.organization_id = c.organization_id and m.customer_id = c.id
                         and m.state = 'linked' and m.portal_id = current_portal(of_organization)
     where c.organization_id = of_organization and (ids is null or c.id = any(ids))
       and (c.company_name is distinct from left(m.company_name, 500)
            or c.is_attached <> (m.company_record_id is not null))
     order by c.id for update of c),
  named as (
    update customers set company_name = due.company_name, is_attached = due.is_attached
      from due
     where customers.organization_id = due.organization_id and customers.id = due.id
    returning due.was_attached, customers.is_attached, customers.is_subscriber, customers.mrr_by_currency,
              customers.reporting_mrr_cents, customers.unconverted_by_currency)
  insert into list_totals (organization_id, list, status, part, row_count, earning_count, mrr_cents, reporting_cents,
                           unconverted_cents)
  select of_organization, 'customers', status, part, sum(one), 0, sum(one * cents), sum(one * reporting),
         sum(one * unconverted)
    from named
   cross join lateral (values (case when was_attached then 'matched' else 'unmatched' end, -1),
                              (case when is_attached then 'matched' else 'unmatched' end, 1)) as moved (status, one)
   cross join lateral (
      select key as part, value::bigint as cents, 0::bigint as reporting,
             coalesce((unconverted_by_currency ->> key)::bigint, 0) as unconverted
        from jsonb_each_text(mrr_by_currency)
      union all
      select '', 0, reporting_mrr_cents, 0) as added
   where is_subscriber
   group by status, part
  having sum(one) <> 0 or sum(one * cents) <> 0 or sum(one * reporting) <> 0 or sum(one * unconverted) <> 0;
end
$$;
