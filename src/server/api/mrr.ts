import { listMrrSnapshots } from '#contract/mrr.ts'
import { type Router, serve } from '../http/serve.ts'
import { listMonthlyMrr } from '../store/dashboard.ts'
import { splitByCurrency } from './dashboard.ts'

export function serveMrr(router: Router): void {
  serve(router, listMrrSnapshots, ({ inOrganization }) =>
    inOrganization(async (tenant) => {
      const months = Map.groupBy(await listMonthlyMrr(tenant), ({ month }) => month)
      return {
        snapshots: [...months].map(([month, rows]) => {
          const { total, others } = splitByCurrency(rows)
          return {
            month,
            mrr: total.mrrCents,
            activeSubscriptions: total.activeSubscriptions,
            otherCurrencies: others,
          }
        }),
      }
    }),
  )
}
