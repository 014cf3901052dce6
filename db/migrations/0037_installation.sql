-- The role that the application works as, which `migrate` makes, and its password. For the owner's eyes: the application
-- never reads it, and no backup holds it.
create table application_role (
  only_one boolean primary key default true check (only_one),
  role_name text not null,
  password text not null
);

-- Up to here every installation of a cluster shared one role, which could reach them all.
do $$
declare
  named text;
begin
  if not exists (select 1 from pg_roles where rolname = 'tributary_app') then return; end if;
  for named in select nspname from pg_namespace where nspname in ('public', 'pgboss') loop
    execute format('revoke all on all tables in schema %I from tributary_app', named);
    execute format('revoke all on all sequences in schema %I from tributary_app', named);
    execute format('revoke all on schema %I from tributary_app', named);
  end loop;
end
$$;

-- While a row stands here nothing is asked of Stripe, HubSpot or the mail server: a restored copy must not work on the
-- accounts that the original works on.
create table outbound_hold (
  only_one boolean primary key default true check (only_one),
  held_since timestamptz not null default now()
);

-- 0014 and 0035 wrote to tables of organizations without naming one. Row-level security shows an owner who is no superuser
-- none of their rows, so that nothing was written; here it is done for each.
do $$
declare
  known integer;
begin
  for known in select id from "organization" loop
    perform set_config('app.organization_id', known::text, true);
    update crm_links as l set subscription_id = e.subscription_id from events e
     where l.organization_id = known and l.kind = 'event' and l.subscription_id is null
       and e.organization_id = known and e.id = l.source_id;
    delete from crm_listings where organization_id = known;
  end loop;
  perform set_config('app.organization_id', '', true);
end
$$;
