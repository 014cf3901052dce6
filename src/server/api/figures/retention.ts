import { getMrrCohorts, getMrrRetention } from '#contract/mrr.ts'
import { addMonths, type Day } from '#domain/date-range.ts'
import type { Month } from '#domain/month.ts'
import { lastDayOf } from '#domain/movement.ts'
import { type Cohort, cohortsOf, retentionOf } from '#domain/retention.ts'
import { type Router, serve } from '../../http/serve.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { getReportingCurrency } from '../../store/reporting/reporting.ts'
import { listCohortMovements } from '../../store/totals/read-movements.ts'
import { type AskedDays, askedDays } from '../asked-days.ts'

const trailingMonths = [1, 3, 12] as const

export function serveRetention(router: Router): void {
  serve(router, getMrrRetention, ({ deps, inOrganization }, { query }) =>
    inOrganization(async (tenant) => ({
      currency: await getReportingCurrency(tenant),
      retention: await readRetention(tenant, query.to, deps.now()),
    })),
  )

  serve(router, getMrrCohorts, ({ deps, inOrganization }, { query }) =>
    inOrganization(async (tenant) => ({
      currency: await getReportingCurrency(tenant),
      cohorts: await readCohorts(tenant, query, deps.now()),
    })),
  )
}

/** Retention over the last whole months up to a day. */
export async function readRetention(tenant: Tenant, day: Day | undefined, now: Date) {
  const rows = await listCohortMovements(tenant)
  const to = lastWholeMonth(earlier(day, now))
  return trailingMonths.map((months) => ({
    months,
    ...retentionOf(rows, { from: shift(to, 1 - months), to }),
  }))
}

/** The cohorts of the months of some days, up to today. */
export async function readCohorts(tenant: Tenant, query: AskedDays, now: Date): Promise<Cohort[]> {
  const { from, to } = askedDays(query)
  const rows = await listCohortMovements(tenant)
  const [first = ''] = rows.map(({ cohort }) => cohort).sort()
  const start = from === null || from.slice(0, 7) < first ? first : from.slice(0, 7)
  const months = { from: start, to: earlier(to ?? undefined, now).slice(0, 7) }
  return first === '' ? [] : cohortsOf(rows, months)
}

function earlier(day: Day | undefined, now: Date): Day {
  const today = now.toISOString().slice(0, 10)
  return day !== undefined && day < today ? day : today
}

/** The month of the day once it is over, else the one before. */
function lastWholeMonth(day: Day): Month {
  const month = day.slice(0, 7)
  return day === lastDayOf(month) ? month : shift(month, -1)
}

function shift(month: Month, months: number): Month {
  return addMonths(`${month}-01`, months).slice(0, 7)
}
