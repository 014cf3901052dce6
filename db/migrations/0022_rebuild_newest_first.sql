-- Newest customers first: while the lists of a first import come in, newest first too, theirs is whole before others' is.
drop index customers_rebuild_due_idx;
create index customers_rebuild_due_idx on customers (organization_id, created_at desc, id) where is_rebuild_due;
