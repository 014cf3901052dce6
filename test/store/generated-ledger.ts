import type { EventRow } from '#server/store/ledger/events.ts'
import { replaceEvents } from '#server/store/ledger/events.ts'
import {
  type SubscriptionFigures,
  saveSubscriptionFigures,
} from '#server/store/ledger/subscription-figures.ts'
import { saveCustomers } from '#server/store/payments/customers.ts'
import { namePaymentAccount } from '#server/store/payments/payment-account.ts'
import { saveSubscriptions, subscriptionRow } from '#server/store/payments/subscriptions.ts'
import { inOrganization, type Tenant } from '#server/store/postgres/database.ts'
import { addUpTotals } from '#server/store/totals/list-totals.ts'
import { writeMovements } from '#server/store/totals/movement-totals.ts'
import { run as query, type TestDatabase } from '../database.ts'
import { rebuild } from '../mrr/examples.ts'
import { sampleAccounts } from '../mrr/generated-lives.ts'
import { newOrganizationOne } from './large-organization.ts'
import { reportingStatements } from './reporting.ts'

export type GeneratedRow = {
  customer: string
  subscription: string
  day: string
  movement: string
  currency: string
  before: number
  after: number
  /** The change in the reporting currency; null without a rate. */
  reported: number | null
  product: string
  plan: string
  interval: string
  size: string
}

export type GeneratedLedger = {
  db: TestDatabase
  within<T>(work: (tenant: Tenant) => Promise<T>): Promise<T>
  /** Replaces the lives of the first customers by others. */
  liveAgain(customers: number): Promise<void>
  /** Every change of MRR, in the order of its customer's ledger, with what its subscription is now. */
  rows(): Promise<GeneratedRow[]>
  close(): Promise<void>
}

const at = new Date('2025-02-10T00:00:00Z')
const batch = 500

/**
 * The ledgers of generated accounts, each that of one customer of an organization: dollars are reported, yen at 150 to
 * the dollar, dinars have no rate.
 */
export async function newGeneratedLedger(accounts: number): Promise<GeneratedLedger> {
  const db = await newOrganizationOne(reportingStatements(1))
  const within = <T>(work: (tenant: Tenant) => Promise<T>) => inOrganization(db.database, 1, work)
  const live = async (customers: number, seed: number) => {
    for (let first = 0; first < customers; first += batch)
      await within((tenant) => save(tenant, livesOf(first, Math.min(batch, customers - first), seed)))
    await within(addUpTotals)
  }
  await within((tenant) => namePaymentAccount(tenant, { accountId: 'acct_1', isLive: false }))
  await live(accounts, 1)
  return {
    db,
    within,
    liveAgain: (customers) => live(customers, 1_000_001),
    rows: () =>
      query<GeneratedRow>(
        db.ownerUrl,
        `select e.customer_id as customer, e.subscription_id as subscription,
                (e.occurred_at at time zone 'UTC')::date::text as day, e.mrr_status as movement, e.currency,
                e.previous_mrr_cents::float8 as before, e.current_mrr_cents::float8 as after,
                e.reporting_change_cents::float8 as reported, coalesce(s.product_name, '') as product,
                coalesce(s.plan_name, '') as plan, coalesce(s.billing_interval_days::text, '') as interval,
                coalesce(s.size, '') as size
           from events e
           join subscriptions s on s.organization_id = e.organization_id and s.id = e.subscription_id
          where e.mrr_status <> 'Planned_Cancellation'
          order by e.customer_id, e.occurred_at, e.position, e.id`,
      ),
    close: () => db.close(),
  }
}

type Lives = {
  ids: string[]
  subscriptions: ReturnType<typeof subscriptionRow>[]
  events: EventRow[]
  figures: SubscriptionFigures[]
}

function livesOf(first: number, count: number, seed: number): Lives {
  const lives: Lives = { ids: [], subscriptions: [], events: [], figures: [] }
  for (const [index, { account, policy }] of sampleAccounts(count, seed + first).entries()) {
    const customerId = `cus_${first + index}`
    const own = (id: string) => `${customerId}_${id}`
    const rebuilt = rebuild({ ...account, policy })
    lives.ids.push(customerId)
    for (const one of account.subscriptions)
      lives.subscriptions.push(subscriptionRow({ ...one, id: own(one.id), customerId }))
    for (const [position, event] of rebuilt.events.entries())
      lives.events.push({
        ...event,
        id: own(event.id),
        ...{ subscriptionId: own(event.subscriptionId), customerId, invoiceId: null, position },
        ...{ paymentMethod: null, receipt: null, reportingRate: null },
        reportingChangeCents: changeInDollars(event),
      })
    for (const { subscriptionId, currentMrrCents, currency, isUnsupported, ...mrr } of rebuilt.subscriptions)
      lives.figures.push({
        id: own(subscriptionId),
        currentMrrCents,
        reportingMrrCents: inDollars(currentMrrCents, currency),
        ...{ quantity: mrr.quantity, productName: mrr.productName, receipt: null, reportingRate: null },
        ...{ billingIntervalDays: mrr.billingIntervalDays, unsupportedReason: isUnsupported },
        ...{ periodStart: null, periodEnd: null, nextRenewalOn: null, changedAt: 1 },
      })
  }
  return lives
}

/** Levels are converted, so that changes add up to the level. */
function changeInDollars({
  currency,
  ...event
}: Pick<EventRow, 'currency' | 'previousMrrCents' | 'currentMrrCents'>) {
  const [before, after] = [
    inDollars(event.previousMrrCents, currency),
    inDollars(event.currentMrrCents, currency),
  ]
  return before === null || after === null ? null : after - before
}

function inDollars(cents: number, currency: string): number | null {
  if (currency === 'kwd') return null
  return currency === 'jpy' ? Math.round((cents * 100) / 150) : cents
}

async function save(tenant: Tenant, { ids, subscriptions, events, figures }: Lives): Promise<void> {
  const none = { domain: null, isDeleted: false, erasureId: null, customerAccount: null, email: null }
  const customers = ids.map((id) => ({
    ...{ id, name: id, createdAt: 1, paymentMethod: null, discounts: null, isRedacted: false },
    ...none,
  }))
  await saveCustomers(tenant, customers)
  await saveSubscriptions(tenant, subscriptions, { at, askedAt: at, askedAfter: at, mode: 'first' })
  await writeMovements(tenant, ids, async () => {
    await replaceEvents(tenant, ids, events, at)
    await saveSubscriptionFigures(tenant, figures, { at, runId: 'run' })
  })
}
