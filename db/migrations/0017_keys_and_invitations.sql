-- How many stored secrets are sealed under each version of the key ring, over all organizations. It looks at one
-- organization after the other, as row-level security asks, and tells numbers only.
create function sealed_key_versions() returns table (version integer, secrets bigint) language plpgsql as $$
declare
  outer_organization text := current_setting('app.organization_id', true);
  one record;
  counts jsonb := '{}';
  found record;
begin
  for one in select o."id" from "organization" o loop
    perform set_config('app.organization_id', one."id"::text, true);
    for found in
      select split_part(sealed_secret, '.', 2) as version, count(*) as secrets
        from (select sealed_secret from connections union all select sealed_secret from payment_webhooks) sealed
       where sealed_secret like 's1.%' group by 1
    loop
      counts := counts || jsonb_build_object(
        found.version, coalesce((counts ->> found.version)::bigint, 0) + found.secrets);
    end loop;
  end loop;
  perform set_config('app.organization_id', coalesce(outer_organization, ''), true);
  return query select key::integer, value::bigint from jsonb_each_text(counts) order by 1;
end
$$;

-- What a hosted provider hands out at sign-in is used there and then; kept, it would be one more key to lose.
update "account" set "accessToken" = null, "refreshToken" = null, "idToken" = null
  where "accessToken" is not null or "refreshToken" is not null or "idToken" is not null;

-- In links and on the wire an invitation goes by a word that nobody can guess or count.
alter table "invitation" add column "token" text;
update "invitation" set "token" = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
alter table "invitation" alter column "token" set not null;
create unique index "invitation_token_idx" on "invitation" ("token");

-- Whether the mail of an invitation waits, or was given up, is shown to whoever sent it.
alter table "invitation" add column "mailFailedAt" timestamptz;
alter table outbox add column invitation_id integer references "invitation" ("id") on delete set null;
create index outbox_invitation_idx on outbox (invitation_id);
alter table outbox add column failed_at timestamptz;

create index audit_log_happened_idx on audit_log (organization_id, happened_at);
