import { sumTransactions, type TransactionSums, transaction } from '#contract/events.ts'
import { type SubscriptionSums, sumSubscriptions } from '#contract/subscriptions.ts'
import { type Router, serve } from '../../http/serve.ts'
import {
  type EventSum,
  type SubscriptionSum,
  sumEvents,
  sumSubscriptions as sumStoredSubscriptions,
} from '../../store/lists/list-sums.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { getReporting, getReportingCurrency } from '../../store/reporting/reporting.ts'
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
  const today = now.toISOString().slice(0, 10)
  const worthOf = await loadValues(tenant, await getReporting(tenant), rows, [today])
  if (worthOf === null) return rows
  return rows.map((row) => {
    const cents = worthOf(row.ownCents, row.currency, today)
    return cents === null
      ? { ...row, reportingCents: 0, unconvertedCents: row.ownCents, unconvertedCount: row.count }
      : { ...row, reportingCents: cents, unconvertedCents: 0, unconvertedCount: 0 }
  })
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
