-- What an operator watches: when the last backup was complete, and how many connections wait for a person.

-- The last complete backup of this database; at most one row. A backup leaves it out: a restored copy has none yet.
create table last_backup (
  is_only boolean primary key default true check (is_only),
  completed_at timestamptz not null default current_timestamp
);

-- How many connections a provider no longer accepts. It looks at one organization after the other, as row-level security
-- asks, and returns numbers only.
create function refused_connections() returns table (provider text, connections bigint) language plpgsql as $$
declare
  outer_organization text := current_setting('app.organization_id', true);
  one record;
  payments bigint := 0;
  crm bigint := 0;
  found record;
begin
  for one in select o."id" from "organization" o loop
    perform set_config('app.organization_id', one."id"::text, true);
    select count(*) filter (where c.provider = 'payments') as payments, count(*) filter (where c.provider = 'crm') as crm
      into found from connections c where c.organization_id = one."id" and c.warning is not null;
    payments := payments + found.payments;
    crm := crm + found.crm;
  end loop;
  perform set_config('app.organization_id', coalesce(outer_organization, ''), true);
  return query values ('payments', payments), ('crm', crm);
end
$$;
