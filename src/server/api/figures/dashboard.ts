import {
  getDashboardStats,
  getMrrTrend,
  getRecentTransactions,
  getUpcomingRenewals,
} from '#contract/dashboard.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { dayOfDate } from '#domain/instant.ts'
import { mrrTrend, splitByCurrency } from '#domain/mrr-by-currency.ts'
import { type Router, serve } from '../../http/serve.ts'
import { countPaying, countUnsupported, listMonthlyMrr } from '../../store/ledger/dashboard.ts'
import { sumOfStatus } from '../../store/lists/attention.ts'
import { listNewestEvents } from '../../store/lists/event-list.ts'
import { listUpcomingRenewals } from '../../store/lists/subscription-list.ts'
import { getBillingV2 } from '../../store/payments/billing-v2.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { isConverting, isCurrencyChanging } from '../../store/reporting/conversions.ts'
import { readLinks } from '../links.ts'
import { toTransaction } from '../transaction.ts'
import { readCurrentMrr } from './current-mrr.ts'
import { toOtherCurrency } from './other-currency.ts'

const shownMax = 5

export function serveDashboard(router: Router): void {
  serve(router, getDashboardStats, ({ deps, inOrganization }) =>
    inOrganization(async (tenant) => {
      const { reportingCurrency, rows } = await readCurrentMrr(tenant, deps.now())
      const { total, others } = splitByCurrency(rows, reportingCurrency)
      const { invoices, amounts } = await getBillingV2(tenant)
      return {
        currentMrr: total.mrrCents,
        reportingCurrency,
        activeSubscriptions: total.activeSubscriptions,
        activeInList: (await sumOfStatus(tenant, 'active')).reduce((sum, { count }) => sum + count, 0),
        payingSubscriptions: await countPaying(tenant),
        otherCurrencies: others.map(toOtherCurrency),
        ...((await isConverting(tenant)) && { isConverting: true as const }),
        ...((await isCurrencyChanging(tenant)) && { isCurrencyChanging: true as const }),
        unsupportedSubscriptions: await countUnsupported(tenant),
        billedByBillingV2: {
          invoices,
          amounts: amounts.map(({ currency, amountCents }) => ({ currency, amount: amountCents })),
        },
      }
    }),
  )

  serve(router, getRecentTransactions, ({ deps, inOrganization }) =>
    inOrganization(async (tenant) => {
      const events = await listNewestEvents(tenant, shownMax)
      const links = await readLinks(deps, tenant)
      return { transactions: events.map((row) => toTransaction(row, links)) }
    }),
  )

  serve(router, getUpcomingRenewals, ({ deps, inOrganization }) =>
    inOrganization(async (tenant) => {
      const rows = await listUpcomingRenewals(tenant, { from: dayOfDate(deps.now()), limit: shownMax })
      const links = await readLinks(deps, tenant)
      return {
        renewals: rows.map((row) => ({
          nextRenewalDate: row.nextRenewalOn ?? dayOfDate(deps.now()),
          companyName: row.companyName,
          customerId: row.customerId,
          hubspotCompanyLink: links.hubspotCompany(row.portalId, row.companyRecordId),
          productName: row.productName,
          status: row.status,
          currentMrr: row.currentMrrCents,
          currency: row.currency,
          reportingMrr: row.reportingMrrCents,
          reportingCurrency: row.reportingCurrency ?? row.currency,
          rateText: row.reportingRate,
          subscriptionId: row.id,
        })),
      }
    }),
  )

  serve(router, getMrrTrend, ({ deps, inOrganization }) =>
    inOrganization((tenant) => readTrend(tenant, deps.now())),
  )
}

/** MRR at the start of each month, and today's. */
export async function readTrend(tenant: Tenant, now: Date): Promise<ResponseOf<typeof getMrrTrend>> {
  const { reportingCurrency, rows } = await readCurrentMrr(tenant, now)
  const currentMrr = splitByCurrency(rows, reportingCurrency).total.mrrCents
  const trend = mrrTrend(await listMonthlyMrr(tenant), reportingCurrency, dayOfDate(now), currentMrr)
  return {
    mrrTrend: trend.map(({ date, mrrCents }) => ({ date, mrr: mrrCents })),
    currentMrr,
    reportingCurrency,
  }
}
