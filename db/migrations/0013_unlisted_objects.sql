-- What a full import has yet to see in a list, of what the provider lets be deleted: once all lists are read, the rest is
-- asked for by its id. Nothing is concluded from it alone, so losing it only puts that off to the next full import.
create unlogged table unlisted_objects (
  organization_id integer not null references "organization" ("id") on delete cascade,
  kind text not null check (kind in ('customers', 'invoices')),
  id text not null,
  primary key (organization_id, kind, id)
);

call isolate_by_organization('unlisted_objects');
