-- Written by npm run schema from db/migrations; kept true by a test.

CREATE OR REPLACE FUNCTION public.add_outdated(of_organization integer, of_portal text, of_kind text, ids text[])
 RETURNS void
 LANGUAGE sql
 SET enable_seqscan TO 'off'
AS $function$
  update crm_links set outdated = outdated + 1
   where organization_id = of_organization and portal_id = of_portal and kind = of_kind and source_id = any(ids)
     and state = 'confirmed'
$function$;

CREATE OR REPLACE FUNCTION public.add_outdated_of_customers(of_organization integer, of_portal text, customer_ids text[])
 RETURNS void
 LANGUAGE sql
 SET enable_seqscan TO 'off'
AS $function$
  select add_outdated(of_organization, of_portal, 'subscription', array_agg(id)) from subscriptions
   where organization_id = of_organization and customer_id = any(customer_ids) having count(*) > 0;
  select add_outdated(of_organization, of_portal, 'event', array_agg(id)) from events
   where organization_id = of_organization and customer_id = any(customer_ids) having count(*) > 0
$function$;

CREATE OR REPLACE FUNCTION public.crm_keys_of(emails text[])
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select distinct left('e' || email, 500) from unnest(emails) as email where email is not null
$function$;

CREATE OR REPLACE FUNCTION public.crm_keys_of(name text, domains text[], registrable_domains text[], created_for text)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select distinct left('d' || domain, 500) from unnest(domains || registrable_domains || created_for) as domain
   where domain is not null
  union select left('n' || lower(name), 500) where name is not null
$function$;

CREATE OR REPLACE FUNCTION public.current_organization()
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.organization_id'::text, true), ''::text))::integer;

CREATE OR REPLACE FUNCTION public.current_portal(of_organization integer)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN COALESCE((SELECT connections.account_id FROM connections WHERE ((connections.organization_id = current_portal.of_organization) AND (connections.provider = 'crm'::text))), (SELECT crm_objects.portal_id FROM crm_objects WHERE (crm_objects.organization_id = current_portal.of_organization) ORDER BY crm_objects.updated_at DESC, crm_objects.portal_id LIMIT 1));

