-- What the CRM confirmed last of a subscription's record, without what is of a person. A run tells from it which values it
-- wrote over. Empty for records that were confirmed before this column, and for events.
alter table crm_links add column told jsonb;
alter table run_records add column differences jsonb;
