-- The provider's events as far as they are needed: to take none twice, to keep what a webhook told until an import has
-- fetched it, and to measure how long a change takes to reach the ledger. Pruned some days behind the newest.
create table payment_changes (
  organization_id integer not null references "organization" ("id") on delete cascade,
  -- The provider's id of the event.
  id text not null,
  -- When it happened, by the provider's clock.
  happened_at timestamptz not null,
  -- When a webhook told of it; null where only the list of events did.
  received_at timestamptz,
  -- The objects to fetch again, [{kind, id}]; null where the list of events tells them.
  objects jsonb,
  -- The import that has taken it up, and when that import's ledger stood; null until then.
  run_id text,
  settled_at timestamptz,
  primary key (organization_id, id)
);
create index payment_changes_happened_idx on payment_changes (organization_id, happened_at);
create index payment_changes_pending_idx on payment_changes (organization_id)
  where settled_at is null and received_at is not null;

-- What a webhook of the provider is verified with, and how the last deliveries went.
create table payment_webhooks (
  organization_id integer primary key references "organization" ("id") on delete cascade,
  sealed_secret text not null,
  secret_hint text not null,
  accepted_at timestamptz,
  refused_at timestamptz
);

call isolate_by_organization('payment_changes', 'payment_webhooks');

-- Which organization an address belongs to that a webhook is sent to. Found by a token that cannot be guessed, before
-- the organization is known; nothing else stands here.
create table webhook_addresses (
  token text primary key,
  organization_id integer not null unique references "organization" ("id") on delete cascade
);
