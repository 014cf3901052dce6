import { getMrrMovements } from '#contract/mrr.ts'
import { addDays, type Day } from '#domain/date-range.ts'
import { dayOfDate } from '#domain/instant.ts'
import { lastDayOf } from '#domain/month.ts'
import { bridgeOfRange, type MonthMovement, type MovementInterval, periodsOf } from '#domain/movement.ts'
import { levelDays, revaluedBridge, revaluedPeriods, type WorthOf } from '#domain/reporting/revalued.ts'
import { type Router, serve } from '../../http/serve.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { currencyOfNothing, getReporting } from '../../store/reporting/reporting.ts'
import { loadValues } from '../../store/reporting/values.ts'
import { listMovements, type MovementTotal } from '../../store/totals/read-movements.ts'
import { type AskedDays, askedDays } from '../asked-days.ts'
import { besideOf, convertedOf } from './converted.ts'

export function serveMovements(router: Router): void {
  serve(router, getMrrMovements, ({ deps, inOrganization }, { query }) =>
    inOrganization(async (tenant) => {
      const today = dayOfDate(deps.now())
      const { range, beside, ...answer } = await readMovements(tenant, query, today)
      return {
        ...answer,
        from: range?.from ?? null,
        to: range?.to ?? null,
        otherCurrencies: beside.map(({ currency, total }) => ({ currency, ...total })),
      }
    }),
  )
}

/** The movements of the days asked for, the days that they cover, and what has no rate beside them. */
export async function readMovements(
  tenant: Tenant,
  query: AskedDays & { interval: MovementInterval },
  today: Day,
) {
  const asked = askedDays(query)
  const rows = await listMovements(tenant, asked)
  const range = coveredDays(rows, asked, today)
  const spans = periodsIn([], range, query.interval, today)
  const ends = levelDays(asked, today)
  const days = [ends.start, ends.end, ...spans.flatMap(({ from, to }) => [addDays(from, -1), to])]
  const reporting = await getReporting(tenant)
  const worthOf = await loadValues(tenant, reporting, rows, days)
  const figuresOf = (own: readonly (MovementTotal & MonthMovement)[], worth: WorthOf | null) => {
    const periods = periodsIn(own, range, query.interval, today)
    const total = bridgeOfRange(own)
    return worth === null
      ? { periods, total }
      : { periods: revaluedPeriods(periods, own, worth), total: revaluedBridge(total, own, ends, worth) }
  }
  return {
    currency: reporting.currency ?? currencyOfNothing,
    range,
    ...figuresOf(convertedOf(rows), worthOf),
    beside: besideOf(rows, ends.end, worthOf).map((part) => ({
      currency: part.currency,
      ...figuresOf(part.own, part.worthOf),
    })),
  }
}

function periodsIn(
  rows: readonly MonthMovement[],
  range: { from: Day; to: Day } | null,
  interval: MovementInterval,
  today: Day,
) {
  return range === null ? [] : periodsOf(rows, range, interval, today)
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
