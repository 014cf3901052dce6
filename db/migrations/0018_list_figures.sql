-- What lists and dashboards of a large organization would otherwise go through every row for, on each call: what is found
-- by a text, how many there are, what they come to.

-- What customers are searched by. Where the address is on the domain, the domain is in it already.
drop index customers_text_idx;
alter table customers drop column search_text;
alter table customers add column search_text text not null generated always as (
  lower(coalesce(name, '') || chr(10) || coalesce(email, '') || chr(10) || coalesce(company_name, '')
        || case when domain is null or right(lower(email), length(domain)) = lower(domain) then ''
                else chr(10) || domain end)) stored;

-- The texts of many customers in one row each, since a text is found in one long text far faster than in many short ones.
-- Writers only add rows; what a customer was called before stays until all is packed anew, so that whoever is found here
-- has to be looked at. `texts` has one line per id, apart by chr(30).
create table customer_texts (
  organization_id integer not null references "organization" ("id") on delete cascade,
  number bigint not null generated always as identity,
  ids text[] not null,
  texts text not null,
  primary key (organization_id, number)
);
call isolate_by_organization('customer_texts');
-- A row is about a third of a page long and is read by every search: it stays in its place as it is.
alter table customer_texts set (toast_tuple_target = 8160);
alter table customer_texts alter column texts set storage external;
alter table customer_texts alter column ids set storage external;

-- Adds the texts of customers: of all of the organization where no ids are given.
create function add_customer_texts(of_organization integer, of_ids text[]) returns void language plpgsql as $$
begin
  insert into customer_texts (organization_id, ids, texts)
  select of_organization, array_agg(id order by id), string_agg(line, chr(30) order by id)
    from (select id, line, sum(octet_length(id) + octet_length(line) + 12) over (order by id) / 2600 as part
            from (select c.id, translate(c.search_text, chr(30), ' ') as line from customers c
                   where c.organization_id = of_organization and (of_ids is null or c.id = any(of_ids))
                     and btrim(c.search_text, chr(10)) <> '') as named) as parts
   group by part;
end
$$;

-- Packs the texts of all customers anew, without what they were called before.
create function repack_customer_texts(of_organization integer) returns void language plpgsql as $$
begin
  delete from customer_texts where organization_id = of_organization;
  perform add_customer_texts(of_organization, null);
end
$$;

create function keep_customer_texts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_customer_texts(organization_id, array_agg(id)) from added group by organization_id;
  else
    perform add_customer_texts(organization_id, array_agg(id))
       from (select organization_id, id
               from (select organization_id, id, search_text, 1 as difference from added
                     union all select organization_id, id, search_text, -1 from removed) as both_sides
              group by organization_id, id, search_text having sum(difference) > 0) as changed
      group by organization_id;
  end if;
  return null;
end
$$;
create trigger texts_added after insert on customers
  referencing new table as added for each statement execute function keep_customer_texts();
create trigger texts_changed after update on customers
  referencing old table as removed new table as added for each statement execute function keep_customer_texts();

-- How many subscriptions there are and what they come to: the sums of its rows, as in event_counts.
create table subscription_totals (
  organization_id integer not null references "organization" ("id") on delete cascade,
  status text not null,
  currency text not null,
  number bigint not null generated always as identity,
  subscriptions bigint not null,
  -- Those with an MRR above zero, and what it comes to.
  earning bigint not null,
  mrr_cents bigint not null,
  primary key (organization_id, status, currency, number)
);
call isolate_by_organization('subscription_totals');