CREATE OR REPLACE FUNCTION public.folded(written text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
  -- Most texts have no such letter. To compare each letter takes thirty times as long.
  if written !~ '[À-ỹ]' then return lower(written); end if;
  return replace(replace(replace(replace(translate(lower(written),
         'àáâãäåāăąǎạảấầẩẫậắằẳẵặçćĉċčďđðèéêëēĕėęěẹẻẽếềểễệĝğġģĥħìíîïĩīĭįǐỉịıĵķĺļľłñńņňòóôõöōŏőǒọỏốồổỗộớờởỡợøŕŗřśŝşšș'
      || 'ţťțŧùúûüũūŭůűųǔụủứừửữựŵýÿŷỳỵỷỹźżž',
         'aaaaaaaaaaaaaaaaaaaaaacccccdddeeeeeeeeeeeeeeeeegggghhiiiiiiiiiiiijkllllnnnnoooooooooooooooooooooorrrsssss'
      || 'ttttuuuuuuuuuuuuuuuuuuwyyyyyyyzzz'),
         'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
end
$function$;

CREATE OR REPLACE FUNCTION public.forget_person(person integer, address text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  outer_organization text := current_setting('app.organization_id', true);
  mention text := mention_of(forget_person.address);
  one record;
begin
  for one in select o."id" from "organization" o loop
    perform set_config('app.organization_id', one."id"::text, true);
    update audit_log set actor_user_id = null, actor_email = 'a deleted account', address = null
     where actor_user_id = person or lower(actor_email) = lower(forget_person.address);
    update audit_log set subject = regexp_replace(subject, mention, 'a deleted account', 'gi')
     where subject ~* mention;
    update runs set message = regexp_replace(message, mention, 'a deleted account', 'gi')
     where message ~* mention;
    update run_logs set line = regexp_replace(line, mention, 'a deleted account', 'gi')
     where position(lower(forget_person.address) in lower(line)) > 0 and line ~* mention;
    update recounts set read_by = 'a deleted account' where lower(read_by) = lower(forget_person.address);
  end loop;
  perform set_config('app.organization_id', coalesce(outer_organization, ''), true);
end
$function$;

CREATE OR REPLACE FUNCTION public.hold_run(organization integer, run text, run_attempt integer, lock integer, may_be_lost boolean)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  perform set_config('app.organization_id', organization::text, true);
  if may_be_lost then
    perform set_config('synchronous_commit', 'off', true);
  end if;
  perform pg_advisory_xact_lock_shared(lock, organization);
  if not exists (
    select from runs
     where organization_id = organization and id = run and attempt = run_attempt and status = 'in_progress') then
    raise exception 'the run is not held by this attempt' using errcode = 'RL001';
  end if;
  return true;
end
$function$;

CREATE OR REPLACE PROCEDURE public.isolate_by_organization(VARIADIC table_names text[])
 LANGUAGE plpgsql
AS $procedure$
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
$procedure$;

CREATE OR REPLACE FUNCTION public.mention_of(address text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select '(?<![[:alnum:]._%+-])' || regexp_replace(address, '([^[:alnum:]])', '\\\1', 'g') || '(?!-|\.?[[:alnum:]])'
$function$;

CREATE OR REPLACE FUNCTION public.name_companies(of_organization integer, ids text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  with due as (
    select c.organization_id, c.id, left(m.company_name, 500) as company_name,
           m.company_record_id is not null as is_attached, c.is_attached as was_attached
      from customers c
      left join matches m on m.organization_id = c.organization_id and m.customer_id = c.id
                         and m.state = 'linked' and m.portal_id = current_portal(of_organization)
     where c.organization_id = of_organization and (ids is null or c.id = any(ids))
       and (c.company_name is distinct from left(m.company_name, 500)
            or c.is_attached <> (m.company_record_id is not null))
     order by c.id for update of c),
  named as (
    update customers set company_name = due.company_name, is_attached = due.is_attached
      from due
     where customers.organization_id = due.organization_id and customers.id = due.id
    returning due.was_attached, customers.is_attached, customers.is_subscriber, customers.mrr_by_currency,
              customers.reporting_mrr_cents, customers.unconverted_by_currency)
  insert into list_totals (organization_id, list, status, part, row_count, earning_count, mrr_cents, reporting_cents,
                           unconverted_cents)
  select of_organization, 'customers', status, part, sum(one), 0, sum(one * cents), sum(one * reporting),
         sum(one * unconverted)
    from named
   cross join lateral (values (case when was_attached then 'matched' else 'unmatched' end, -1),
                              (case when is_attached then 'matched' else 'unmatched' end, 1)) as moved (status, one)
   cross join lateral (
      select key as part, value::bigint as cents, 0::bigint as reporting,
             coalesce((unconverted_by_currency ->> key)::bigint, 0) as unconverted
        from jsonb_each_text(mrr_by_currency)
      union all
      select '', 0, reporting_mrr_cents, 0) as added
   where is_subscriber
   group by status, part
  having sum(one) <> 0 or sum(one * cents) <> 0 or sum(one * reporting) <> 0 or sum(one * unconverted) <> 0;
end
$function$;

CREATE OR REPLACE FUNCTION public.refused_connections()
 RETURNS TABLE(provider text, connections bigint)
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.sealed_key_versions()
 RETURNS TABLE(version integer, secrets bigint)
 LANGUAGE plpgsql
AS $function$
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
        from (select sealed_secret from connections union all select sealed_secret from payment_webhooks
              union all select sealed_secret from erasure_keys) sealed
       where sealed_secret like 's1.%' group by 1
    loop
      counts := counts || jsonb_build_object(
        found.version, coalesce((counts ->> found.version)::bigint, 0) + found.secrets);
    end loop;
  end loop;
  perform set_config('app.organization_id', coalesce(outer_organization, ''), true);
  for found in
    select split_part("secret", '$', 3) as version, count(*) as secrets from "twoFactor" group by 1
  loop
    counts := counts || jsonb_build_object(
      found.version, coalesce((counts ->> found.version)::bigint, 0) + found.secrets);
  end loop;
  return query select key::integer, value::bigint from jsonb_each_text(counts) order by 1;
end
$function$;

CREATE OR REPLACE FUNCTION public.settle_all_unsent(of_organization integer)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
AS $function$
declare
  portal text := (select portal_id from push_marks where organization_id = of_organization);
begin
  with sources as (
    select 'event' as kind, id, updated_at, subscription_id, customer_id, occurred_at, mrr_status, currency,
           mrr_change_cents, reporting_change_cents
      from events where organization_id = of_organization
    union all
    select 'subscription', id, updated_at, null, null, null, null, null, null, null
      from subscriptions where organization_id = of_organization),
  held as (
    select kind, source_id, state, outdated, confirmed_at from crm_links
     where organization_id = of_organization and portal_id = portal and record_id is not null and state <> 'removed'),
  unsent as materialized (
    select s.kind, s.id, h.source_id is not null as has_record, subscription_id, customer_id, occurred_at, mrr_status,
           currency, mrr_change_cents, reporting_change_cents
      from sources s left join held h on h.kind = s.kind and h.source_id = s.id
     where (h.state = 'confirmed' and h.outdated = 0 and s.updated_at <= h.confirmed_at) is not true),
  settled as (
    delete from crm_unsent u
     where u.organization_id = of_organization
       and not exists (select from unsent where unsent.kind = u.kind and unsent.id = u.source_id))
  insert into crm_unsent as known
    (organization_id, kind, source_id, has_record, subscription_id, customer_id, occurred_at, mrr_status, currency,
     mrr_change_cents, reporting_change_cents)
  select of_organization, unsent.* from unsent
  on conflict (organization_id, kind, source_id) do update
     set has_record = excluded.has_record, subscription_id = excluded.subscription_id,
         customer_id = excluded.customer_id, occurred_at = excluded.occurred_at, mrr_status = excluded.mrr_status,
         currency = excluded.currency, mrr_change_cents = excluded.mrr_change_cents,
         reporting_change_cents = excluded.reporting_change_cents
   where known is distinct from excluded;
end
$function$;

CREATE OR REPLACE FUNCTION public.settle_unsent(of_organization integer, of_portal text, of_kind text, ids text[])
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_nestloop TO 'off'
AS $function$
begin
  with sources as materialized (
    select id, updated_at, subscription_id, customer_id, occurred_at, mrr_status, currency, mrr_change_cents,
           reporting_change_cents
      from events
     where of_kind = 'event' and organization_id = of_organization and id = any(ids)
    union all
    select id, updated_at, null, null, null, null, null, null, null from subscriptions
     where of_kind = 'subscription' and organization_id = of_organization and id = any(ids)),
  held as materialized (
    select source_id, state, outdated, confirmed_at from crm_links
     where organization_id = of_organization and portal_id = of_portal and kind = of_kind and source_id = any(ids)
       and record_id is not null and state <> 'removed'),
  unsent as materialized (
    select id, source_id is not null as has_record, subscription_id, customer_id, occurred_at, mrr_status, currency,
           mrr_change_cents, reporting_change_cents
      from sources left join held on source_id = id
     where (state = 'confirmed' and outdated = 0 and updated_at <= confirmed_at) is not true),
  settled as (
    delete from crm_unsent
     where organization_id = of_organization and kind = of_kind and source_id = any(ids)
       and source_id not in (select id from unsent))
  insert into crm_unsent as known
    (organization_id, kind, source_id, has_record, subscription_id, customer_id, occurred_at, mrr_status, currency,
     mrr_change_cents, reporting_change_cents)
  select of_organization, of_kind, unsent.* from unsent
  on conflict (organization_id, kind, source_id) do update
     set has_record = excluded.has_record, subscription_id = excluded.subscription_id,
         customer_id = excluded.customer_id, occurred_at = excluded.occurred_at, mrr_status = excluded.mrr_status,
         currency = excluded.currency, mrr_change_cents = excluded.mrr_change_cents,
         reporting_change_cents = excluded.reporting_change_cents
   where known is distinct from excluded;
end
$function$;

CREATE OR REPLACE FUNCTION public.take_place(pace_account text, pace_bucket text, requests integer, window_ms double precision, gap_ms double precision, ahead_ms double precision, recovery double precision, clock double precision, OUT wait_ms double precision, OUT is_taken boolean)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  pace paces;
  count integer;
  clocked_at double precision;
  due double precision;
begin
  loop
    select * into pace from paces where account = pace_account and bucket = pace_bucket for update;
    exit when found;
    insert into paces (account, bucket) values (pace_account, pace_bucket) on conflict do nothing;
  end loop;
  clocked_at := coalesce(clock, extract(epoch from clock_timestamp())::double precision * 1000);
  count := cardinality(pace.taken_ms);
  -- A clock that was put back leaves places in a far future behind: they count as taken now.
  if pace.taken_ms[count] > clocked_at + ahead_ms then
    pace.taken_ms := array_fill(clocked_at, array[count]);
  end if;
  due := greatest(
    clocked_at, pace.paused_until_ms, pace.taken_ms[count] + gap_ms / pace.share,
    pace.taken_ms[count - requests + 1] + window_ms / pace.share);
  wait_ms := due - clocked_at;
  is_taken := due <= clocked_at + ahead_ms;
  if is_taken then
    update paces set taken_ms = (pace.taken_ms || due)[greatest(1, count - requests + 2):],
                     share = least(1, pace.share * recovery)
     where account = pace_account and bucket = pace_bucket;
  end if;
end
$function$;

create table "account" (
  "id" integer not null generated by default as identity,
  "accountId" text not null,
  "providerId" text not null,
  "userId" integer not null,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamp with time zone,
  "refreshTokenExpiresAt" timestamp with time zone,
  "scope" text,
  "password" text,
  "createdAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "updatedAt" timestamp with time zone not null
);
--   constraint account_pkey PRIMARY KEY (id)
--   constraint account_userId_fkey FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE
--   CREATE INDEX "account_userId_idx" ON public.account USING btree ("userId")

create table "alerts" (
  "organization_id" integer not null,
  "kind" text not null,
  "told_at" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "over_at" timestamp with time zone
);
--   constraint alerts_kind_check CHECK ((kind = ANY (ARRAY['payments'::text, 'crm'::text, 'sync'::text])))
--   constraint alerts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint alerts_pkey PRIMARY KEY (organization_id, kind)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "application_role" (
  "only_one" boolean not null default true,
  "role_name" text not null,
  "password" text not null
);
--   constraint application_role_only_one_check CHECK (only_one)
--   constraint application_role_pkey PRIMARY KEY (only_one)

create table "attempt_budgets" (
  "key" text not null,
  "used" integer not null,
  "resets_at" timestamp with time zone not null
);
--   constraint attempt_budgets_pkey PRIMARY KEY (key)
--   CREATE INDEX attempt_budgets_resets_at_idx ON public.attempt_budgets USING btree (resets_at)

create table "audit_log" (
  "organization_id" integer not null,
  "id" bigint not null generated always as identity,
  "happened_at" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "actor_user_id" integer,
  "actor_email" text,
  "address" text,
  "action" text not null,
  "subject" text,
  "outcome" text not null default 'done'::text
);
--   constraint audit_log_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint audit_log_outcome_check CHECK ((outcome = ANY (ARRAY['begun'::text, 'done'::text, 'failed'::text])))
--   constraint audit_log_pkey PRIMARY KEY (organization_id, id)
--   CREATE INDEX audit_log_action_idx ON public.audit_log USING btree (organization_id, action, happened_at)
--   CREATE INDEX audit_log_actor_idx ON public.audit_log USING btree (organization_id, actor_user_id, happened_at)
--   CREATE INDEX audit_log_happened_idx ON public.audit_log USING btree (organization_id, happened_at)
--   CREATE INDEX audit_log_without_actor_idx ON public.audit_log USING btree (organization_id, ((actor_email IS NULL)), happened_at) WHERE (actor_user_id IS NULL)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "billing_v2_totals" (
  "organization_id" integer not null,
  "currency" text not null,
  "invoices" integer not null,
  "amount_cents" bigint not null
);
--   constraint billing_v2_totals_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint billing_v2_totals_pkey PRIMARY KEY (organization_id, currency)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "connections" (
  "organization_id" integer not null,
  "provider" text not null,
  "account_id" text,
  "is_live" boolean,
  "sealed_secret" text not null,
  "secret_hint" text,
  "secret_version" integer not null default 1,
  "expires_at" timestamp with time zone,
  "refresh_due_at" timestamp with time zone,
  "scopes" text[] not null default '{}'::text[],
  "details" jsonb not null default '{}'::jsonb,
  "warning" text,
  "connected_at" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "updated_at" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "earlier_account_id" text
);
--   constraint connections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint connections_pkey PRIMARY KEY (organization_id, provider)
--   constraint connections_provider_check CHECK ((provider = ANY (ARRAY['payments'::text, 'crm'::text])))
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())
--   CREATE TRIGGER portal_changed AFTER UPDATE OF account_id ON public.connections FOR EACH ROW WHEN (((new.provider = 'crm'::text) AND (new.account_id IS DISTINCT FROM old.account_id))) EXECUTE FUNCTION name_companies_of_portal()
--   CREATE TRIGGER portal_connected AFTER INSERT ON public.connections FOR EACH ROW WHEN ((new.provider = 'crm'::text)) EXECUTE FUNCTION name_companies_of_portal()
--   CREATE TRIGGER portal_disconnected AFTER DELETE ON public.connections FOR EACH ROW WHEN ((old.provider = 'crm'::text)) EXECUTE FUNCTION name_companies_without_portal()

CREATE OR REPLACE FUNCTION public.name_companies_of_portal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform name_companies(new.organization_id, null);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.name_companies_without_portal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform name_companies(old.organization_id, null);
  return null;
end
$function$;

create table "conversions" (
  "organization_id" integer not null,
  "requested" integer not null default 1,
  "done" integer not null default 0,
  "after_id" text not null default ''::text,
  "day" date,
  "rates_due_at" timestamp with time zone,
  "currency" text
);
--   constraint conversions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint conversions_pkey PRIMARY KEY (organization_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "coupons" (
  "organization_id" integer not null,
  "id" text not null,
  "body" jsonb not null
);
--   constraint coupons_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint coupons_pkey PRIMARY KEY (organization_id, id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "crm_associations" (
  "organization_id" integer not null,
  "portal_id" text not null,
  "kind" text not null,
  "source_id" text not null,
  "target_kind" text not null,
  "target_record_id" text not null,
  "confirmed_at" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "state" text not null default 'confirmed'::text,
  "error" text,
  "run_id" text
);
--   constraint crm_associations_kind_check CHECK ((kind = ANY (ARRAY['subscription'::text, 'event'::text])))
--   constraint crm_associations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint crm_associations_pkey PRIMARY KEY (organization_id, portal_id, kind, source_id, target_kind, target_record_id)
--   constraint crm_associations_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'confirmed'::text, 'failed'::text])))
--   constraint crm_associations_target_kind_check CHECK ((target_kind = ANY (ARRAY['subscription'::text, 'company'::text, 'contact'::text])))
--   CREATE INDEX crm_associations_failed_idx ON public.crm_associations USING btree (organization_id, portal_id, kind, source_id) WHERE (state = 'failed'::text)
--   CREATE INDEX crm_associations_target_idx ON public.crm_associations USING btree (organization_id, portal_id, target_kind, target_record_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "crm_companies" (
  "organization_id" integer not null,
  "portal_id" text not null,
  "record_id" text not null,
  "name" text,
  "domains" text[] not null default '{}'::text[],
  "registrable_domains" text[] not null default '{}'::text[],
  "listed_at" timestamp with time zone not null,
  "created_for" text,
  "created_at" timestamp with time zone,
  "contact_count" integer,
  "deal_count" integer,
  "last_activity_at" timestamp with time zone
);
--   constraint crm_companies_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint crm_companies_pkey PRIMARY KEY (organization_id, portal_id, record_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())
--   CREATE TRIGGER keys_added AFTER INSERT ON public.crm_companies REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION key_companies()
--   CREATE TRIGGER keys_changed AFTER UPDATE ON public.crm_companies REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION key_companies()
--   CREATE TRIGGER keys_removed AFTER DELETE ON public.crm_companies REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION key_companies()

CREATE OR REPLACE FUNCTION public.key_companies()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    delete from crm_keys k
     using removed r, crm_keys_of(r.name, r.domains, r.registrable_domains, r.created_for) as gone (key)
     where (k.organization_id, k.portal_id, k.object, k.key, k.record_id)
         = (r.organization_id, r.portal_id, 'company', gone.key, r.record_id);
  elsif tg_op = 'UPDATE' then
    delete from crm_keys k
     using removed r join added a using (organization_id, portal_id, record_id),
           crm_keys_of(r.name, r.domains, r.registrable_domains, r.created_for) as gone (key)
     where (r.name, r.domains, r.registrable_domains, r.created_for)
           is distinct from (a.name, a.domains, a.registrable_domains, a.created_for)
       and (k.organization_id, k.portal_id, k.object, k.key, k.record_id)
         = (r.organization_id, r.portal_id, 'company', gone.key, r.record_id);
    insert into crm_keys (organization_id, portal_id, object, key, record_id)
    select organization_id, portal_id, 'company', made.key, record_id
      from removed r join added a using (organization_id, portal_id, record_id),
           crm_keys_of(a.name, a.domains, a.registrable_domains, a.created_for) as made (key)
     where (r.name, r.domains, r.registrable_domains, r.created_for)
           is distinct from (a.name, a.domains, a.registrable_domains, a.created_for);
  else
    insert into crm_keys (organization_id, portal_id, object, key, record_id)
    select organization_id, portal_id, 'company', made.key, record_id
      from added a, crm_keys_of(a.name, a.domains, a.registrable_domains, a.created_for) as made (key);
  end if;
  return null;
end
$function$;

create table "crm_contacts" (
  "organization_id" integer not null,
  "portal_id" text not null,
  "record_id" text not null,
  "emails" text[] not null default '{}'::text[],
  "company_record_ids" text[] not null default '{}'::text[],
  "listed_at" timestamp with time zone not null,
  "primary_company_id" text
);
--   constraint crm_contacts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint crm_contacts_pkey PRIMARY KEY (organization_id, portal_id, record_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())
--   CREATE TRIGGER keys_added AFTER INSERT ON public.crm_contacts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION key_contacts()
--   CREATE TRIGGER keys_changed AFTER UPDATE ON public.crm_contacts REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION key_contacts()
--   CREATE TRIGGER keys_removed AFTER DELETE ON public.crm_contacts REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION key_contacts()

CREATE OR REPLACE FUNCTION public.key_contacts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    delete from crm_keys k using removed r, crm_keys_of(r.emails) as gone (key)
     where (k.organization_id, k.portal_id, k.object, k.key, k.record_id)
         = (r.organization_id, r.portal_id, 'contact', gone.key, r.record_id);
  elsif tg_op = 'UPDATE' then
    delete from crm_keys k
     using removed r join added a using (organization_id, portal_id, record_id), crm_keys_of(r.emails) as gone (key)
     where r.emails is distinct from a.emails
       and (k.organization_id, k.portal_id, k.object, k.key, k.record_id)
         = (r.organization_id, r.portal_id, 'contact', gone.key, r.record_id);
    insert into crm_keys (organization_id, portal_id, object, key, record_id)
    select organization_id, portal_id, 'contact', made.key, record_id
      from removed r join added a using (organization_id, portal_id, record_id), crm_keys_of(a.emails) as made (key)
     where r.emails is distinct from a.emails;
  else
    insert into crm_keys (organization_id, portal_id, object, key, record_id)
    select organization_id, portal_id, 'contact', made.key, record_id
      from added a, crm_keys_of(a.emails) as made (key);
  end if;
  return null;
end
$function$;

create table "crm_deleted" (
  "organization_id" integer not null,
  "portal_id" text not null,
  "kind" text not null,
  "value_hash" bytea not null,
  "noticed_at" timestamp with time zone not null default CURRENT_TIMESTAMP
);
--   constraint crm_deleted_kind_check CHECK ((kind = ANY (ARRAY['company'::text, 'contact'::text])))
--   constraint crm_deleted_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint crm_deleted_pkey PRIMARY KEY (organization_id, portal_id, kind, value_hash)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "crm_departures" (
  "organization_id" integer not null,
  "portal_id" text not null,
  "left_at" timestamp with time zone not null
);
--   constraint crm_departures_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint crm_departures_pkey PRIMARY KEY (organization_id, portal_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "crm_keys" (
  "organization_id" integer not null,
  "portal_id" text not null,
  "object" text not null,
  "key" text not null,
  "record_id" text not null
);
--   constraint crm_keys_object_check CHECK ((object = ANY (ARRAY['company'::text, 'contact'::text])))
--   constraint crm_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint crm_keys_pkey PRIMARY KEY (organization_id, portal_id, object, key, record_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "crm_links" (
  "organization_id" integer not null,
  "portal_id" text not null,
  "kind" text not null,
  "source_id" text not null,
  "record_id" text,
  "state" text not null default 'pending'::text,
  "confirmed_hash" text,
  "refused_hash" text,
  "error" text,
  "attempts" integer not null default 0,
  "run_id" text,
  "confirmed_at" timestamp with time zone,
  "former_record_id" text,
  "subscription_id" text,
  "record_updated_at" timestamp with time zone,
  "mends" integer not null default 0,
  "told" jsonb,
  "outdated" integer not null default 0
);
--   constraint crm_links_kind_check CHECK ((kind = ANY (ARRAY['subscription'::text, 'event'::text])))
--   constraint crm_links_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint crm_links_pkey PRIMARY KEY (organization_id, portal_id, kind, source_id)
--   constraint crm_links_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'confirmed'::text, 'failed'::text, 'removed'::text])))
--   CREATE INDEX crm_links_failed_idx ON public.crm_links USING btree (organization_id, portal_id, kind, source_id) WHERE (state = 'failed'::text)
--   CREATE INDEX crm_links_record_idx ON public.crm_links USING btree (organization_id, portal_id, kind, record_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())
--   CREATE TRIGGER unsent_added AFTER INSERT ON public.crm_links REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_unsent_of_links()
--   CREATE TRIGGER unsent_changed AFTER UPDATE ON public.crm_links REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_unsent_of_links()
--   CREATE TRIGGER unsent_removed AFTER DELETE ON public.crm_links REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION keep_unsent_of_links()

CREATE OR REPLACE FUNCTION public.keep_unsent_of_links()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
AS $function$
begin
  if not exists (select from push_marks) then
    return null;
  end if;
  if tg_op = 'INSERT' then
    perform settle_unsent(organization_id, portal_id, kind, array_agg(source_id))
       from added join push_marks using (organization_id, portal_id)
      where record_id is not null and state <> 'removed'
      group by organization_id, portal_id, kind;
  elsif tg_op = 'DELETE' then
    -- With the organization itself its marks go too.
    perform settle_unsent(organization_id, portal_id, kind, array_agg(source_id))
       from removed join push_marks using (organization_id, portal_id)
      where record_id is not null and state <> 'removed'
        and exists (select from "organization" as known where known.id = organization_id)
      group by organization_id, portal_id, kind;
  else
    perform settle_unsent(organization_id, portal_id, kind, array_agg(source_id))
       from added join removed using (organization_id, portal_id, kind, source_id)
            join push_marks using (organization_id, portal_id)
      where (added.record_id is null, added.state, added.outdated, added.confirmed_at)
            is distinct from (removed.record_id is null, removed.state, removed.outdated, removed.confirmed_at)
      group by organization_id, portal_id, kind;
  end if;
  return null;
end
$function$;

create table "crm_listings" (
  "organization_id" integer not null,
  "portal_id" text not null,
  "listed_at" timestamp with time zone not null,
  "read_until" timestamp with time zone not null,
  "companies" integer,
  "contacts" integer
);
--   constraint crm_listings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint crm_listings_pkey PRIMARY KEY (organization_id, portal_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "crm_looks" (
  "organization_id" integer not null,
  "portal_id" text not null,
  "kind" text not null,
  "mark" text not null,
  "looked_at" timestamp with time zone not null,
  "known" integer,
  "standing" integer,
  "written_at" timestamp with time zone
);
--   constraint crm_looks_kind_check CHECK ((kind = ANY (ARRAY['subscription'::text, 'event'::text])))
--   constraint crm_looks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint crm_looks_pkey PRIMARY KEY (organization_id, portal_id, kind)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "crm_objects" (
  "organization_id" integer not null,
  "portal_id" text not null,
  "kind" text not null,
  "object_type_id" text,
  "state" text not null default 'missing'::text,
  "reason" text,
  "updated_at" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "advice" text
);
--   constraint crm_objects_kind_check CHECK ((kind = ANY (ARRAY['subscription'::text, 'event'::text])))
--   constraint crm_objects_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint crm_objects_pkey PRIMARY KEY (organization_id, portal_id, kind)
--   constraint crm_objects_state_check CHECK ((state = ANY (ARRAY['ready'::text, 'missing'::text, 'failed'::text])))
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "crm_unsent" (
  "organization_id" integer not null,
  "kind" text not null,
  "source_id" text not null,
  "mrr_status" text,
  "currency" text,
  "mrr_change_cents" bigint,
  "reporting_change_cents" bigint,
  "has_record" boolean not null default false,
  "subscription_id" text,
  "customer_id" text,
  "occurred_at" timestamp with time zone
);
--   constraint crm_unsent_kind_check CHECK ((kind = ANY (ARRAY['subscription'::text, 'event'::text])))
--   constraint crm_unsent_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint crm_unsent_pkey PRIMARY KEY (organization_id, kind, source_id)
--   CREATE INDEX crm_unsent_record_idx ON public.crm_unsent USING btree (organization_id, kind, has_record, source_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "customer_texts" (
  "organization_id" integer not null,
  "number" bigint not null generated always as identity,
  "ids" text[] not null,
  "texts" text not null
);
--   constraint customer_texts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint customer_texts_pkey PRIMARY KEY (organization_id, number)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())
--   with (toast_tuple_target=8160)
--   column ids storage e
--   column texts storage e

create table "customers" (
  "organization_id" integer not null,
  "id" text not null,
  "name" text,
  "email" text,
  "domain" text,
  "is_deleted" boolean not null default false,
  "payment_method" jsonb,
  "created_at" timestamp with time zone not null,
  "is_rebuild_due" boolean not null default true,
  "discounts" jsonb,
  "company_name" text,
  "reporting_mrr_cents" bigint not null default 0,
  "mrr_by_currency" jsonb not null default '{}'::jsonb,
  "is_attached" boolean not null default false,
  "customer_account" text,
  "erasure_id" text,
  "unconverted_by_currency" jsonb not null default '{}'::jsonb,
  "is_subscriber" boolean not null default false,
  "first_paid_at" timestamp with time zone,
  "first_paid_month" text,
  "search_text" text not null generated always as (folded((((((COALESCE(name, ''::text) || chr(10)) || COALESCE(email, ''::text)) || chr(10)) || COALESCE(company_name, ''::text)) ||
CASE
    WHEN ((domain IS NULL) OR ("right"(lower(email), length(domain)) = lower(domain))) THEN ''::text
    ELSE (chr(10) || domain)
END))) stored
);
--   constraint customers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint customers_pkey PRIMARY KEY (organization_id, id)
--   CREATE INDEX customers_account_idx ON public.customers USING btree (organization_id) WHERE (customer_account IS NOT NULL)
--   CREATE INDEX customers_cohort_idx ON public.customers USING btree (organization_id, first_paid_month, id) WHERE (first_paid_month IS NOT NULL)
--   CREATE INDEX customers_company_idx ON public.customers USING btree (organization_id, folded(COALESCE(company_name, name)), id)
--   CREATE INDEX customers_email_idx ON public.customers USING btree (organization_id, lower(email), id)
--   CREATE INDEX customers_erased_idx ON public.customers USING btree (organization_id, id) WHERE (erasure_id IS NOT NULL)
--   CREATE INDEX customers_filters_idx ON public.customers USING btree (organization_id, id) INCLUDE (is_attached, first_paid_month)
--   CREATE INDEX customers_first_paid_idx ON public.customers USING btree (organization_id, first_paid_at, id) INCLUDE (is_subscriber, is_attached)
--   CREATE INDEX customers_mrr_idx ON public.customers USING btree (organization_id, reporting_mrr_cents DESC, id) INCLUDE (is_subscriber, is_attached)
--   CREATE INDEX customers_name_idx ON public.customers USING btree (organization_id, folded(name), id) INCLUDE (is_subscriber, is_attached)
--   CREATE INDEX customers_nameless_idx ON public.customers USING btree (organization_id, id) INCLUDE (is_subscriber, is_attached) WHERE (name IS NULL)
--   CREATE INDEX customers_rebuild_due_idx ON public.customers USING btree (organization_id, created_at DESC, id) WHERE is_rebuild_due
--   CREATE INDEX customers_unattached_idx ON public.customers USING btree (organization_id, id) WHERE (NOT is_attached)
--   CREATE INDEX customers_without_email_idx ON public.customers USING btree (organization_id, id) WHERE (email IS NULL)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())
--   CREATE TRIGGER outdated_changed AFTER UPDATE ON public.customers REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION mark_outdated()
--   CREATE TRIGGER push_added AFTER INSERT ON public.customers REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_push_due()
--   CREATE TRIGGER push_changed AFTER UPDATE ON public.customers REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_push_due()
--   CREATE TRIGGER texts_added AFTER INSERT ON public.customers REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_customer_texts()
--   CREATE TRIGGER texts_changed AFTER UPDATE ON public.customers REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION renew_customer_texts()

CREATE OR REPLACE FUNCTION public.keep_customer_texts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into customer_texts (organization_id, ids, texts)
  select organization_id, array_agg(id), string_agg(translate(search_text, chr(30), ' '), chr(30))
    from (select organization_id, id, search_text, row_number() over () / 25 as part
            from added where btrim(search_text, chr(10)) <> '') as named
   group by organization_id, part;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.mark_outdated()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
AS $function$
begin
  if not exists (select from push_marks) then
    return null;
  end if;
  if tg_table_name = 'customers' then
    perform add_outdated_of_customers(organization_id, portal_id, array_agg(id))
       from added join removed using (organization_id, id) join push_marks using (organization_id)
      where (added.name, added.email) is distinct from (removed.name, removed.email)
      group by organization_id, portal_id;
  elsif tg_table_name = 'subscriptions' then
    perform add_outdated(organization_id, portal_id, 'subscription', array_agg(id))
       from added join removed using (organization_id, id) join push_marks using (organization_id)
      where (added.reporting_mrr_cents, added.reporting_rate)
            is distinct from (removed.reporting_mrr_cents, removed.reporting_rate)
      group by organization_id, portal_id;
  else
    perform add_outdated(organization_id, portal_id, 'event', array_agg(id))
       from added join removed using (organization_id, id) join push_marks using (organization_id)
      where (added.reporting_change_cents, added.reporting_rate)
            is distinct from (removed.reporting_change_cents, removed.reporting_rate)
      group by organization_id, portal_id;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_push_due()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
AS $function$
begin
  if not exists (select from push_marks) then
    return null;
  end if;
  if tg_op = 'INSERT' and tg_table_name = 'customers' then
    insert into push_due (organization_id, customer_id)
    select organization_id, id from added where organization_id in (select organization_id from push_marks);
  elsif tg_op = 'INSERT' then
    insert into push_due (organization_id, customer_id)
    select distinct organization_id, customer_id from added
     where customer_id is not null and organization_id in (select organization_id from push_marks);
  elsif tg_op = 'DELETE' then
    -- With the organization itself its marks go too.
    insert into push_due (organization_id, customer_id, event_id)
    select organization_id, coalesce(customer_id, ''), case tg_table_name when 'events' then to_jsonb(removed) ->> 'id' end
      from removed
     where exists (select from "organization" as known where known.id = organization_id)
       and organization_id in (select organization_id from push_marks);
  elsif tg_table_name = 'customers' then
    insert into push_due (organization_id, customer_id)
    select organization_id, id from added join removed using (organization_id, id)
     where (added.name, added.email) is distinct from (removed.name, removed.email)
       and organization_id in (select organization_id from push_marks);
  elsif tg_table_name = 'matches' then
    insert into push_due (organization_id, customer_id)
    select organization_id, customer_id from added join removed using (organization_id, customer_id, portal_id)
     where (added.state, added.company_record_id, added.contact_record_id)
           is distinct from (removed.state, removed.company_record_id, removed.contact_record_id)
       and organization_id in (select organization_id from push_marks);
  elsif tg_table_name = 'subscriptions' then
    insert into push_due (organization_id, customer_id)
    select distinct organization_id, unnest(array[added.customer_id, removed.customer_id])
      from added join removed using (organization_id, id)
     where (added.customer_id, added.updated_at, added.status, added.current_mrr_cents, added.quantity,
            added.unsupported_reason, added.reporting_mrr_cents, added.reporting_rate)
           is distinct from (removed.customer_id, removed.updated_at, removed.status, removed.current_mrr_cents,
            removed.quantity, removed.unsupported_reason, removed.reporting_mrr_cents, removed.reporting_rate)
       and organization_id in (select organization_id from push_marks);
  else
    insert into push_due (organization_id, customer_id)
    select distinct organization_id, customer
      from added join removed using (organization_id, id),
           unnest(array[added.customer_id, removed.customer_id]) as customer
     where customer is not null
       and (added.customer_id, added.updated_at, added.mrr_change_cents, added.reporting_change_cents,
            added.reporting_rate)
           is distinct from (removed.customer_id, removed.updated_at, removed.mrr_change_cents,
            removed.reporting_change_cents, removed.reporting_rate)
       and organization_id in (select organization_id from push_marks);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.renew_customer_texts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into customer_texts (organization_id, ids, texts)
  select organization_id, array_agg(id), string_agg(translate(search_text, chr(30), ' '), chr(30))
    from (select organization_id, id, search_text, row_number() over () / 25 as part
            from (select organization_id, id, search_text, 1 as difference from added
                  union all select organization_id, id, search_text, -1 from removed) as both_sides
           where btrim(search_text, chr(10)) <> ''
           group by organization_id, id, search_text having sum(difference) > 0) as changed
   group by organization_id, part;
  return null;
end
$function$;

create table "deletions" (
  "kind" text not null,
  "subject_id" integer not null,
  "subject_created_at" timestamp with time zone not null,
  "deleted_at" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "crm_revoked" boolean
);
--   constraint deletions_kind_check CHECK ((kind = ANY (ARRAY['organization'::text, 'account'::text])))
--   constraint deletions_pkey PRIMARY KEY (kind, subject_id, subject_created_at)

create table "domain_claims" (
  "domain" text not null,
  "organization_id" integer not null,
  "claimed_at" timestamp with time zone not null default CURRENT_TIMESTAMP
);
--   constraint domain_claims_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint domain_claims_pkey PRIMARY KEY (domain)
--   CREATE INDEX domain_claims_organization_idx ON public.domain_claims USING btree (organization_id)

create table "erased_words" (
  "organization_id" integer not null,
  "kind" text not null,
  "hash" text not null,
  "erasure_id" text not null
);
--   constraint erased_words_kind_check CHECK ((kind = ANY (ARRAY['address'::text, 'name'::text, 'host'::text])))
--   constraint erased_words_organization_id_erasure_id_fkey FOREIGN KEY (organization_id, erasure_id) REFERENCES erasures(organization_id, id) ON DELETE CASCADE
--   constraint erased_words_pkey PRIMARY KEY (organization_id, kind, hash, erasure_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "erasure_keys" (
  "organization_id" integer not null,
  "sealed_secret" text not null
);
--   constraint erasure_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint erasure_keys_pkey PRIMARY KEY (organization_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "erasures" (
  "organization_id" integer not null,
  "id" text not null,
  "pseudonym" text not null,
  "reason" text not null,
  "erased_at" timestamp with time zone not null,
  "counts" jsonb not null,
  "crm_rewritten_at" timestamp with time zone,
  "crm_portal_id" text,
  "crm_contact_record_id" text,
  "crm_company_record_id" text,
  "crm_deleted_at" timestamp with time zone
);
--   constraint erasures_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint erasures_pkey PRIMARY KEY (organization_id, id)
--   constraint erasures_reason_check CHECK ((reason = ANY (ARRAY['asked'::text, 'redacted'::text, 'deleted'::text])))
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "events" (
  "organization_id" integer not null,
  "id" text not null,
  "subscription_id" text not null,
  "customer_id" text,
  "invoice_id" text,
  "occurred_at" timestamp with time zone not null,
  "position" integer not null,
  "mrr_status" text not null,
  "change_type" text not null,
  "previous_mrr_cents" bigint not null,
  "current_mrr_cents" bigint not null,
  "mrr_change_cents" bigint not null,
  "previous_quantity" bigint not null,
  "current_quantity" bigint not null,
  "currency" text not null,
  "product_name" text,
  "payment_method" text,
  "receipt" json,
  "updated_at" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "reporting_change_cents" bigint,
  "reporting_rate" text
);
--   constraint events_check CHECK ((mrr_change_cents = (current_mrr_cents - previous_mrr_cents)))
--   constraint events_pkey PRIMARY KEY (organization_id, id)
--   CREATE INDEX events_change_idx ON public.events USING btree (organization_id, reporting_change_cents DESC, occurred_at DESC, "position" DESC, id) INCLUDE (subscription_id, customer_id, mrr_status, currency, mrr_change_cents, product_name)
--   CREATE INDEX events_customer_idx ON public.events USING btree (organization_id, customer_id, occurred_at DESC, "position" DESC, id) INCLUDE (subscription_id, mrr_status, currency, mrr_change_cents, reporting_change_cents)
--   CREATE INDEX events_newest_idx ON public.events USING btree (organization_id, occurred_at DESC, "position" DESC, id) INCLUDE (subscription_id, customer_id, mrr_status, currency, mrr_change_cents, reporting_change_cents, product_name)
--   CREATE INDEX events_paying_idx ON public.events USING btree (organization_id, customer_id, occurred_at) INCLUDE (current_mrr_cents) WHERE (((current_mrr_cents > 0) <> (previous_mrr_cents > 0)) AND (mrr_status <> 'Planned_Cancellation'::text))
--   CREATE INDEX events_product_idx ON public.events USING btree (organization_id, product_name, occurred_at DESC, "position" DESC, id) INCLUDE (mrr_status)
--   CREATE INDEX events_status_idx ON public.events USING btree (organization_id, mrr_status, occurred_at DESC, "position" DESC, id)
--   CREATE INDEX events_subscription_idx ON public.events USING btree (organization_id, subscription_id, occurred_at DESC, "position" DESC)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())
--   CREATE TRIGGER outdated_changed AFTER UPDATE ON public.events REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION mark_outdated()
--   CREATE TRIGGER push_added AFTER INSERT ON public.events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_push_due()
--   CREATE TRIGGER push_changed AFTER UPDATE ON public.events REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_push_due()
--   CREATE TRIGGER push_removed AFTER DELETE ON public.events REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION note_push_due()
--   CREATE TRIGGER unsent_added AFTER INSERT ON public.events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_unsent_of_rows('event')
--   CREATE TRIGGER unsent_changed AFTER UPDATE ON public.events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_unsent_sums()
--   CREATE TRIGGER unsent_moved AFTER UPDATE ON public.events REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_unsent_of_rows('event')
--   CREATE TRIGGER unsent_removed AFTER DELETE ON public.events REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION keep_unsent_of_rows('event')
--   column receipt statistics 0

CREATE OR REPLACE FUNCTION public.keep_unsent_of_rows()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
AS $function$
begin
  if not exists (select from push_marks) then
    return null;
  end if;
  if tg_op = 'INSERT' then
    perform settle_unsent(organization_id, portal_id, tg_argv[0], array_agg(id))
       from added join push_marks using (organization_id) group by organization_id, portal_id;
  elsif tg_op = 'DELETE' then
    perform settle_unsent(organization_id, portal_id, tg_argv[0], array_agg(id))
       from removed join push_marks using (organization_id) group by organization_id, portal_id;
  elsif tg_argv[0] = 'subscription' then
    perform settle_unsent(organization_id, portal_id, 'subscription', array_agg(id))
       from added join removed using (organization_id, id) join push_marks using (organization_id)
      where added.updated_at <> removed.updated_at
      group by organization_id, portal_id;
  else
    perform settle_unsent(organization_id, portal_id, 'event', array_agg(id))
       from added join removed using (organization_id, id) join push_marks using (organization_id)
      where (added.updated_at, added.subscription_id, added.customer_id, added.occurred_at)
            is distinct from (removed.updated_at, removed.subscription_id, removed.customer_id, removed.occurred_at)
      group by organization_id, portal_id;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.keep_unsent_sums()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
begin
  if not exists (select from push_marks) then
    return null;
  end if;
  update crm_unsent u
     set mrr_status = added.mrr_status, currency = added.currency, mrr_change_cents = added.mrr_change_cents,
         reporting_change_cents = added.reporting_change_cents
    from added
   where u.organization_id = added.organization_id and u.kind = 'event' and u.source_id = added.id
     and (u.mrr_status, u.currency, u.mrr_change_cents, u.reporting_change_cents)
         is distinct from (added.mrr_status, added.currency, added.mrr_change_cents, added.reporting_change_cents);
  return null;
end
$function$;

create table "former_addresses" (
  "user_id" integer not null,
  "email" text not null
);
--   constraint former_addresses_pkey PRIMARY KEY (user_id, email)
--   constraint former_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE

create table "freshness" (
  "organization_id" integer not null,
  "subscription_id" text not null,
  "changed_at" timestamp with time zone not null,
  "ledger_at" timestamp with time zone not null,
  "crm_at" timestamp with time zone
);
--   constraint freshness_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint freshness_pkey PRIMARY KEY (organization_id, subscription_id)
--   CREATE INDEX freshness_changed_idx ON public.freshness USING btree (organization_id, changed_at)
--   CREATE INDEX freshness_waiting_idx ON public.freshness USING btree (organization_id) WHERE (crm_at IS NULL)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "import_objects" (
  "organization_id" integer not null,
  "run_id" text not null,
  "kind" text not null,
  "id" text not null,
  "is_found" boolean
);
--   constraint import_objects_organization_id_run_id_fkey FOREIGN KEY (organization_id, run_id) REFERENCES runs(organization_id, id) ON DELETE CASCADE
--   constraint import_objects_pkey PRIMARY KEY (organization_id, run_id, kind, id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "import_plans" (
  "organization_id" integer not null,
  "run_id" text not null,
  "mode" text not null,
  "is_full" boolean not null,
  "are_customers_read" boolean not null,
  "events_until" bigint,
  "clock_at" bigint,
  "figures_stand" boolean not null
);
--   constraint import_plans_mode_check CHECK ((mode = ANY (ARRAY['first'::text, 'again'::text])))
--   constraint import_plans_organization_id_run_id_fkey FOREIGN KEY (organization_id, run_id) REFERENCES runs(organization_id, id) ON DELETE CASCADE
--   constraint import_plans_pkey PRIMARY KEY (organization_id, run_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "import_windows" (
  "organization_id" integer not null,
  "run_id" text not null,
  "id" text not null,
  "kind" text not null,
  "created_from" bigint,
  "created_until" bigint,
  "oldest_at" bigint,
  "cursor_id" text,
  "cursor_at" bigint,
  "all_pages_read" boolean not null default false,
  "incomplete_ids" text[] not null default '{}'::text[],
  "incomplete_customer_ids" text[] not null default '{}'::text[],
  "done_count" integer not null default 0,
  "is_done" boolean not null default false,
  "holder" text,
  "lease_until" timestamp with time zone
);
--   constraint import_windows_organization_id_run_id_fkey FOREIGN KEY (organization_id, run_id) REFERENCES runs(organization_id, id) ON DELETE CASCADE
--   constraint import_windows_pkey PRIMARY KEY (organization_id, run_id, id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "invitation" (
  "id" integer not null generated by default as identity,
  "organizationId" integer not null,
  "email" text not null,
  "role" text not null,
  "status" text not null,
  "expiresAt" timestamp with time zone not null,
  "createdAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "inviterId" integer not null,
  "token" text not null,
  "mailFailedAt" timestamp with time zone
);
--   constraint invitation_inviterId_fkey FOREIGN KEY ("inviterId") REFERENCES "user"(id) ON DELETE CASCADE
--   constraint invitation_organizationId_fkey FOREIGN KEY ("organizationId") REFERENCES organization(id) ON DELETE CASCADE
--   constraint invitation_pkey PRIMARY KEY (id)
--   constraint invitation_role CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text])))
--   CREATE INDEX "invitation_organizationId_idx" ON public.invitation USING btree ("organizationId")
--   CREATE INDEX invitation_email_idx ON public.invitation USING btree (email)
--   CREATE UNIQUE INDEX invitation_open_idx ON public.invitation USING btree ("organizationId", email) WHERE (status = 'pending'::text)
--   CREATE UNIQUE INDEX invitation_token_idx ON public.invitation USING btree (token)

create table "invoice_payments" (
  "organization_id" integer not null,
  "id" text not null,
  "invoice_id" text not null,
  "payment_method" jsonb,
  "created_at" timestamp with time zone not null
);
--   constraint invoice_payments_pkey PRIMARY KEY (organization_id, id)
--   CREATE INDEX invoice_payments_invoice_idx ON public.invoice_payments USING btree (organization_id, invoice_id) WHERE (payment_method IS NOT NULL)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())
--   column payment_method statistics 0

create table "invoices" (
  "organization_id" integer not null,
  "id" text not null,
  "customer_id" text,
  "subscription_id" text,
  "status" text,
  "billing_reason" text,
  "currency" text not null,
  "number" text,
  "customer_name" text,
  "customer_email" text,
  "total_discount_cents" bigint not null,
  "discounts" jsonb,
  "lines" json not null,
  "created_at" timestamp with time zone not null,
  "finalized_at" timestamp with time zone,
  "uncollectible_at" timestamp with time zone,
  "price_ids" text[] not null default '{}'::text[],
  "customer_account" text,
  "billing_v2_cents" bigint
);
--   constraint invoices_pkey PRIMARY KEY (organization_id, id)
--   CREATE INDEX invoices_account_idx ON public.invoices USING btree (organization_id) WHERE (customer_account IS NOT NULL)
--   CREATE INDEX invoices_billing_v2_idx ON public.invoices USING btree (organization_id) WHERE (billing_v2_cents IS NOT NULL)
--   CREATE INDEX invoices_customer_idx ON public.invoices USING btree (organization_id, customer_id)
--   CREATE INDEX invoices_number_idx ON public.invoices USING btree (organization_id, number) WHERE (number IS NOT NULL)
--   CREATE INDEX invoices_unattached_idx ON public.invoices USING btree (organization_id, id) WHERE (customer_id IS NULL)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())
--   column billing_v2_cents statistics 0
--   column customer_account statistics 0
--   column discounts statistics 0
--   column lines statistics 0
--   column price_ids statistics 0

create table "last_backup" (
  "is_only" boolean not null default true,
  "completed_at" timestamp with time zone not null default CURRENT_TIMESTAMP
);
--   constraint last_backup_is_only_check CHECK (is_only)
--   constraint last_backup_pkey PRIMARY KEY (is_only)

create table "list_totals" (
  "organization_id" integer not null,
  "list" text not null,
  "status" text not null,
  "part" text not null,
  "number" bigint not null generated always as identity,
  "row_count" bigint not null,
  "earning_count" bigint not null,
  "mrr_cents" bigint not null,
  "reporting_cents" bigint not null default 0,
  "unconverted_cents" bigint not null default 0,
  "unconverted_count" bigint not null default 0
);
--   constraint list_totals_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint list_totals_pkey PRIMARY KEY (organization_id, list, status, part, number)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "list_views" (
  "organization_id" integer not null,
  "user_id" integer not null,
  "list" text not null,
  "name" text not null,
  "query" text not null,
  "created_at" timestamp with time zone not null default CURRENT_TIMESTAMP
);
--   constraint list_views_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint list_views_pkey PRIMARY KEY (organization_id, user_id, list, name)
--   constraint list_views_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE
--   CREATE UNIQUE INDEX list_views_name_idx ON public.list_views USING btree (organization_id, user_id, list, lower(name))
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "match_decisions" (
  "organization_id" integer not null,
  "portal_id" text not null,
  "customer_id" text not null,
  "position" bigint not null generated always as identity,
  "decision_id" text not null,
  "action" text not null,
  "decided_by" integer,
  "decided_at" timestamp with time zone not null,
  "state" text not null,
  "company_record_id" text,
  "state_before" text not null,
  "evidence_before" text not null,
  "company_before" text
);
--   constraint match_decisions_action_check CHECK ((action = ANY (ARRAY['attached'::text, 'created'::text, 'ignored'::text, 'unlinked'::text, 'restored'::text])))
--   constraint match_decisions_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES "user"(id) ON DELETE SET NULL
--   constraint match_decisions_organization_id_customer_id_portal_id_fkey FOREIGN KEY (organization_id, customer_id, portal_id) REFERENCES matches(organization_id, customer_id, portal_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
--   constraint match_decisions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint match_decisions_pkey PRIMARY KEY (organization_id, portal_id, customer_id, "position")
--   CREATE INDEX match_decisions_by_idx ON public.match_decisions USING btree (decided_by)
--   CREATE INDEX match_decisions_id_idx ON public.match_decisions USING btree (organization_id, decision_id)
--   CREATE INDEX match_decisions_recent_idx ON public.match_decisions USING btree (organization_id, portal_id, decided_at)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "match_rules" (
  "organization_id" integer not null,
  "portal_id" text not null,
  "domain" text not null,
  "kind" text not null,
  "company_record_id" text,
  "company_name" text,
  "created_at" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "created_by" integer,
  "decision_id" text
);
--   constraint match_rules_check CHECK (((kind = 'always'::text) = (company_record_id IS NOT NULL)))
--   constraint match_rules_created_by_fkey FOREIGN KEY (created_by) REFERENCES "user"(id) ON DELETE SET NULL
--   constraint match_rules_kind_check CHECK ((kind = ANY (ARRAY['always'::text, 'never'::text])))
--   constraint match_rules_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint match_rules_pkey PRIMARY KEY (organization_id, portal_id, domain)
--   CREATE INDEX match_rules_by_idx ON public.match_rules USING btree (created_by)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "matches" (
  "organization_id" integer not null,
  "customer_id" text not null,
  "portal_id" text not null,
  "state" text not null,
  "company_record_id" text,
  "company_name" text,
  "contact_record_id" text,
  "evidence" text not null,
  "candidates" jsonb not null default '[]'::jsonb,
  "updated_at" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "revision" integer not null default 1,
  "contact_problem" text,
  "contact_problem_email" text,
  "contact_for" text
);
--   constraint matches_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint matches_pkey PRIMARY KEY (organization_id, customer_id, portal_id)
--   constraint matches_state_check CHECK ((state = ANY (ARRAY['linked'::text, 'pending'::text, 'ignored'::text])))
--   CREATE INDEX matches_company_idx ON public.matches USING hash (company_record_id)
--   CREATE INDEX matches_lone_idx ON public.matches USING btree (organization_id, portal_id, customer_id) WHERE ((state = 'linked'::text) AND (contact_record_id IS NULL))
--   CREATE INDEX matches_pending_idx ON public.matches USING btree (organization_id, portal_id) WHERE (state = 'pending'::text)
--   CREATE INDEX matches_state_idx ON public.matches USING btree (organization_id, portal_id, state, customer_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())
--   CREATE TRIGGER matches_added AFTER INSERT ON public.matches REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION name_companies_of_matches()
--   CREATE TRIGGER matches_changed AFTER UPDATE ON public.matches REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION name_companies_of_matches()
--   CREATE TRIGGER matches_removed AFTER DELETE ON public.matches REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION name_companies_of_matches()
--   CREATE TRIGGER push_added AFTER INSERT ON public.matches REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_push_due()
--   CREATE TRIGGER push_changed AFTER UPDATE ON public.matches REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_push_due()
--   CREATE TRIGGER push_removed AFTER DELETE ON public.matches REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION note_push_due()

CREATE OR REPLACE FUNCTION public.name_companies_of_matches()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    perform name_companies(organization_id, array_agg(customer_id)) from removed group by organization_id;
  else
    perform name_companies(organization_id, array_agg(customer_id)) from added group by organization_id;
  end if;
  return null;
end
$function$;

create table "member" (
  "id" integer not null generated by default as identity,
  "organizationId" integer not null,
  "userId" integer not null,
  "role" text not null,
  "createdAt" timestamp with time zone not null,
  "wantsAlerts" boolean not null default true
);
--   constraint member_organizationId_fkey FOREIGN KEY ("organizationId") REFERENCES organization(id) ON DELETE CASCADE
--   constraint member_pkey PRIMARY KEY (id)
--   constraint member_role CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text])))
--   constraint member_userId_fkey FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE
--   CREATE INDEX "member_organizationId_idx" ON public.member USING btree ("organizationId")
--   CREATE INDEX "member_userId_idx" ON public.member USING btree ("userId")
--   CREATE UNIQUE INDEX "member_organizationId_userId_idx" ON public.member USING btree ("organizationId", "userId")

