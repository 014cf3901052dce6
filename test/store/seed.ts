import type { Insertable } from 'kysely'
import type { MatchEvidence, MatchState } from '#domain/company.ts'
import type { Receipt } from '#domain/mrr/receipts/receipt.ts'
import type { Deps } from '#server/deps.ts'
import { settleCustomers } from '#server/store/payments/customers.ts'
import type { KeptLine } from '#server/store/payments/invoice-lines.ts'
import { inOrganization, type Tenant } from '#server/store/postgres/database.ts'
import type { Events, Subscriptions } from '#server/store/postgres/tables.ts'
import { recountTotals } from '#server/store/totals/list-totals.ts'
import { inDollars } from './reporting.ts'

const at = new Date('2026-05-01T00:00:00Z')

type Given<Row> = Partial<Omit<Insertable<Row>, 'organization_id'>> & { id: string }

export async function addCustomer(
  tenant: Tenant,
  customer: { id: string; name: string | null; email?: string },
): Promise<void> {
  const { id, name, email } = customer
  await tenant.sql
    .insertInto('customers')
    .values({
      organization_id: tenant.organizationId,
      id,
      name,
      email: email ?? null,
      domain: email?.split('@')[1] ?? null,
      created_at: at,
    })
    .execute()
}

/** A subscription with figures, and its customer's resulting totals, as a rebuild stores them. */
export async function addSubscription(tenant: Tenant, given: Given<Subscriptions>): Promise<void> {
  const customerId = given.customer_id ?? 'cus_1'
  await tenant.sql
    .insertInto('subscriptions')
    .values({
      organization_id: tenant.organizationId,
      customer_id: customerId,
      status: 'active',
      currency: 'usd',
      quantity: 1,
      body: '{}',
      created_at: at,
      updated_at: at,
      reporting_mrr_cents: inDollars(Number(given.current_mrr_cents ?? 0), given.currency),
      ...given,
    })
    .execute()
  await settleCustomers(tenant, [customerId])
  await recountTotals(tenant)
}

export async function addEvent(tenant: Tenant, given: Given<Events>): Promise<void> {
  await tenant.sql
    .insertInto('events')
    .values({
      organization_id: tenant.organizationId,
      subscription_id: 'sub_1',
      customer_id: 'cus_1',
      occurred_at: at,
      position: 0,
      mrr_status: 'New',
      change_type: 'new_subscription',
      previous_mrr_cents: 0,
      current_mrr_cents: 1_000,
      mrr_change_cents: 1_000,
      previous_quantity: 0,
      current_quantity: 1,
      currency: 'usd',
      reporting_change_cents: inDollars(Number(given.mrr_change_cents ?? 1_000), given.currency),
      ...given,
    })
    .execute()
  await recountTotals(tenant)
}

export async function addInvoice(
  tenant: Tenant,
  invoice: { id: string; customerId: string; number?: string; status?: string; lines?: KeptLine[] },
): Promise<void> {
  await tenant.sql
    .insertInto('invoices')
    .values({
      organization_id: tenant.organizationId,
      id: invoice.id,
      customer_id: invoice.customerId,
      number: invoice.number ?? null,
      status: invoice.status ?? null,
      currency: 'usd',
      total_discount_cents: 0,
      lines: JSON.stringify(invoice.lines ?? []),
      created_at: at,
    })
    .execute()
}

/** Both connections; their secrets cannot be used anywhere. */
export async function addConnections(tenant: Tenant): Promise<void> {
  const values = { organization_id: tenant.organizationId, sealed_secret: 'sealed' }
  await tenant.sql
    .insertInto('connections')
    .values([
      {
        ...values,
        provider: 'payments',
        account_id: 'acct_1',
        is_live: false,
        secret_hint: 'sk_test_••••4242',
      },
      { ...values, provider: 'crm', account_id: '4711', is_live: null, secret_hint: null },
    ])
    .execute()
}

export async function addMatch(
  tenant: Tenant,
  match: { customerId: string; companyName: string; state: MatchState; evidence?: MatchEvidence },
): Promise<void> {
  await tenant.sql
    .insertInto('matches')
    .values({
      organization_id: tenant.organizationId,
      customer_id: match.customerId,
      portal_id: '4711',
      state: match.state,
      company_name: match.companyName,
      company_record_id: '99',
      evidence: match.evidence ?? 'company_domain',
    })
    .execute()
  await recountTotals(tenant)
}

export async function addRun(
  tenant: Tenant,
  run: {
    id: string
    kind: 'import' | 'push'
    status: 'in_progress' | 'completed' | 'failed' | 'cancelled'
    at?: Date
  },
): Promise<void> {
  await tenant.sql
    .insertInto('runs')
    .values({
      organization_id: tenant.organizationId,
      id: run.id,
      kind: run.kind,
      status: run.status,
      created_at: run.at ?? at,
    })
    .execute()
}

