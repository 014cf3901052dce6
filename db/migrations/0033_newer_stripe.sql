-- By the provider's clock, when it was asked for a subscription at least: an invoice made later may tell of a change that is
-- not in it yet. What stood for it until now was our clock (`read_at`), of which a minute was allowed to be wrong.
alter table subscriptions add column asked_after timestamptz;
do $$
declare
  known integer;
begin
  for known in select id from "organization" loop
    perform set_config('app.organization_id', known::text, true);
    update subscriptions set asked_after = read_at - interval '1 minute' where organization_id = known;
  end loop;
end
$$;
alter table subscriptions alter asked_after set default 'epoch', alter asked_after set not null;

-- Accounts that stand for customers (Accounts v2 of Stripe), where one does.
alter table customers add column customer_account text;
alter table invoices add column customer_account text;
alter table invoices alter customer_account set statistics 0;
create index customers_account_idx on customers (organization_id) where customer_account is not null;
create index subscriptions_account_idx on subscriptions (organization_id) where body ? 'customerAccount';
create index invoices_account_idx on invoices (organization_id) where customer_account is not null;

-- An invoice that names no customer is attached to that of its subscription.
create index invoices_unattached_idx on invoices (organization_id, id) where customer_id is null;

-- Start of the last import that has read all customers, by our clock.
alter table payment_mirrors add column customers_read_at timestamptz;

-- What invoices ask by Billing v2, which has no part in any figure: null where they ask nothing so.
alter table invoices add column billing_v2_cents bigint;
alter table invoices alter billing_v2_cents set statistics 0;
create index invoices_billing_v2_idx on invoices (organization_id) where billing_v2_cents is not null;
-- The same in all, as the last import counted it.
create table billing_v2_totals (
  organization_id integer not null references "organization" ("id") on delete cascade,
  currency text not null,
  invoices integer not null,
  amount_cents bigint not null,
  primary key (organization_id, currency)
);
call isolate_by_organization('billing_v2_totals');
