-- The portal that was used before another one was connected, until a person says what is to happen; nothing is written
-- to the new one meanwhile.
alter table connections add column earlier_account_id text;

-- What a person can do about an object that could not be made.
alter table crm_objects add column advice text;

alter table crm_links
  -- Of a record that somebody deleted: the id it had, under which it may come back or be merged.
  add column former_record_id text,
  -- Of an event's record: the subscription it belongs to, which tells whether an event that is gone was taken back.
  add column subscription_id text,
  -- When the record was changed last as far as we know, by the CRM's own clock: by our write, or at our last look.
  add column record_updated_at timestamptz,
  -- How many times in a row the record was written again because the CRM held something else, though ours stayed.
  add column mends integer not null default 0;

create index crm_links_record_idx on crm_links (organization_id, portal_id, kind, record_id);

update crm_links as l set subscription_id = e.subscription_id from events e
 where l.kind = 'event' and e.organization_id = l.organization_id and e.id = l.source_id;

-- An association is noted before it is asked for, so that it can be taken back whatever becomes of the answer, and one
-- that the CRM refused with its reason, so that it is not asked for again at every push.
alter table crm_associations
  add column state text not null default 'confirmed' check (state in ('pending', 'confirmed', 'failed')),
  add column error text,
  add column run_id text;

create index crm_associations_target_idx
  on crm_associations (organization_id, portal_id, target_kind, target_record_id);

-- What one kind of record in the portal looked like when all of ours among them were last read.
create table crm_looks (
  organization_id integer not null references "organization" ("id") on delete cascade,
  portal_id text not null,
  kind text not null check (kind in ('subscription', 'event')),
  -- Changes with whatever people do there; another look is taken when it is another one.
  mark text not null,
  looked_at timestamptz not null,
  primary key (organization_id, portal_id, kind)
);

call isolate_by_organization('crm_looks');
