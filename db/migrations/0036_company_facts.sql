-- What the CRM says of a company, so that a person can tell it from others of its name; null where it does not say. The
-- next complete listing, at most a day later, fills the rows that are there.
alter table crm_companies
  add column created_at timestamptz,
  add column contact_count integer,
  add column deal_count integer,
  add column last_activity_at timestamptz;
