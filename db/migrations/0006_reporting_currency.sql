-- Totals are in one currency, the reporting currency of the organization. Rows keep their own currency, and carry the
-- converted amount beside it: null where no rate is known. Amounts without a rate are totals of their own, never added.

alter table organization_settings
  -- Lower-case ISO 4217. Until a completed import decides, the currency of most subscriptions so far; null without any.
  add column reporting_currency text,
  add column is_reporting_decided boolean not null default false,
  -- 'booked': each change at the rate of its day. 'revalued': levels at the rate of the day they are looked at.
  add column conversion_method text not null default 'booked' check (conversion_method in ('booked', 'revalued'));

-- Minor units of the reporting currency, rounded once: totals of movements are sums of these.
alter table events add column reporting_change_cents bigint;
alter table subscriptions add column reporting_mrr_cents bigint;

alter table customers rename column usd_mrr_cents to reporting_mrr_cents;
-- The part of `mrr_by_currency` that has no rate.
alter table customers add column unconverted_by_currency jsonb not null default '{}';

alter table list_totals
  add column reporting_cents bigint not null default 0,
  -- What has no rate, in the currency of the part, and how many subscriptions earn it.
  add column unconverted_cents bigint not null default 0,
  add column unconverted_count bigint not null default 0;

alter table snapshots
  add column reporting_cents bigint not null default 0,
  add column unconverted_cents bigint not null default 0,
  add column unconverted_subscriptions integer not null default 0;

drop index subscriptions_mrr_idx;
create index subscriptions_mrr_idx on subscriptions (organization_id, reporting_mrr_cents, id)
  where quantity is not null;

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
    returning due.was_attached, customers.is_attached, customers.mrr_by_currency, customers.reporting_mrr_cents,
              customers.unconverted_by_currency)
  insert into list_totals (organization_id, list, status, part, row_count, earning_count, mrr_cents, reporting_cents,
                           unconverted_cents)
  select of_organization, 'attached', '', part, sum(one), 0, sum(one * cents), sum(one * reporting),
         sum(one * unconverted)
    from (select *, is_attached::integer - was_attached::integer as one from named) as changed
   cross join lateral (
      select key as part, value::bigint as cents, 0::bigint as reporting,
             coalesce((unconverted_by_currency ->> key)::bigint, 0) as unconverted
        from jsonb_each_text(mrr_by_currency)
      union all
      select '', 0, reporting_mrr_cents, 0 where reporting_mrr_cents <> 0) as added
   where one <> 0 group by part
  having sum(one) <> 0 or sum(one * cents) <> 0 or sum(one * reporting) <> 0 or sum(one * unconverted) <> 0;
end
$$;

-- Before, totals were in US dollars. Now they are in the currency that most MRR is in. Without rates that can only be
-- guessed: amounts are compared as if a unit of each currency were worth a power of ten.
do $$
declare
  named text := current_setting('app.organization_id', true);
  one record;
  chosen text;
begin
  for one in select id from organization loop
    perform set_config('app.organization_id', one.id::text, true);
    select part into chosen from list_totals
      left join (values ('czk', 3), ('dkk', 3), ('hkd', 3), ('mxn', 3), ('nok', 3), ('sek', 3), ('uah', 3), ('try', 3),
                        ('zar', 3), ('cny', 3), ('xof', 1), ('xaf', 1), ('thb', 3), ('twd', 3), ('huf', 4), ('inr', 4),
                        ('isk', 4), ('jpy', 2), ('kes', 4), ('php', 4), ('rub', 4), ('ars', 5), ('clp', 3), ('cop', 5),
                        ('krw', 3), ('ngn', 5), ('ugx', 3), ('idr', 6), ('pyg', 4), ('vnd', 4), ('clf', 0), ('bif', 0),
                        ('djf', 0), ('gnf', 0), ('kmf', 0), ('mga', 0), ('rwf', 0), ('vuv', 0), ('xpf', 0), ('bhd', 3),
                        ('jod', 3), ('kwd', 3), ('omr', 3), ('tnd', 3)) as sizes (currency, digits) on currency = part
     where organization_id = one.id and list = 'subscriptions'
     group by part having sum(mrr_cents) > 0
     order by sum(mrr_cents) / power(10::numeric, coalesce(min(digits), 2)) desc, part limit 1;
    update organization_settings set reporting_currency = chosen, is_reporting_decided = true
     where organization_id = one.id and chosen is not null;

    update events set reporting_change_cents = mrr_change_cents
     where organization_id = one.id and (currency = chosen or mrr_change_cents = 0);
    update subscriptions set reporting_mrr_cents = current_mrr_cents
     where organization_id = one.id and (currency = chosen or current_mrr_cents = 0);
    update customers set reporting_mrr_cents = coalesce((mrr_by_currency ->> chosen)::bigint, 0),
                         unconverted_by_currency = mrr_by_currency - coalesce(chosen, '')
     where organization_id = one.id
       and (reporting_mrr_cents <> coalesce((mrr_by_currency ->> chosen)::bigint, 0)
            or unconverted_by_currency <> mrr_by_currency - coalesce(chosen, ''));
    update snapshots set
      reporting_cents = case when currency = chosen then mrr_cents else 0 end,
      unconverted_cents = case when currency is distinct from chosen then mrr_cents else 0 end,
      unconverted_subscriptions = case when currency is distinct from chosen then active_subscriptions else 0 end
     where organization_id = one.id;
    update list_totals set
      reporting_cents = case when part = chosen then mrr_cents else 0 end,
      unconverted_cents = case when part is distinct from chosen then mrr_cents else 0 end,
      unconverted_count = case when part is distinct from chosen then earning_count else 0 end
     where organization_id = one.id and list = 'subscriptions';
    update list_totals set unconverted_cents = mrr_cents
     where organization_id = one.id and list = 'attached' and part is distinct from chosen;
    insert into list_totals (organization_id, list, status, part, row_count, earning_count, mrr_cents, reporting_cents)
    select one.id, 'attached', '', '', count(*), 0, 0, sum(reporting_mrr_cents) from customers
     where organization_id = one.id and is_attached and reporting_mrr_cents <> 0 having count(*) > 0;
  end loop;
  perform set_config('app.organization_id', coalesce(named, ''), true);
end
$$;
