-- How much of the current MRR belongs to customers that are attached to a company, kept as sums like the totals of all
-- subscriptions. What a customer comes to and whether it is attached stand in its one row, so that two writers cannot
-- each miss what the other changes.

alter table customers
  -- By currency, in its minor units, of those above zero; kept by the rebuild.
  add column mrr_by_currency jsonb not null default '{}',
  -- Whether the customer has a company in the current portal; kept by the triggers of matches and connections.
  add column is_attached boolean not null default false;

create table attached_totals (
  organization_id integer not null references "organization" ("id") on delete cascade,
  currency text not null,
  number bigint not null generated always as identity,
  mrr_cents bigint not null,
  primary key (organization_id, currency, number)
);
call isolate_by_organization('attached_totals');

create or replace function name_companies(of_organization integer, ids text[]) returns void language plpgsql as $$
begin
  update customers set company_name = due.company_name, is_attached = due.is_attached
    from (select c.organization_id, c.id, m.company_name, m.company_record_id is not null as is_attached
            from customers c
            left join matches m on m.organization_id = c.organization_id and m.customer_id = c.id
                               and m.state = 'linked' and m.portal_id = current_portal(of_organization)
           where c.organization_id = of_organization and (ids is null or c.id = any(ids))
             and (c.company_name is distinct from m.company_name
                  or c.is_attached <> (m.company_record_id is not null))
           order by c.id for update of c) as due
   where customers.organization_id = due.organization_id and customers.id = due.id;
end
$$;

create function total_attached() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into attached_totals (organization_id, currency, mrr_cents)
    select organization_id, key, sum(value::bigint) from added, jsonb_each_text(mrr_by_currency)
     where is_attached group by organization_id, key;
  elsif tg_op = 'DELETE' then
    -- With the organization itself its totals go too.
    insert into attached_totals (organization_id, currency, mrr_cents)
    select organization_id, key, -sum(value::bigint) from removed, jsonb_each_text(mrr_by_currency)
     where is_attached and exists (select from "organization" as known where known.id = organization_id)
     group by organization_id, key;
  else
    insert into attached_totals (organization_id, currency, mrr_cents)
    select organization_id, key, sum(one * value::bigint)
      from (select organization_id, mrr_by_currency, 1 as one from added where is_attached
            union all select organization_id, mrr_by_currency, -1 from removed where is_attached) as both_sides,
           jsonb_each_text(mrr_by_currency)
     group by organization_id, key having sum(one * value::bigint) <> 0;
  end if;
  return null;
end
$$;
create trigger attached_added after insert on customers
  referencing new table as added for each statement execute function total_attached();
create trigger attached_removed after delete on customers
  referencing old table as removed for each statement execute function total_attached();
create trigger attached_changed after update on customers
  referencing old table as removed new table as added for each statement execute function total_attached();

-- Totals and coverage were read off it.
drop index subscriptions_earning_idx;

-- What is there already, organization by organization, since the owner sees no more at a time than anybody.
do $$
declare
  known integer;
begin
  for known in select id from "organization" loop
    perform set_config('app.organization_id', known::text, true);
    update customers c
       set mrr_by_currency = sums.mrr
      from (select customer_id, jsonb_object_agg(currency, cents) as mrr
              from (select customer_id, currency, sum(current_mrr_cents) as cents from subscriptions
                     where organization_id = known and current_mrr_cents > 0
                     group by customer_id, currency) as by_currency
             group by customer_id) as sums
     where c.organization_id = known and c.id = sums.customer_id;
    perform name_companies(known, null);
  end loop;
end
$$;
