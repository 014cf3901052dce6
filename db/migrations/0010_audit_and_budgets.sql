-- Who did what, for the owners and admins of the organization. 'begun' is written before an action of several steps and
-- becomes 'done' or 'failed'; what is written in the action's own transaction is 'done' at once.
create table audit_log (
  organization_id integer not null references "organization" ("id") on delete cascade,
  id bigint generated always as identity,
  happened_at timestamptz not null default current_timestamp,
  -- Null where nobody signed in did it. The address outlives the account.
  actor_user_id integer,
  actor_email text,
  -- From where: the network address of the caller.
  address text,
  action text not null,
  -- Whom or what it concerned, such as the address that was invited; never a secret or content.
  subject text,
  outcome text not null default 'done' check (outcome in ('begun', 'done', 'failed')),
  primary key (organization_id, id)
);
call isolate_by_organization('audit_log');

-- A sign-in is recorded in each organization of the user, in the transaction that opens the session; only a trigger is
-- in the transaction of the identity library.
create function record_sign_in() returns trigger language plpgsql as $$
declare
  outer_organization text := current_setting('app.organization_id', true);
  joined record;
begin
  for joined in
    select m."organizationId" as organization_id, u."email" as email
      from "member" m join "user" u on u."id" = m."userId" where m."userId" = new."userId"
  loop
    perform set_config('app.organization_id', joined.organization_id::text, true);
    insert into audit_log (organization_id, actor_user_id, actor_email, address, action)
      values (joined.organization_id, new."userId", joined.email, nullif(new."ipAddress", ''), 'signed_in');
  end loop;
  perform set_config('app.organization_id', coalesce(outer_organization, ''), true);
  return null;
end
$$;
create trigger record_sign_in after insert on "session" for each row execute function record_sign_in();

-- Use extends a session, but never beyond seven days after its sign-in.
create function cap_session() returns trigger language plpgsql as $$
begin
  new."expiresAt" := least(new."expiresAt", old."createdAt" + interval '7 days');
  return new;
end
$$;
create trigger cap_session before update on "session" for each row execute function cap_session();

-- How often something may still be tried: by account, by address and by all together.
create table attempt_budgets (
  key text primary key,
  used integer not null,
  resets_at timestamptz not null
);
create index attempt_budgets_resets_at_idx on attempt_budgets (resets_at);
drop table "rateLimit";

-- Mail waits here until a server has taken it; without one it stays for the outbox page.
alter table outbox add column attempts integer not null default 0;
alter table outbox add column next_attempt_at timestamptz not null default current_timestamp;

-- Everyone holds one role. The library could keep a list of them.
update "member" set "role" = case when "role" like '%owner%' then 'owner' when "role" like '%admin%' then 'admin' else 'member' end
  where "role" not in ('owner', 'admin', 'member');
alter table "member" add constraint member_role check ("role" in ('owner', 'admin', 'member'));
update "invitation" set "role" = case when "role" like '%admin%' then 'admin' else 'member' end
  where "role" is null or "role" not in ('admin', 'member');
alter table "invitation" alter column "role" set not null;
alter table "invitation" add constraint invitation_role check ("role" in ('admin', 'member'));
-- One open invitation for an address and organization, whoever sends two at once.
update "invitation" i set "status" = 'canceled' where "status" = 'pending' and exists (
  select 1 from "invitation" later where later."organizationId" = i."organizationId" and later."email" = i."email"
     and later."status" = 'pending' and later."id" > i."id");
create unique index "invitation_open_idx" on "invitation" ("organizationId", "email") where "status" = 'pending';
