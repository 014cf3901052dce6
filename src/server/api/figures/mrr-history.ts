import {
  getCustomerHistory,
  getSubscriptionHistory,
  type MrrSeries,
} from '#contract/customers/mrr-history.ts'
import { dayOfDate } from '#domain/instant.ts'
import { type Router, serve } from '../../http/serve.ts'
import { Refusal } from '../../refusal.ts'
import { listMrrHistory, type MrrLevel } from '../../store/ledger/mrr-history.ts'
import { readCustomers } from '../../store/lists/customers/customer-list.ts'

export function serveMrrHistory(router: Router): void {
  serve(router, getCustomerHistory, ({ deps, inOrganization }, { params: { customerId } }) =>
    inOrganization(async (tenant) => {
      if ((await readCustomers(tenant, [customerId])).length === 0)
        throw new Refusal('not_found', 'The requested customer could not be found. Choose one on Customers.')
      return { series: toSeries(await listMrrHistory(tenant, { customerId }), deps.now()) }
    }),
  )
  serve(router, getSubscriptionHistory, ({ deps, inOrganization }, { params: { id } }) =>
    inOrganization(async (tenant) => ({
      series: toSeries(await listMrrHistory(tenant, { subscriptionId: id }), deps.now()),
    })),
  )
}

/** The levels by currency, the present highest first, each carried on to today. */
function toSeries(levels: readonly MrrLevel[], now: Date): MrrSeries[] {
  const today = dayOfDate(now)
  const series = [...Map.groupBy(levels, ({ currency }) => currency)].map(([currency, own]) => {
    const points = own.map(({ day, mrrCents }) => ({ day, mrr: mrrCents }))
    const last = points.at(-1)
    if (last !== undefined && last.day < today) points.push({ day: today, mrr: last.mrr })
    return { currency, points }
  })
  const present = ({ points }: MrrSeries) => points.at(-1)?.mrr ?? 0
  return series.sort((a, b) => present(b) - present(a))
}