create table "movement_totals" (
  "organization_id" integer not null,
  "dimension" text not null,
  "number" bigint not null generated always as identity,
  "value" text not null,
  "month" text not null,
  "movement" text not null,
  "currency" text not null,
  "event_count" bigint not null,
  "change_cents" bigint not null,
  "reporting_cents" bigint not null,
  "unconverted_count" bigint not null,
  "unconverted_cents" bigint not null,
  "customer_count" bigint not null,
  "subscription_count" bigint not null default 0
);
--   constraint movement_totals_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint movement_totals_pkey PRIMARY KEY (organization_id, dimension, number)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "mrr_policies" (
  "organization_id" integer not null,
  "revision" integer not null,
  "switches" jsonb not null,
  "created_at" timestamp with time zone not null default CURRENT_TIMESTAMP
);
--   constraint mrr_policies_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint mrr_policies_pkey PRIMARY KEY (organization_id, revision)
--   constraint mrr_policies_revision_check CHECK ((revision > 0))
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "mrr_sightings" (
  "organization_id" integer not null,
  "id" text not null,
  "subscription_id" text not null,
  "seen_at" timestamp with time zone not null,
  "state_key" text not null
);
--   constraint mrr_sightings_organization_id_subscription_id_fkey FOREIGN KEY (organization_id, subscription_id) REFERENCES subscriptions(organization_id, id) ON DELETE CASCADE
--   constraint mrr_sightings_pkey PRIMARY KEY (organization_id, id)
--   CREATE INDEX mrr_sightings_subscription_idx ON public.mrr_sightings USING btree (organization_id, subscription_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "oauth_states" (
  "organization_id" integer not null,
  "state_hash" text not null,
  "user_id" integer not null,
  "session_id" integer not null,
  "return_to" text not null,
  "expires_at" timestamp with time zone not null
);
--   constraint oauth_states_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint oauth_states_pkey PRIMARY KEY (organization_id, state_hash)
--   constraint oauth_states_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "organization" (
  "id" integer not null generated by default as identity,
  "name" text not null,
  "slug" text not null,
  "logo" text,
  "createdAt" timestamp with time zone not null,
  "metadata" text
);
--   constraint organization_pkey PRIMARY KEY (id)
--   constraint organization_slug_key UNIQUE (slug)
--   CREATE TRIGGER bulk_tables BEFORE DELETE ON public.organization FOR EACH ROW EXECUTE FUNCTION empty_bulk_tables()

CREATE OR REPLACE FUNCTION public.empty_bulk_tables()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  named text := current_setting('app.organization_id', true);
begin
  -- The lock of the organization's run: writes that are under way end first, and later ones find no run.
  perform pg_advisory_xact_lock(740113, old.id);
  perform set_config('app.organization_id', old.id::text, true);
  delete from events where organization_id = old.id;
  delete from invoice_payments where organization_id = old.id;
  delete from invoices where organization_id = old.id;
  perform set_config('app.organization_id', coalesce(named, ''), true);
  return old;
end
$function$;

create table "organization_rates" (
  "organization_id" integer not null,
  "source" text not null,
  "day" date not null,
  "base" text not null,
  "revision" integer not null,
  "rates" jsonb not null,
  "recorded_at" timestamp with time zone not null
);
--   constraint organization_rates_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint organization_rates_pkey PRIMARY KEY (organization_id, source, day, base, revision)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "organization_settings" (
  "organization_id" integer not null,
  "current_step" text not null default 'hubspot'::text,
  "setup_complete" boolean not null default false,
  "forgotten_import_id" text,
  "forgotten_push_id" text,
  "auto_sync_enabled" boolean not null default true,
  "auto_create_contacts" boolean not null default true,
  "auto_create_companies" boolean not null default true,
  "created_at" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "updated_at" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "erases_deleted_customers" boolean not null default false,
  "reporting_currency" text,
  "is_reporting_decided" boolean not null default false,
  "conversion_method" text not null default 'booked'::text,
  "rates_source" text not null default 'ecb'::text
);
--   constraint organization_settings_conversion_method_check CHECK ((conversion_method = ANY (ARRAY['booked'::text, 'revalued'::text])))
--   constraint organization_settings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint organization_settings_pkey PRIMARY KEY (organization_id)
--   constraint organization_settings_rates_source_check CHECK ((rates_source = ANY (ARRAY['ecb'::text, 'csv'::text, 'crm'::text])))
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "outbound_hold" (
  "only_one" boolean not null default true,
  "held_since" timestamp with time zone not null default now()
);
--   constraint outbound_hold_only_one_check CHECK (only_one)
--   constraint outbound_hold_pkey PRIMARY KEY (only_one)

create table "outbox" (
  "id" bigint not null generated always as identity,
  "recipient" text not null,
  "subject" text not null,
  "body" text not null,
  "link" text,
  "created_at" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "attempts" integer not null default 0,
  "next_attempt_at" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "invitation_id" integer,
  "failed_at" timestamp with time zone
);
--   constraint outbox_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES invitation(id) ON DELETE SET NULL
--   constraint outbox_pkey PRIMARY KEY (id)
--   CREATE INDEX outbox_invitation_idx ON public.outbox USING btree (invitation_id)

create table "paces" (
  "account" text not null,
  "bucket" text not null,
  "taken_ms" double precision[] not null default '{}'::double precision[],
  "share" double precision not null default 1,
  "paused_until_ms" double precision not null default 0
);
--   constraint paces_pkey PRIMARY KEY (account, bucket)
--   constraint paces_share_check CHECK (((share > (0)::double precision) AND (share <= (1)::double precision)))
--   unlogged
--   with (fillfactor=50)

create table "payment_changes" (
  "organization_id" integer not null,
  "id" text not null,
  "happened_at" timestamp with time zone not null,
  "received_at" timestamp with time zone,
  "objects" jsonb,
  "run_id" text,
  "settled_at" timestamp with time zone
);
--   constraint payment_changes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint payment_changes_pkey PRIMARY KEY (organization_id, id)
--   CREATE INDEX payment_changes_happened_idx ON public.payment_changes USING btree (organization_id, happened_at)
--   CREATE INDEX payment_changes_pending_idx ON public.payment_changes USING btree (organization_id) WHERE ((settled_at IS NULL) AND (received_at IS NOT NULL))
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "payment_mirrors" (
  "organization_id" integer not null,
  "account_id" text,
  "is_live" boolean not null,
  "refreshed_at" timestamp with time zone,
  "events_until" timestamp with time zone,
  "rule_book_version" integer not null default 0,
  "policy_revision" integer not null default 0,
  "customers_read_at" timestamp with time zone,
  "movements_counted_at" timestamp with time zone
);
--   constraint payment_mirrors_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint payment_mirrors_pkey PRIMARY KEY (organization_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "payment_webhooks" (
  "organization_id" integer not null,
  "sealed_secret" text not null,
  "secret_hint" text not null,
  "accepted_at" timestamp with time zone,
  "refused_at" timestamp with time zone,
  "other_mode_at" timestamp with time zone
);
--   constraint payment_webhooks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint payment_webhooks_pkey PRIMARY KEY (organization_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "prices" (
  "organization_id" integer not null,
  "id" text not null,
  "product_id" text,
  "body" jsonb not null
);
--   constraint prices_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint prices_pkey PRIMARY KEY (organization_id, id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "products" (
  "organization_id" integer not null,
  "id" text not null,
  "name" text not null,
  "is_active" boolean not null,
  "created_at" timestamp with time zone not null
);
--   constraint products_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint products_pkey PRIMARY KEY (organization_id, id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "push_due" (
  "organization_id" integer not null,
  "number" bigint not null generated always as identity,
  "customer_id" text not null,
  "event_id" text
);
--   constraint push_due_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint push_due_pkey PRIMARY KEY (organization_id, number)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "push_marks" (
  "organization_id" integer not null,
  "portal_id" text not null,
  "basis" text not null,
  "compared_at" timestamp with time zone
);
--   constraint push_marks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint push_marks_pkey PRIMARY KEY (organization_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "rate_readings" (
  "source" text not null,
  "tried_at" timestamp with time zone not null,
  "read_at" timestamp with time zone
);
--   constraint rate_readings_pkey PRIMARY KEY (source)

create table "recount_customers" (
  "organization_id" integer not null,
  "recount_id" bigint not null,
  "customer_id" text not null,
  "currency" text not null,
  "mrr_before_cents" bigint not null,
  "mrr_after_cents" bigint not null,
  "event_count" integer not null default 0
);
--   constraint recount_customers_organization_id_recount_id_fkey FOREIGN KEY (organization_id, recount_id) REFERENCES recounts(organization_id, id) ON DELETE CASCADE
--   constraint recount_customers_pkey PRIMARY KEY (organization_id, recount_id, customer_id, currency)
--   CREATE INDEX recount_customers_largest_idx ON public.recount_customers USING btree (organization_id, recount_id, abs((mrr_after_cents - mrr_before_cents)) DESC, customer_id, currency)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "recount_months" (
  "organization_id" integer not null,
  "recount_id" bigint not null,
  "month" text not null,
  "currency" text not null,
  "mrr_before_cents" bigint not null default 0,
  "mrr_after_cents" bigint not null default 0,
  "subscriptions_before" integer not null default 0,
  "subscriptions_after" integer not null default 0
);
--   constraint recount_months_organization_id_recount_id_fkey FOREIGN KEY (organization_id, recount_id) REFERENCES recounts(organization_id, id) ON DELETE CASCADE
--   constraint recount_months_pkey PRIMARY KEY (organization_id, recount_id, month, currency)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "recount_records" (
  "organization_id" integer not null,
  "recount_id" bigint not null,
  "kind" text not null,
  "source_id" text not null,
  "customer_id" text not null,
  "currency" text not null,
  "label" text not null,
  "before" jsonb,
  "after" jsonb,
  "is_in_crm" boolean not null
);
--   constraint recount_records_kind_check CHECK ((kind = ANY (ARRAY['subscription'::text, 'event'::text])))
--   constraint recount_records_organization_id_recount_id_fkey FOREIGN KEY (organization_id, recount_id) REFERENCES recounts(organization_id, id) ON DELETE CASCADE
--   constraint recount_records_pkey PRIMARY KEY (organization_id, recount_id, kind, source_id)
--   CREATE INDEX recount_records_customer_idx ON public.recount_records USING btree (organization_id, recount_id, customer_id, kind DESC, source_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "recounts" (
  "organization_id" integer not null,
  "id" bigint not null generated by default as identity,
  "from_rules" integer not null,
  "to_rules" integer not null,
  "from_policy" integer not null,
  "to_policy" integer not null,
  "started_at" timestamp with time zone not null,
  "completed_at" timestamp with time zone,
  "mrr_before" jsonb not null,
  "mrr_after" jsonb,
  "month_count" integer not null default 0,
  "customer_count" integer not null default 0,
  "record_count" integer not null default 0,
  "crm_record_count" integer not null default 0,
  "read_at" timestamp with time zone,
  "read_by" text
);
--   constraint recounts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint recounts_pkey PRIMARY KEY (organization_id, id)
--   CREATE INDEX recounts_newest_idx ON public.recounts USING btree (organization_id, started_at DESC, id DESC)
--   CREATE UNIQUE INDEX recounts_one_open_idx ON public.recounts USING btree (organization_id) WHERE (completed_at IS NULL)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "reference_rates" (
  "source" text not null,
  "day" date not null,
  "revision" integer not null,
  "base" text not null,
  "rates" jsonb not null,
  "recorded_at" timestamp with time zone not null
);
--   constraint reference_rates_pkey PRIMARY KEY (source, day, revision)

create table "run_errors" (
  "organization_id" integer not null,
  "run_id" text not null,
  "id" bigint not null generated always as identity,
  "source_id" text,
  "message" text not null,
  "created_at" timestamp with time zone not null default CURRENT_TIMESTAMP
);
--   constraint run_errors_organization_id_run_id_fkey FOREIGN KEY (organization_id, run_id) REFERENCES runs(organization_id, id) ON DELETE CASCADE
--   constraint run_errors_pkey PRIMARY KEY (organization_id, run_id, id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "run_logs" (
  "organization_id" integer not null,
  "run_id" text not null,
  "id" bigint not null generated always as identity,
  "line" text not null,
  "created_at" timestamp with time zone not null default CURRENT_TIMESTAMP
);
--   constraint run_logs_organization_id_run_id_fkey FOREIGN KEY (organization_id, run_id) REFERENCES runs(organization_id, id) ON DELETE CASCADE
--   constraint run_logs_pkey PRIMARY KEY (organization_id, run_id, id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "run_records" (
  "organization_id" integer not null,
  "run_id" text not null,
  "kind" text not null,
  "source_id" text not null,
  "subscription_id" text not null,
  "change" text not null,
  "told_before" jsonb,
  "told_after" jsonb,
  "links" jsonb
);
--   constraint run_records_change_check CHECK ((change = ANY (ARRAY['added'::text, 'changed'::text, 'removed'::text, 'linked'::text, 'unlinked'::text])))
--   constraint run_records_kind_check CHECK ((kind = ANY (ARRAY['subscription'::text, 'event'::text])))
--   constraint run_records_organization_id_run_id_fkey FOREIGN KEY (organization_id, run_id) REFERENCES runs(organization_id, id) ON DELETE CASCADE
--   constraint run_records_pkey PRIMARY KEY (organization_id, run_id, kind, source_id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "runs" (
  "organization_id" integer not null,
  "id" text not null,
  "kind" text not null,
  "status" text not null default 'in_progress'::text,
  "options" jsonb not null default '{}'::jsonb,
  "attempt" integer not null default 0,
  "failure_count" integer not null default 0,
  "phase" text,
  "total_records" integer not null default 0,
  "processed_records" integer not null default 0,
  "failed_records" integer not null default 0,
  "message" text not null default ''::text,
  "error" text,
  "created_at" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "claimed_at" timestamp with time zone,
  "completed_at" timestamp with time zone,
  "started_by" text,
  "started_by_user_id" integer,
  "follows_run_id" text,
  "changed_subscriptions" integer,
  "changed_events" integer,
  "changed_links" integer,
  "is_unchanged" boolean not null default false,
  "failed_phase" text,
  "failed_request" jsonb,
  "told_errors" boolean not null default false,
  "created_companies" integer,
  "created_contacts" integer
);
--   constraint runs_kind_check CHECK ((kind = ANY (ARRAY['import'::text, 'push'::text, 'recount'::text])))
--   constraint runs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint runs_pkey PRIMARY KEY (organization_id, id)
--   constraint runs_started_by_user_id_fkey FOREIGN KEY (started_by_user_id) REFERENCES "user"(id) ON DELETE SET NULL
--   constraint runs_status_check CHECK ((status = ANY (ARRAY['in_progress'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
--   CREATE INDEX runs_changed_idx ON public.runs USING btree (organization_id, created_at DESC, id DESC) WHERE (NOT is_unchanged)
--   CREATE INDEX runs_follows_idx ON public.runs USING btree (organization_id, follows_run_id) WHERE (follows_run_id IS NOT NULL)
--   CREATE INDEX runs_newest_idx ON public.runs USING btree (organization_id, created_at DESC, id DESC)
--   CREATE INDEX runs_started_by_idx ON public.runs USING btree (started_by_user_id) WHERE (started_by_user_id IS NOT NULL)
--   CREATE INDEX runs_unchanged_idx ON public.runs USING btree (organization_id, kind, status) WHERE is_unchanged
--   CREATE INDEX runs_with_errors_idx ON public.runs USING btree (organization_id, created_at, id) WHERE ((status = 'failed'::text) OR (failed_records > 0) OR told_errors)
--   CREATE UNIQUE INDEX runs_one_in_progress_idx ON public.runs USING btree (organization_id) WHERE (status = 'in_progress'::text)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "session" (
  "id" integer not null generated by default as identity,
  "expiresAt" timestamp with time zone not null,
  "token" text not null,
  "createdAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "updatedAt" timestamp with time zone not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" integer not null,
  "activeOrganizationId" text
);
--   constraint session_pkey PRIMARY KEY (id)
--   constraint session_token_key UNIQUE (token)
--   constraint session_userId_fkey FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE
--   CREATE INDEX "session_userId_idx" ON public.session USING btree ("userId")
--   CREATE TRIGGER cap_session BEFORE UPDATE ON public.session FOR EACH ROW EXECUTE FUNCTION cap_session()
--   CREATE TRIGGER record_sign_in AFTER INSERT ON public.session FOR EACH ROW EXECUTE FUNCTION record_sign_in()

CREATE OR REPLACE FUNCTION public.cap_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new."expiresAt" := least(new."expiresAt", old."createdAt" + interval '7 days');
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.record_sign_in()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  outer_organization text := current_setting('app.organization_id', true);
  joined record;
begin
  for joined in
    select m."organizationId" as organization_id, u."email" as email
      from "member" m join "user" u on u."id" = m."userId"
     where m."userId" = new."userId" and not u."twoFactorEnabled"
  loop
    perform set_config('app.organization_id', joined.organization_id::text, true);
    insert into audit_log (organization_id, actor_user_id, actor_email, address, action)
      values (joined.organization_id, new."userId", joined.email, nullif(new."ipAddress", ''), 'signed_in');
  end loop;
  perform set_config('app.organization_id', coalesce(outer_organization, ''), true);
  return null;
end
$function$;

create table "sign_ups" (
  "email" text not null,
  "name" text not null,
  "password_hash" text not null,
  "link_hash" text not null,
  "browser_hash" text not null,
  "expires_at" timestamp with time zone not null
);
--   constraint sign_ups_link_hash_key UNIQUE (link_hash)
--   constraint sign_ups_pkey PRIMARY KEY (email)
--   CREATE INDEX sign_ups_expires_at_idx ON public.sign_ups USING btree (expires_at)

create table "snapshots" (
  "organization_id" integer not null,
  "month" text not null,
  "currency" text not null,
  "mrr_cents" bigint not null,
  "active_subscriptions" integer not null,
  "captured_at" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "reporting_cents" bigint not null default 0,
  "unconverted_cents" bigint not null default 0,
  "unconverted_subscriptions" integer not null default 0
);
--   constraint snapshots_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint snapshots_pkey PRIMARY KEY (organization_id, month, currency)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())

create table "subscriptions" (
  "organization_id" integer not null,
  "id" text not null,
  "customer_id" text not null,
  "status" text not null,
  "body" jsonb not null,
  "created_at" timestamp with time zone not null,
  "current_mrr_cents" bigint not null default 0,
  "currency" text not null,
  "quantity" bigint,
  "product_name" text,
  "billing_interval_days" bigint,
  "current_period_start" timestamp with time zone,
  "current_period_end" timestamp with time zone,
  "next_renewal_on" date,
  "unsupported_reason" text,
  "receipt" json,
  "updated_at" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "read_at" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "asked_after" timestamp with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time zone,
  "reporting_mrr_cents" bigint,
  "plan_name" text,
  "size" text,
  "reporting_rate" text
);
--   constraint subscriptions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint subscriptions_pkey PRIMARY KEY (organization_id, id)
--   CREATE INDEX subscriptions_account_idx ON public.subscriptions USING btree (organization_id) WHERE (body ? 'customerAccount'::text)
--   CREATE INDEX subscriptions_canceling_idx ON public.subscriptions USING btree (organization_id, id) WHERE ((quantity IS NOT NULL) AND ((status <> ALL (ARRAY['canceled'::text, 'incomplete_expired'::text])) AND (((body ->> 'cancelAtPeriodEnd'::text) = 'true'::text) OR ((body ->> 'cancelAt'::text) IS NOT NULL))))
--   CREATE INDEX subscriptions_created_idx ON public.subscriptions USING btree (organization_id, created_at, id) WHERE (quantity IS NOT NULL)
--   CREATE INDEX subscriptions_customer_idx ON public.subscriptions USING btree (organization_id, customer_id, id) INCLUDE (quantity)
--   CREATE INDEX subscriptions_interval_idx ON public.subscriptions USING btree (organization_id, billing_interval_days, id) WHERE (quantity IS NOT NULL)
--   CREATE INDEX subscriptions_mrr_idx ON public.subscriptions USING btree (organization_id, reporting_mrr_cents, id) INCLUDE (customer_id, product_name, currency, current_mrr_cents) WHERE (quantity IS NOT NULL)
--   CREATE INDEX subscriptions_period_end_idx ON public.subscriptions USING btree (organization_id, current_period_end, id) WHERE (quantity IS NOT NULL)
--   CREATE INDEX subscriptions_period_start_idx ON public.subscriptions USING btree (organization_id, current_period_start, id) WHERE (quantity IS NOT NULL)
--   CREATE INDEX subscriptions_product_idx ON public.subscriptions USING btree (organization_id, product_name) WHERE (product_name IS NOT NULL)
--   CREATE INDEX subscriptions_product_order_idx ON public.subscriptions USING btree (organization_id, folded(product_name), id) WHERE (quantity IS NOT NULL)
--   CREATE INDEX subscriptions_quantity_idx ON public.subscriptions USING btree (organization_id, quantity, id) WHERE (quantity IS NOT NULL)
--   CREATE INDEX subscriptions_renewal_idx ON public.subscriptions USING btree (organization_id, next_renewal_on, id) WHERE (next_renewal_on IS NOT NULL)
--   CREATE INDEX subscriptions_segment_idx ON public.subscriptions USING btree (organization_id, currency, product_name, billing_interval_days, id) INCLUDE (status, customer_id, quantity)
--   CREATE INDEX subscriptions_status_idx ON public.subscriptions USING btree (organization_id, status, updated_at DESC, id) INCLUDE (customer_id) WHERE (quantity IS NOT NULL)
--   CREATE INDEX subscriptions_unsupported_idx ON public.subscriptions USING btree (organization_id) WHERE (unsupported_reason IS NOT NULL)
--   CREATE INDEX subscriptions_updated_idx ON public.subscriptions USING btree (organization_id, updated_at DESC, id) WHERE (quantity IS NOT NULL)
--   CREATE INDEX subscriptions_without_figures_idx ON public.subscriptions USING btree (organization_id, customer_id) WHERE ((quantity IS NULL) AND (status <> ALL (ARRAY['canceled'::text, 'incomplete_expired'::text])))
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())
--   CREATE TRIGGER outdated_changed AFTER UPDATE ON public.subscriptions REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION mark_outdated()
--   CREATE TRIGGER push_added AFTER INSERT ON public.subscriptions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_push_due()
--   CREATE TRIGGER push_changed AFTER UPDATE ON public.subscriptions REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_push_due()
--   CREATE TRIGGER unsent_added AFTER INSERT ON public.subscriptions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_unsent_of_rows('subscription')
--   CREATE TRIGGER unsent_moved AFTER UPDATE ON public.subscriptions REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_unsent_of_rows('subscription')
--   CREATE TRIGGER unsent_removed AFTER DELETE ON public.subscriptions REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION keep_unsent_of_rows('subscription')
--   with (fillfactor=80)
--   column body statistics 0
--   column receipt statistics 0

create table "twoFactor" (
  "id" integer not null generated by default as identity,
  "secret" text not null,
  "backupCodes" text not null,
  "userId" integer not null,
  "verified" boolean not null default false,
  "failedVerificationCount" integer not null default 0,
  "lockedUntil" timestamp with time zone
);
--   constraint twoFactor_pkey PRIMARY KEY (id)
--   constraint twoFactor_userId_fkey FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE
--   constraint twoFactor_userId_key UNIQUE ("userId")

create table "unlisted_objects" (
  "organization_id" integer not null,
  "kind" text not null,
  "id" text not null
);
--   constraint unlisted_objects_kind_check CHECK ((kind = ANY (ARRAY['customers'::text, 'invoices'::text, 'subscriptions'::text])))
--   constraint unlisted_objects_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint unlisted_objects_pkey PRIMARY KEY (organization_id, kind, id)
--   row level security, forced
--   policy own_organization for ALL using (organization_id = current_organization()) with check (organization_id = current_organization())
--   unlogged

create table "user" (
  "id" integer not null generated by default as identity,
  "name" text not null,
  "email" text not null,
  "emailVerified" boolean not null,
  "image" text,
  "createdAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "updatedAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "twoFactorEnabled" boolean not null default false
);
--   constraint user_email_key UNIQUE (email)
--   constraint user_pkey PRIMARY KEY (id)

create table "verification" (
  "id" integer not null generated by default as identity,
  "identifier" text not null,
  "value" text not null,
  "expiresAt" timestamp with time zone not null,
  "createdAt" timestamp with time zone not null default CURRENT_TIMESTAMP,
  "updatedAt" timestamp with time zone not null default CURRENT_TIMESTAMP
);
--   constraint verification_pkey PRIMARY KEY (id)
--   CREATE INDEX verification_identifier_idx ON public.verification USING btree (identifier)

create table "webhook_addresses" (
  "token" text not null,
  "organization_id" integer not null
);
--   constraint webhook_addresses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE
--   constraint webhook_addresses_organization_id_key UNIQUE (organization_id)
--   constraint webhook_addresses_pkey PRIMARY KEY (token)