create function total_subscriptions() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into subscription_totals (organization_id, status, currency, subscriptions, earning, mrr_cents)
    select organization_id, status, currency, count(*), count(*) filter (where current_mrr_cents > 0),
           coalesce(sum(current_mrr_cents) filter (where current_mrr_cents > 0), 0)
      from added group by organization_id, status, currency;
  elsif tg_op = 'DELETE' then
    -- With the organization itself its totals go too.
    insert into subscription_totals (organization_id, status, currency, subscriptions, earning, mrr_cents)
    select organization_id, status, currency, -count(*), -count(*) filter (where current_mrr_cents > 0),
           -coalesce(sum(current_mrr_cents) filter (where current_mrr_cents > 0), 0)
      from removed where exists (select from "organization" as known where known.id = organization_id)
     group by organization_id, status, currency;
  else
    insert into subscription_totals (organization_id, status, currency, subscriptions, earning, mrr_cents)
    select organization_id, status, currency, sum(one), coalesce(sum(one) filter (where current_mrr_cents > 0), 0),
           coalesce(sum(one * current_mrr_cents) filter (where current_mrr_cents > 0), 0)
      from (select organization_id, status, currency, current_mrr_cents, 1 as one from added
            union all select organization_id, status, currency, current_mrr_cents, -1 from removed) as both_sides
     group by organization_id, status, currency
    having sum(one) <> 0 or sum(one) filter (where current_mrr_cents > 0) <> 0
        or sum(one * current_mrr_cents) filter (where current_mrr_cents > 0) <> 0;
  end if;
  return null;
end
$$;
create trigger totals_added after insert on subscriptions
  referencing new table as added for each statement execute function total_subscriptions();
create trigger totals_removed after delete on subscriptions
  referencing old table as removed for each statement execute function total_subscriptions();
create trigger totals_changed after update on subscriptions
  referencing old table as removed new table as added for each statement execute function total_subscriptions();

-- How many customers are in each state of the review, the same way.
create table match_counts (
  organization_id integer not null references "organization" ("id") on delete cascade,
  portal_id text not null,
  state text not null,
  number bigint not null generated always as identity,
  difference bigint not null,
  primary key (organization_id, portal_id, state, number)
);
call isolate_by_organization('match_counts');

create function count_matches() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into match_counts (organization_id, portal_id, state, difference)
    select organization_id, portal_id, state, count(*) from added group by organization_id, portal_id, state;
  elsif tg_op = 'DELETE' then
    insert into match_counts (organization_id, portal_id, state, difference)
    select organization_id, portal_id, state, -count(*) from removed
     where exists (select from "organization" as known where known.id = organization_id)
     group by organization_id, portal_id, state;
  else
    insert into match_counts (organization_id, portal_id, state, difference)
    select organization_id, portal_id, state, sum(difference)
      from (select organization_id, portal_id, state, 1 as difference from added
            union all select organization_id, portal_id, state, -1 from removed) as both_sides
     group by organization_id, portal_id, state having sum(difference) <> 0;
  end if;
  return null;
end
$$;
create trigger counts_added after insert on matches
  referencing new table as added for each statement execute function count_matches();
create trigger counts_removed after delete on matches
  referencing old table as removed for each statement execute function count_matches();
create trigger counts_changed after update on matches
  referencing old table as removed new table as added for each statement execute function count_matches();

-- The newest of a customer or product are read off an index, with all that a page of found events is chosen by.
drop index events_customer_idx;
create index events_customer_idx on events (organization_id, customer_id, occurred_at desc, position desc, id)
  include (mrr_status);
drop index events_product_idx;
create index events_product_idx on events (organization_id, product_name, occurred_at desc, position desc, id)
  include (mrr_status);

-- Every order of the list of subscriptions has its index.
drop index subscriptions_terms_idx;
create index subscriptions_quantity_idx on subscriptions (organization_id, quantity, id);
create index subscriptions_interval_idx on subscriptions (organization_id, billing_interval_days, id);
create index subscriptions_period_start_idx on subscriptions (organization_id, current_period_start, id);
create index subscriptions_period_end_idx on subscriptions (organization_id, current_period_end, id);

-- What is there already, organization by organization, since the owner sees no more at a time than anybody.
do $$
declare
  known integer;
begin
  for known in select id from "organization" loop
    perform set_config('app.organization_id', known::text, true);
    perform add_customer_texts(known, null);
    insert into subscription_totals (organization_id, status, currency, subscriptions, earning, mrr_cents)
    select organization_id, status, currency, count(*), count(*) filter (where current_mrr_cents > 0),
           coalesce(sum(current_mrr_cents) filter (where current_mrr_cents > 0), 0)
      from subscriptions where organization_id = known group by organization_id, status, currency;
    insert into match_counts (organization_id, portal_id, state, difference)
    select organization_id, portal_id, state, count(*) from matches where organization_id = known
     group by organization_id, portal_id, state;
  end loop;
end
$$;
