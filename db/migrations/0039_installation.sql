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
