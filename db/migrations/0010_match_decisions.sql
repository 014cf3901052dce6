-- What people decided about customers in Match Review, and what was so before, so that it can be undone. A new decision
-- about a customer deletes its old ones. Companies are ids, because the index of the portal has their names.
create table match_decisions (
  organization_id integer not null references organization (id) on delete cascade,
  portal_id text not null,
  customer_id text not null,
  -- A later decision has a higher position.
  position bigint not null generated always as identity,
  -- All customers of one decision have the same id.
  decision_id text not null,
  action text not null check (action in ('attached', 'created', 'ignored', 'unlinked', 'restored')),
  decided_by integer references "user" (id) on delete set null,
  decided_at timestamptz not null,
  -- The match as the decision left it. If it differs by now, it was changed since.
  state text not null,
  company_record_id text,
  state_before text not null,
  evidence_before text not null,
  company_before text,
  primary key (organization_id, portal_id, customer_id, position),
  foreign key (organization_id, customer_id, portal_id) references matches on delete cascade
    deferrable initially deferred
);
create index match_decisions_id_idx on match_decisions (organization_id, decision_id);
create index match_decisions_recent_idx on match_decisions (organization_id, portal_id, decided_at);
create index match_decisions_by_idx on match_decisions (decided_by);
call isolate_by_organization('match_decisions');

-- Who made a rule, and by which decision, so that its undo ends the rule too.
alter table match_rules add column created_by integer references "user" (id) on delete set null;
alter table match_rules add column decision_id text;
create index match_rules_by_idx on match_rules (created_by);
