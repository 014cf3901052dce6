-- The figures that the CRM confirmed last of a subscription's record, none of a person. A run keeps those from before its
-- first write and from after its last, so that it tells what it wrote over. Empty for events.
alter table crm_links add column told jsonb;
alter table run_records
  add column told_before jsonb,
  add column told_after jsonb;
