import { applicationUrl } from '#server/store/installation/application-role.ts'
import { asOwner } from '#server/store/installation/as-owner.ts'
import { packLists } from '#server/store/lists/pack-lists.ts'
import { inOrganization, openDatabase } from '#server/store/postgres/database.ts'
import { recountMovements } from '#server/store/totals/movement-totals.ts'
import { reportingStatements } from '#test/store/reporting.ts'

export type Size = { customers: number; eventsEach: number }
export type Filled = { organizationId: number }

/** A realistic number for a catalogue of plans, add-ons and old names. */
const products = 40
const days = 730
/** As wide as the objects and receipts of real rows. */
const wide = (seed: string) =>
  `jsonb_build_object('text', (select string_agg(md5(${seed} || '-' || part), '') from generate_series(1, 30) as part))`

/**
 * Fills an organization with one subscription per customer and their events over two years in mixed order; nine of ten
 * customers have a company. It writes directly to the database, because the bench `import` measures importing.
 */
export async function fillOrganization(ownerUrl: string, name: string, size: Size): Promise<Filled> {
  return await asOwner(ownerUrl, 'bench', async (client) => {
    const { rows } = await client.query<{ id: number }>(
      `insert into "organization" (name, slug, "createdAt") values ($1, $1, now()) returning id`,
      [name],
    )
    const id = Number(rows[0]?.id)
    await client.query(`
      insert into organization_settings (organization_id, setup_complete, auto_sync_enabled) values (${id}, true, false)
      on conflict (organization_id) do update set setup_complete = true, auto_sync_enabled = false;
      insert into payment_mirrors (organization_id, is_live) values (${id}, false);
      insert into connections (organization_id, provider, account_id, is_live, sealed_secret)
      values (${id}, 'payments', 'acct_${name}', false, 'sealed'), (${id}, 'crm', '47110${id}', false, 'sealed');
      ${customersOf(id, size)};
      ${subscriptionsOf(id, size)};
      ${mrrOf(id)};
      ${eventsOf(id, size)};
      ${snapshotsOf(id)};
      ${runsOf(id)};
      ${reportingStatements(id)};
      ${linksOf(id)}`)
    await pack(ownerUrl, id)
    await client.query(`
      analyze customers, customer_texts, subscriptions, events, crm_links, crm_unsent, matches, snapshots, runs;`)
    // Autovacuum does this within minutes of an import.
    for (const table of ['customers', 'customer_texts', 'subscriptions', 'events', 'crm_links', 'matches'])
      await client.query(`vacuum ${table}`)
    return { organizationId: id }
  })
}

/** The same steps as at the end of an import. */
async function pack(ownerUrl: string, organizationId: number): Promise<void> {
  const url = await applicationUrl(ownerUrl)
  const database = openDatabase({ url, poolSize: 1, statementTimeoutMs: 60_000, onError: () => {} })
  await inOrganization(database, organizationId, (tenant) => packLists(tenant, 'recount'))
  await inOrganization(database, organizationId, recountMovements)
  await database.destroy()
}

/** Names of two words out of 500 and a number: a word finds several customers, a number exactly one. */
function customersOf(id: number, { customers }: Size): string {
  const word = (salt: string) => `substr(md5('${salt}' || n % 500), 1, 7)`
  return `
    insert into customers (organization_id, id, name, email, domain, created_at, is_rebuild_due)
    select ${id}, 'cus_' || substr(md5('c' || n), 1, 14), initcap(${word('a')} || ' ' || ${word('b')}) || ' ' || n,
           'billing@' || ${word('b')} || n || '.example', ${word('b')} || n || '.example',
           now() - n % ${days} * interval '1 day', false
      from generate_series(1, ${customers}) as n;
    insert into matches (organization_id, customer_id, portal_id, state, company_record_id, company_name, evidence)
    select ${id}, 'cus_' || substr(md5('c' || n), 1, 14), '47110${id}',
           case when n % 10 = 0 then 'pending' else 'linked' end, case when n % 10 = 0 then null else 1000000 + n end,
           case when n % 10 = 0 then null else initcap(${word('a')} || ' ' || ${word('b')}) || ' Group ' || n end,
           case when n % 10 = 0 then 'no_candidate' else 'company_domain' end
      from generate_series(1, ${customers}) as n`
}

