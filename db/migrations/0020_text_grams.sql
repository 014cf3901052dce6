-- Which packed texts may contain what is searched for, told by a few bits: reading all texts for a search costs more than
-- everything else that it does.

-- Of each packed row of `customer_texts` the set of its runs of three characters, as bits. They are read in place of the
-- texts and kept apart from them, so that all of them lie close together.
create table customer_text_grams (
  organization_id integer not null references "organization" ("id") on delete cascade,
  number bigint not null,
  grams bytea not null,
  primary key (organization_id, number)
);
call isolate_by_organization('customer_text_grams');
alter table customer_text_grams alter column grams set storage external;

-- Rows that writers have added since all was packed have no grams yet and are read by every search.
alter table customer_texts add column is_packed boolean not null default false;
create index customer_texts_loose_idx on customer_texts (organization_id, number) where not is_packed;

drop function repack_customer_texts(integer);
