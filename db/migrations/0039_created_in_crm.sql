-- How many companies and contacts a push created in the CRM, apart from the records of ours. Null in runs of earlier releases.
alter table runs
  add column created_companies integer,
  add column created_contacts integer;
