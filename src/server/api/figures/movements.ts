import { getMrrMovements } from '#contract/mrr.ts'
import type { Day } from '#domain/date-range.ts'
import { bridgeOfRange, lastDayOf, periodsOf } from '#domain/movement.ts'
import { type Router, serve } from '../../http/serve.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { getReportingCurrency } from '../../store/reporting/reporting.ts'
import { listMovements, type MovementTotal } from '../../store/totals/read-movements.ts'
import { type AskedDays, askedDays } from '../asked-days.ts'
import { convertedOf, otherBridges } from './converted.ts'

export function serveMovements(router: Router): void {
  serve(router, getMrrMovements, ({ deps, inOrganization }, { query }) =>
    inOrganization(async (tenant) => {
      const today = deps.now().toISOString().slice(0, 10)
      const { rows, range } = await readMovements(tenant, query, today)
      const converted = convertedOf(rows)
      return {
        currency: await getReportingCurrency(tenant),
        from: range?.from ?? null,
        to: range?.to ?? null,
        periods: range === null ? [] : periodsOf(converted, range, query.interval, today),
        total: bridgeOfRange(converted),
        otherCurrencies: otherBridges(rows),
      }
    }),
  )
}

/** The totals of the days asked for and before them, and the days that they cover. */
export async function readMovements(tenant: Tenant, query: AskedDays, today: Day) {
  const asked = askedDays(query)
  const rows = await listMovements(tenant, asked)
  return { rows, range: coveredDays(rows, asked, today) }
}

/** The days asked for, without months before the first event and after today; null if none is left. */
function coveredDays(
  rows: readonly MovementTotal[],
  { from, to }: { from: Day | null; to: Day | null },
  today: Day,
): { from: Day; to: Day } | null {
  const months = rows.map(({ month }) => month).filter((month) => month !== '')
  const hasEarlier = months.length < rows.length
  const [first] = months.toSorted()
  const start = hasEarlier ? from : first === undefined ? null : `${first}-01`
  if (start === null) return null
  const last = months.toSorted().at(-1)
  const end = last === undefined || last <= today.slice(0, 7) ? today : lastDayOf(last)
  const range = {
    from: from !== null && from > start ? from : start,
    to: to !== null && to < end ? to : end,
  }
  return range.from > range.to ? null : range
}