/** The report of a recount with one change of each kind. */
async function addRecount(tenant: Tenant, word: string): Promise<void> {
  const { organizationId, sql } = tenant
  const counts = { month_count: 1, customer_count: 1, record_count: 1, crm_record_count: 1 }
  await sql
    .insertInto('recounts')
    .values({
      ...{ organization_id: organizationId, id: 1, started_at: at, completed_at: at, ...counts },
      ...{
        from_rules: 0,
        to_rules: 1,
        from_policy: 0,
        to_policy: 0,
        mrr_before: '{"usd": 0}',
        read_by: word,
      },
      mrr_after: JSON.stringify({ usd: organizationId }),
    })
    .execute()
  const own = { organization_id: organizationId, recount_id: 1, currency: 'usd' }
  const after = { mrr_after_cents: organizationId }
  await sql
    .insertInto('recount_months')
    .values({ ...own, ...after, month: '2026-04' })
    .execute()
  const customer = { ...own, customer_id: 'cus_1' }
  await sql
    .insertInto('recount_customers')
    .values({ ...customer, ...after, mrr_before_cents: 0 })
    .execute()
  const values = { kind: 'subscription', source_id: 'sub_1', label: word, is_in_crm: true }
  await sql
    .insertInto('recount_records')
    .values({ ...customer, ...values, before: '{"mrr": "0.00"}', after: JSON.stringify({ mrr: word }) })
    .execute()
}

/** A receipt without parts, with the word as the reason. */
function receiptOf(word: string): string {
  const ignored = [{ invoiceId: 'in_1', lineId: 'il_1', amountCents: 100, reason: word, rule: 'R8' }]
  const receipt: Receipt = {
    dated: null,
    ruleBookVersion: 1,
    policyRevision: 0,
    currency: 'usd',
    parts: [],
    sum: '0',
    rounding: '0',
    mrrCents: 0,
    ignored,
    rules: ['R8'],
  }
  return JSON.stringify(receipt)
}

/** One of everything, with the same ids in every organization, and the word in every text field. */
export function addOneOfEverything(deps: Deps, organizationId: number, word: string): Promise<void> {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    await addConnections(tenant)
    await tenant.sql.updateTable('connections').set({ warning: word }).execute()
    await addCustomer(tenant, { id: 'cus_1', name: word, email: `${word}@shop.test` })
    await addSubscription(tenant, {
      id: 'sub_1',
      product_name: word,
      current_mrr_cents: organizationId,
      next_renewal_on: '2026-06-01',
      receipt: receiptOf(word),
    })
    await addEvent(tenant, {
      id: 'evt_1',
      product_name: word,
      payment_method: word,
      invoice_id: 'in_1',
      receipt: receiptOf(word),
    })
    await addInvoice(tenant, { id: 'in_1', customerId: 'cus_1', number: word })
    await addMatch(tenant, { customerId: 'cus_1', companyName: `${word} Company`, state: 'linked' })
    await tenant.sql
      .insertInto('erasures')
      .values({
        ...{ organization_id: organizationId, id: 'erasure_1', pseudonym: word, reason: 'asked' },
        ...{ erased_at: deps.now(), counts: '{}' },
      })
      .execute()
    await tenant.sql
      .insertInto('match_rules')
      .values({
        organization_id: organizationId,
        portal_id: '4711',
        domain: 'shop.test',
        kind: 'always',
        company_record_id: '99',
        company_name: `${word} Company`,
      })
      .execute()
    await addRecount(tenant, word)
    await addRun(tenant, { id: 'run_1', kind: 'import', status: 'in_progress' })
    await tenant.sql.updateTable('runs').set({ message: word, error: word }).execute()
    const values = { organization_id: organizationId, run_id: 'run_1' }
    await tenant.sql
      .insertInto('run_errors')
      .values({ ...values, source_id: word, message: word })
      .execute()
    await tenant.sql
      .insertInto('run_logs')
      .values({ ...values, line: word })
      .execute()
    await tenant.sql
      .insertInto('run_records')
      .values({ ...values, kind: 'event', source_id: 'evt_1', subscription_id: 'sub_1', change: 'added' })
      .execute()
    await tenant.sql
      .insertInto('snapshots')
      .values({
        organization_id: organizationId,
        month: '2026-04',
        currency: 'usd',
        mrr_cents: organizationId,
        active_subscriptions: 1,
      })
      .execute()
    await tenant.sql
      .insertInto('crm_links')
      .values({
        organization_id: organizationId,
        portal_id: '4711',
        kind: 'event',
        source_id: 'evt_1',
        record_id: word,
        state: 'confirmed',
        confirmed_at: at,
      })
      .execute()
  })
}
