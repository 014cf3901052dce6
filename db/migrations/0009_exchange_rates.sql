-- Exchange rates are kept for good, each row with its day, source and when it was recorded. A corrected row is added as
-- a new revision, which holds the corrected values of open months only: the newest revision is what counts.

-- The European Central Bank's rates, for every organization: units for one of the base, as decimal texts by currency.
create table reference_rates (
  source text not null,
  day date not null,
  revision integer not null,
  base text not null,
  rates jsonb not null,
  recorded_at timestamptz not null,
  primary key (source, day, revision)
);

-- What an organization uploaded, for itself alone. 'ecb' has units for one of the base; 'csv' has what of the base one
-- unit is worth.
create table organization_rates (
  organization_id integer not null references organization (id) on delete cascade,
  source text not null,
  day date not null,
  base text not null,
  revision integer not null,
  rates jsonb not null,
  recorded_at timestamptz not null,
  primary key (organization_id, source, day, base, revision)
);
call isolate_by_organization('organization_rates');

-- How far an organization's rows are converted by what is in force.
create table conversions (
  organization_id integer primary key references organization (id) on delete cascade,
  -- Counts what made rows due: another setting, or other rates.
  requested integer not null default 1,
  done integer not null default 0,
  -- The last subscription that the pass at work has converted; empty before the first.
  after_id text not null default '',
  -- The day whose rates levels have; older ones are revalued again.
  day date
);
call isolate_by_organization('conversions');

alter table organization_settings
  add column rates_source text not null default 'ecb' check (rates_source in ('ecb', 'csv'));

-- The rate in words, of rows that are not in the reporting currency.
alter table events add column reporting_rate text;
alter table subscriptions add column reporting_rate text;

-- When the shared rates were last asked for, and last read.
create table rate_readings (
  source text primary key,
  tried_at timestamptz not null,
  read_at timestamptz
);
