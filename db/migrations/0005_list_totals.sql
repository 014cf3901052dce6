-- One table keeps what lists have and come to. The statements that write rows add their differences to it, in place of
-- triggers on every statement. And a search reads the texts of all customers, since that takes ten milliseconds for 100,000.

create table list_totals (
  organization_id integer not null references organization (id) on delete cascade,
  -- 'events', 'subscriptions', 'matches', or 'attached': customers of a company.
  list text not null,
  -- The status of an event or subscription, or the state of a match; else empty.
  status text not null,
  -- The currency of a subscription or of attached MRR, or the portal of a match; else empty.
  part text not null,
  number bigint generated always as identity,
  -- Differences: the sums over their rows are the totals.
  row_count bigint not null,
  earning_count bigint not null,
  mrr_cents bigint not null,
  primary key (organization_id, list, status, part, number)
);

call isolate_by_organization('list_totals');

do $$
declare
  named text := current_setting('app.organization_id', true);
  one record;
begin
  for one in select id from organization loop
    perform set_config('app.organization_id', one.id::text, true);
    insert into list_totals (organization_id, list, status, part, row_count, earning_count, mrr_cents)
      select organization_id, 'events', mrr_status, '', sum(difference), 0, 0
        from event_counts where organization_id = one.id group by organization_id, mrr_status
      union all
      select organization_id, 'subscriptions', status, currency, sum(subscriptions), sum(earning), sum(mrr_cents)
        from subscription_totals where organization_id = one.id group by organization_id, status, currency
      union all
      select organization_id, 'matches', state, portal_id, sum(difference), 0, 0
        from match_counts where organization_id = one.id group by organization_id, state, portal_id
      union all
      select c.organization_id, 'attached', '', key, count(*), 0, sum(value::bigint)
        from customers c, jsonb_each_text(mrr_by_currency)
       where c.organization_id = one.id and is_attached group by c.organization_id, key;
  end loop;
  perform set_config('app.organization_id', coalesce(named, ''), true);
end
$$;

drop trigger events_added on events;
drop trigger events_changed on events;
drop trigger events_removed on events;
drop trigger totals_added on subscriptions;
drop trigger totals_changed on subscriptions;
drop trigger totals_removed on subscriptions;
drop trigger counts_added on matches;
drop trigger counts_changed on matches;
drop trigger counts_removed on matches;
drop trigger attached_added on customers;
drop trigger attached_changed on customers;
drop trigger attached_removed on customers;
drop function count_added_events, count_changed_events, count_removed_events, total_subscriptions, count_matches,
  total_attached;
drop table event_counts, subscription_totals, match_counts, attached_totals;

drop table customer_text_grams;
alter table customer_texts drop column is_packed;

-- Writes the names of companies into customers, so that lists of customers sort and search by them without a join. MRR
-- that gets a company, or loses it, is added to the totals as in src/server/store/totals.
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
    returning due.was_attached, customers.is_attached, customers.mrr_by_currency)
  insert into list_totals (organization_id, list, status, part, row_count, earning_count, mrr_cents)
  select of_organization, 'attached', '', key, sum(one), 0, sum(one * value::bigint)
    from (select mrr_by_currency, is_attached::integer - was_attached::integer as one from named) as changed,
         jsonb_each_text(mrr_by_currency)
   where one <> 0 group by key having sum(one) <> 0 or sum(one * value::bigint) <> 0;
end
$$;
