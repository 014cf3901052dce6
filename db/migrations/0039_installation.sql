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