function subscriptionsOf(id: number, { customers }: Size): string {
  return `
    insert into subscriptions (organization_id, id, customer_id, status, body, created_at, current_mrr_cents, currency,
                               quantity, product_name, billing_interval_days, current_period_start, current_period_end,
                               next_renewal_on, updated_at, receipt)
    select ${id}, 'sub_' || substr(md5('s' || n), 1, 14), 'cus_' || substr(md5('c' || n), 1, 14), status, ${wide('n')},
           now() - n % ${days} * interval '1 day', case when status in ('active', 'past_due') then 1000 + n % 9973 else 0 end,
           case when n % 50 = 0 then 'eur' else 'usd' end, 1 + n % 30, 'Harbour ' || n % ${products},
           case when n % 4 = 0 then 365 else 30 end, now() - n % 30 * interval '1 day',
           now() + (30 - n % 30) * interval '1 day', case when status = 'active' then current_date + n % 30 end,
           now() - (n * 7919) % ${days * 86_400} * interval '1 second', ${wide('n')}
      from generate_series(1, ${customers}) as n,
           lateral (select (array['active', 'active', 'active', 'active', 'active', 'active', 'canceled', 'canceled',
                                  'trialing', 'past_due'])[1 + n % 10] as status) as state`
}

/** The figures that the rebuild stores with each customer. */
function mrrOf(id: number): string {
  return `
    update customers c
       set mrr_by_currency = jsonb_build_object(currency, current_mrr_cents)
      from subscriptions s
     where c.organization_id = ${id} and s.organization_id = ${id} and s.customer_id = c.id and s.current_mrr_cents > 0;
    update customers set is_subscriber = true, first_paid_at = created_at where organization_id = ${id}`
}

function eventsOf(id: number, { customers, eventsEach }: Size): string {
  return `
    insert into events (organization_id, id, subscription_id, customer_id, invoice_id, occurred_at, position, mrr_status,
                        change_type, previous_mrr_cents, current_mrr_cents, mrr_change_cents, previous_quantity,
                        current_quantity, currency, product_name, payment_method, receipt)
    select ${id}, 'ev_' || md5('e' || n), 'sub_' || substr(md5('s' || customer), 1, 14),
           'cus_' || substr(md5('c' || customer), 1, 14), 'in_' || substr(md5('i' || n), 1, 14),
           now() - ((n * 7919::bigint) % ${days * 86_400}) * interval '1 second', n / ${customers}, status,
           case status when 'New' then 'new_subscription' when 'Churn' then 'cancellation'
                       when 'Reactivation' then 'reactivation' else 'price_change' end,
           1000, 2000, 1000, 1, 2, case when customer % 50 = 0 then 'eur' else 'usd' end, 'Harbour ' || customer % ${products}, 'Visa •••• 4242', jsonb_build_object('text', repeat(md5('r' || n), 12))
      from generate_series(1, ${customers * eventsEach}) as n,
           lateral (select 1 + n % ${customers} as customer,
                           (array['New', 'Upgrade', 'Upgrade', 'Upgrade', 'Upgrade', 'Downgrade', 'Downgrade', 'Churn',
                                  'Reactivation', 'Upgrade'])[1 + n / ${customers} % 10] as status) as state`
}

/** All but few rows have their records in the CRM, written since they changed last, and few records are refused. */
function linksOf(id: number): string {
  return `
    insert into crm_links (organization_id, portal_id, kind, source_id, record_id, state, confirmed_at)
    select ${id}, '47110${id}', kind, id, substr(md5(id), 1, 12), case number % 997 when 1 then 'failed' else 'confirmed' end,
           now()
      from (select 'event' as kind, id, row_number() over () as number from events where organization_id = ${id}
            union all
            select 'subscription', id, row_number() over () from subscriptions where organization_id = ${id}) as sources
     where number % 997 > 0;
    insert into push_marks (organization_id, portal_id, basis) values (${id}, '47110${id}', '');
    select settle_all_unsent(${id})`
}

function snapshotsOf(id: number): string {
  return `
    insert into snapshots (organization_id, month, currency, mrr_cents, active_subscriptions)
    select ${id}, to_char(date_trunc('month', now()) - n * interval '1 month', 'YYYY-MM'), 'usd', 5000000 - n, 5000
      from generate_series(0, 24) as n`
}

function runsOf(id: number): string {
  return `
    insert into runs (organization_id, id, kind, status, options, created_at, completed_at)
    select ${id}, 'run_' || n, case when n % 2 = 0 then 'import' else 'push' end, 'completed', '{}',
           now() - n * interval '1 hour', now() - n * interval '1 hour' + interval '2 minutes'
      from generate_series(1, 500) as n`
}
