-- The organization of the running transaction; null, and so no row at all, where none was set.
create function current_organization() returns integer
  language sql stable parallel safe
  return nullif(current_setting('app.organization_id', true), '')::integer;

-- The third wall: every tenant table shows and takes only rows of the current organization, even from its owner.
create procedure isolate_by_organization(variadic table_names text[])
  language plpgsql
as $$
declare
  table_name text;
begin
  foreach table_name in array table_names loop
    execute format('alter table %I enable row level security', table_name);
    execute format('alter table %I force row level security', table_name);
    execute format(
      'create policy own_organization on %I using (organization_id = current_organization())
         with check (organization_id = current_organization())', table_name);
  end loop;
end
$$;

create table organization_settings (
  organization_id integer primary key references "organization" ("id") on delete cascade,
  current_step text not null default 'hubspot',
  setup_complete boolean not null default false,
  -- The newest import and push when the setup was reset: only later ones count as steps taken.
  forgotten_import_id text,
  forgotten_push_id text,
  auto_sync_enabled boolean not null default true,
  auto_create_contacts boolean not null default true,
  auto_create_companies boolean not null default true,
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null default current_timestamp
);

-- One connection to each provider. The secret is sealed for (organization, provider, field) and never leaves the server.
create table connections (
  organization_id integer not null references "organization" ("id") on delete cascade,
  provider text not null check (provider in ('payments', 'crm')),
  account_id text,
  is_live boolean,
  sealed_secret text not null,
  -- What a person may see of the secret: its prefix and last characters.
  secret_hint text,
  -- Raised with every new secret, so that of two writers one notices.
  secret_version integer not null default 1,
  expires_at timestamptz,
  refresh_due_at timestamptz,
  scopes text[] not null default '{}',
  details jsonb not null default '{}',
  warning text,
  connected_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null default current_timestamp,
  primary key (organization_id, provider)
);

-- Single-use states of the CRM's consent, kept as hashes.
create table oauth_states (
  organization_id integer not null references "organization" ("id") on delete cascade,
  state_hash text not null,
  user_id integer not null references "user" ("id") on delete cascade,
  session_id integer not null,
  return_to text not null,
  expires_at timestamptz not null,
  primary key (organization_id, state_hash)
);

call isolate_by_organization('organization_settings', 'connections', 'oauth_states');
