import { type CustomerSums, sumCustomers } from '#contract/customers/customers.ts'
import { sumTransactions, type TransactionSums, transaction } from '#contract/events.ts'
import { type SubscriptionSums, sumSubscriptions } from '#contract/subscriptions.ts'
import { dayOfDate } from '#domain/instant.ts'
import { type Router, serve } from '../../http/serve.ts'
import {
  type CustomerSum,
  sumCustomers as sumStoredCustomers,
} from '../../store/lists/customers/sum-customers.ts'
import {
  type EventSum,
  type SubscriptionSum,
  sumEvents,
  sumSubscriptions as sumStoredSubscriptions,
} from '../../store/lists/list-sums.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { currencyOfNothing, getReporting, getReportingCurrency } from '../../store/reporting/reporting.ts'
import { loadValues } from '../../store/reporting/values.ts'
import { subscriptionQueryOf } from './subscription-query.ts'

export function serveListSums(router: Router): void {
  serve(router, sumSubscriptions, ({ deps, inOrganization }, { query }) =>
    inOrganization(async (tenant) => {
      const now = deps.now()
      const rows = await sumStoredSubscriptions(tenant, await subscriptionQueryOf(tenant, query, now))
      return subscriptionSums(await atRates(tenant, rows, now), await getReportingCurrency(tenant))
    }),
  )

  serve(router, sumCustomers, ({ deps, inOrganization }, { query }) =>
    inOrganization(async (tenant) =>
      customerSums(tenant, await sumStoredCustomers(tenant, query), deps.now()),
    ),
  )

  serve(router, sumTransactions, ({ inOrganization }, { query }) =>
    inOrganization(async (tenant) =>
      eventSums(await sumEvents(tenant, query), await getReportingCurrency(tenant)),
    ),
  )
}

/** The sums at the rates of the day where levels are revalued, as every other total is. */
async function atRates(
  tenant: Tenant,
  rows: readonly SubscriptionSum[],
  now: Date,
): Promise<readonly SubscriptionSum[]> {
  const today = dayOfDate(now)
  const worthOf = await loadValues(tenant, await getReporting(tenant), rows, [today])
  if (worthOf === null) return rows
  return rows.map((row) => {
    const cents = worthOf(row.ownCents, row.currency, today)
    return cents === null
      ? { ...row, reportingCents: 0, unconvertedCents: row.ownCents, unconvertedCount: row.count }
      : { ...row, reportingCents: cents, unconvertedCents: 0, unconvertedCount: 0 }
  })
}

/** The sums of customers, likewise at the rates of the day where levels are revalued. */
async function customerSums(
  tenant: Tenant,
  { count, reportingCents, currencies }: CustomerSum,
  now: Date,
): Promise<CustomerSums> {
  const today = dayOfDate(now)
  const reporting = await getReporting(tenant)
  const worthOf = await loadValues(tenant, reporting, currencies, [today])
  const valued = currencies.map(({ currency, ownCents, unconvertedCents }) => {
    const cents = worthOf === null ? 0 : worthOf(ownCents, currency, today)
    const apart = worthOf === null ? unconvertedCents : cents === null ? ownCents : 0
    return { currency, cents: cents ?? 0, apart }
  })
  return {
    totalCount: count,
    currency: reporting.currency ?? currencyOfNothing,
    mrr: worthOf === null ? reportingCents : sumOf(valued.map(({ cents }) => cents)),
    otherCurrencies: valued
      .filter(({ apart }) => apart !== 0)
      .map(({ currency, apart }) => ({ currency, mrr: apart })),
  }
}

function subscriptionSums(rows: readonly SubscriptionSum[], currency: string): SubscriptionSums {
  return {
    totalCount: sumOf(rows.map(({ count }) => count)),
    currency,
    mrr: sumOf(rows.map(({ reportingCents }) => reportingCents)),
    otherCurrencies: rows
      .filter(({ unconvertedCents }) => unconvertedCents !== 0)
      .map((row) => ({
        currency: row.currency,
        mrr: row.unconvertedCents,
        subscriptions: row.unconvertedCount,
      })),
  }
}

function eventSums(rows: readonly EventSum[], currency: string): TransactionSums {
  const kinds = [...Map.groupBy(rows, ({ mrrStatus }) => mrrStatus)].map(([mrrStatus, each]) => ({
    mrrStatus: transaction.shape.mrrStatus.parse(mrrStatus),
    ...reported(each),
  }))
  const apart = rows.filter(({ unconvertedCount }) => unconvertedCount > 0)
  return {
    totalCount: sumOf(rows.map(({ count }) => count)),
    currency,
    kinds: kinds.filter(({ events }) => events > 0),
    net: reported(rows),
    otherCurrencies: [...Map.groupBy(apart, (row) => row.currency)].map(([other, each]) => ({
      currency: other,
      events: sumOf(each.map(({ unconvertedCount }) => unconvertedCount)),
      change: sumOf(each.map(({ unconvertedCents }) => unconvertedCents)),
    })),
  }
}

/** The events with an amount in the reporting currency, and what they come to. */
const reported = (rows: readonly EventSum[]) => ({
  events: sumOf(rows.map(({ count, unconvertedCount }) => count - unconvertedCount)),
  change: sumOf(rows.map(({ reportingCents }) => reportingCents)),
})

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
