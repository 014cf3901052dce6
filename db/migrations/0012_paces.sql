-- How fast each account of a provider is asked, by all processes together. It is the account's budget, whichever
-- organizations are connected to it, so a row belongs to none. Nothing is lost with it: unlogged, it costs no wait.
create unlogged table paces (
  -- The provider and its account.
  account text not null,
  -- The budget within the account: an endpoint, or all of them.
  bucket text not null,
  -- The newest places that were given out, ascending, in Unix milliseconds; as many as the budget's window holds.
  taken_ms double precision[] not null default '{}',
  -- Of the budget, what the provider was found to grant.
  share double precision not null default 1 check (share > 0 and share <= 1),
  -- No place before this, in Unix milliseconds.
  paused_until_ms double precision not null default 0,
  primary key (account, bucket)
) with (fillfactor = 50);

-- Worker processes share the lists of an import: who reads this one, and until when nobody else may.
alter table run_slices add holder text, add lease_until timestamptz;

-- No query asks what is inside, and to sample it the planner's statistics would read it all back.
alter table invoices alter lines set statistics 0, alter discounts set statistics 0;
alter table invoice_payments alter payment_method set statistics 0;
alter table subscriptions alter body set statistics 0, alter receipt set statistics 0;
alter table events alter receipt set statistics 0;
