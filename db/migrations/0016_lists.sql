-- What the lists of a large organization are read off by. Row-level security lets only comparisons that cannot leak into
-- an index search, which LIKE is not one of: a text is looked for in a narrow index instead of the wide rows.

alter table customers
  -- The company that the customer is attached to in the current portal; kept by the triggers below.
  add column company_name text,
  add column search_text text not null generated always as (
    lower(coalesce(name, '') || chr(10) || coalesce(email, '') || chr(10) || coalesce(domain, '') || chr(10)
          || coalesce(company_name, ''))) stored,
  -- What the customer's subscriptions come to now, of those in dollars; kept by the rebuild.
  add column usd_mrr_cents bigint not null default 0;

create index customers_text_idx on customers (organization_id, id) include (search_text);
create index customers_company_idx on customers (organization_id, lower(coalesce(company_name, name)), id);
create index customers_name_idx on customers (organization_id, lower(name), id);
create index customers_email_idx on customers (organization_id, lower(email), id);
create index customers_mrr_idx on customers (organization_id, usd_mrr_cents desc, id);

create index matches_state_idx on matches (organization_id, portal_id, state, customer_id);

create index subscriptions_status_idx on subscriptions (organization_id, status, updated_at desc, id);
create index subscriptions_mrr_idx on subscriptions (organization_id, current_mrr_cents, id);
create index subscriptions_product_idx on subscriptions (organization_id, product_name);
create index subscriptions_product_order_idx on subscriptions (organization_id, lower(product_name), id);
create index subscriptions_terms_idx on subscriptions (organization_id, id)
  include (quantity, billing_interval_days, current_period_start, current_period_end, status);
create index subscriptions_earning_idx on subscriptions (organization_id, customer_id)
  include (currency, current_mrr_cents, status) where current_mrr_cents > 0;
create index subscriptions_unsupported_idx on subscriptions (organization_id) where unsupported_reason is not null;

create index events_product_idx on events (organization_id, product_name);

-- How many events of a kind there are: the sum of its rows. Writers only add rows, so that none waits for another.
create table event_counts (
  organization_id integer not null references "organization" ("id") on delete cascade,
  mrr_status text not null,
  number bigint not null generated always as identity,
  difference bigint not null,
  primary key (organization_id, mrr_status, number)
);
call isolate_by_organization('event_counts');

create function count_added_events() returns trigger language plpgsql as $$
begin
  insert into event_counts (organization_id, mrr_status, difference)
  select organization_id, mrr_status, count(*) from added group by organization_id, mrr_status;
  return null;
end
$$;

create function count_removed_events() returns trigger language plpgsql as $$
begin
  -- With the organization itself its counts go too.
  insert into event_counts (organization_id, mrr_status, difference)
  select organization_id, mrr_status, -count(*) from removed
   where exists (select from "organization" as known where known.id = organization_id)
   group by organization_id, mrr_status;
  return null;
end
$$;

create function count_changed_events() returns trigger language plpgsql as $$
begin
  insert into event_counts (organization_id, mrr_status, difference)
  select organization_id, mrr_status, sum(difference)
    from (select organization_id, mrr_status, 1 as difference from added
          union all select organization_id, mrr_status, -1 from removed) as both_sides
   group by organization_id, mrr_status having sum(difference) <> 0;
  return null;
end
$$;

create trigger events_added after insert on events
  referencing new table as added for each statement execute function count_added_events();
create trigger events_removed after delete on events
  referencing old table as removed for each statement execute function count_removed_events();
create trigger events_changed after update on events
  referencing old table as removed new table as added for each statement execute function count_changed_events();

-- The portal whose matches count: the connected one, else the one that was set up last.
create function current_portal(of_organization integer) returns text
  language sql stable
  return coalesce(
    (select account_id from connections where organization_id = of_organization and provider = 'crm'),
    (select portal_id from crm_objects where organization_id = of_organization
      order by updated_at desc, portal_id limit 1));

-- Gives customers the names of their companies anew: all of the organization where no ids are given.
create function name_companies(of_organization integer, ids text[]) returns void language plpgsql as $$
begin
  update customers set company_name = due.company_name
    from (select c.organization_id, c.id, m.company_name
            from customers c
            left join matches m on m.organization_id = c.organization_id and m.customer_id = c.id
                               and m.state = 'linked' and m.portal_id = current_portal(of_organization)
           where c.organization_id = of_organization and (ids is null or c.id = any(ids))
             and c.company_name is distinct from m.company_name
           order by c.id for update of c) as due
   where customers.organization_id = due.organization_id and customers.id = due.id;
end
$$;

create function name_companies_of_matches() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform name_companies(organization_id, array_agg(customer_id)) from removed group by organization_id;
  else
    perform name_companies(organization_id, array_agg(customer_id)) from added group by organization_id;
  end if;
  return null;
end
$$;

create trigger matches_added after insert on matches
  referencing new table as added for each statement execute function name_companies_of_matches();
create trigger matches_changed after update on matches
  referencing new table as added for each statement execute function name_companies_of_matches();
create trigger matches_removed after delete on matches
  referencing old table as removed for each statement execute function name_companies_of_matches();

create function name_companies_of_portal() returns trigger language plpgsql as $$
begin
  perform name_companies(new.organization_id, null);
  return null;
end
$$;

create trigger portal_connected after insert on connections
  for each row when (new.provider = 'crm') execute function name_companies_of_portal();
create trigger portal_changed after update of account_id on connections
  for each row when (new.provider = 'crm' and new.account_id is distinct from old.account_id)
  execute function name_companies_of_portal();
create function name_companies_without_portal() returns trigger language plpgsql as $$
begin
  perform name_companies(old.organization_id, null);
  return null;
end
$$;

create trigger portal_disconnected after delete on connections
  for each row when (old.provider = 'crm') execute function name_companies_without_portal();

-- What is there already, organization by organization, since the owner sees no more at a time than anybody.
do $$
declare
  known integer;
begin
  for known in select id from "organization" loop
    perform set_config('app.organization_id', known::text, true);
    insert into event_counts (organization_id, mrr_status, difference)
    select organization_id, mrr_status, count(*) from events where organization_id = known
     group by organization_id, mrr_status;
    perform name_companies(known, null);
    update customers c set usd_mrr_cents = sums.cents
      from (select customer_id, sum(current_mrr_cents) as cents from subscriptions
             where organization_id = known and currency = 'usd' and current_mrr_cents > 0 group by customer_id) as sums
     where c.organization_id = known and c.id = sums.customer_id;
  end loop;
end
$$;
