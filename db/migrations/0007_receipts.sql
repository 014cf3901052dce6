-- States of subscriptions that no invoice shows, as they were first seen: a rebuild finds them again, so that the events
-- made of them keep their ids and times.
create table mrr_sightings (
  organization_id integer not null,
  id text not null,
  subscription_id text not null,
  seen_at timestamptz not null,
  -- What was seen, as text that only the engine makes and reads.
  state_key text not null,
  primary key (organization_id, id),
  foreign key (organization_id, subscription_id) references subscriptions (organization_id, id) on delete cascade
);
create index mrr_sightings_subscription_idx on mrr_sightings (organization_id, subscription_id);

-- How an organization counts MRR. The highest revision is in force; earlier ones stay, since receipts name them.
create table mrr_policies (
  organization_id integer not null references "organization" ("id") on delete cascade,
  revision integer not null check (revision > 0),
  switches jsonb not null,
  created_at timestamptz not null default current_timestamp,
  primary key (organization_id, revision)
);

-- Discounts of a customer, which hold for subscriptions without one of their own; null where there is none.
alter table customers add column discounts jsonb;

call isolate_by_organization('mrr_sightings', 'mrr_policies');
