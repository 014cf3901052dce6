-- A credit that is sold by the million is counted one by one: quantities pass two thousand million, and so may the days of
-- an interval that nobody bounds.
alter table subscriptions
  alter column quantity type bigint,
  alter column billing_interval_days type bigint;
alter table events
  alter column previous_quantity type bigint,
  alter column current_quantity type bigint;

-- Lists are sorted by it, and no row of their indexes may pass 2,704 bytes; what is shown is the match's own.
create or replace function name_companies(of_organization integer, ids text[]) returns void language plpgsql as $$
begin
  update customers set company_name = due.company_name, is_attached = due.is_attached
    from (select c.organization_id, c.id, left(m.company_name, 500) as company_name,
                 m.company_record_id is not null as is_attached
            from customers c
            left join matches m on m.organization_id = c.organization_id and m.customer_id = c.id
                               and m.state = 'linked' and m.portal_id = current_portal(of_organization)
           where c.organization_id = of_organization and (ids is null or c.id = any(ids))
             and (c.company_name is distinct from left(m.company_name, 500)
                  or c.is_attached <> (m.company_record_id is not null))
           order by c.id for update of c) as due
   where customers.organization_id = due.organization_id and customers.id = due.id;
end
$$;
