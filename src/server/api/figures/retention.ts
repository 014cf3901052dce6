import { type CohortsAnswer, getMrrCohorts, getMrrRetention, type RetentionAnswer } from '#contract/mrr.ts'
import { addDays, addMonths, type Day } from '#domain/date-range.ts'
import { dayOfDate } from '#domain/instant.ts'
import type { Month } from '#domain/month.ts'
import { lastDayOf } from '#domain/month.ts'
import { levelOf, type WorthOf } from '#domain/reporting/revalued.ts'
import { levelDayOf, revaluedCohorts } from '#domain/reporting/revalued-cohorts.ts'
import { cohortsOf, retentionOf, trailingMonths } from '#domain/retention.ts'
import { type Router, serve } from '../../http/serve.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { currencyOfNothing, getReporting, type Reporting } from '../../store/reporting/reporting.ts'
import { loadValues } from '../../store/reporting/values.ts'
import { listCohortMovements, listLosses } from '../../store/totals/read-movements.ts'
import { type AskedDays, askedDays } from '../asked-days.ts'

/** An amount in the reporting currency, and in its own. */
type OwnChange = { change: number; currency: string; ownCents: number }

export function serveRetention(router: Router): void {
  serve(router, getMrrRetention, ({ deps, inOrganization }, { query }) =>
    inOrganization((tenant) => readRetention(tenant, query.to, deps.now())),
  )

  serve(router, getMrrCohorts, ({ deps, inOrganization }, { query }) =>
    inOrganization((tenant) => readCohorts(tenant, query, deps.now())),
  )
}

/** Retention over the last whole months up to a day. Where amounts are revalued, each at the rates of its start. */
export async function readRetention(
  tenant: Tenant,
  day: Day | undefined,
  now: Date,
): Promise<RetentionAnswer> {
  const rows = await listCohortMovements(tenant)
  const today = dayOfDate(now)
  const to = lastWholeMonth(notAfter(today, day), today)
  const losses = await listLosses(tenant, to)
  const reporting = await getReporting(tenant)
  const spans = trailingMonths.map((months) => ({ months, from: shift(to, 1 - months), to }))
  const days = spans.map(({ from }) => dayBefore(from))
  const worthOf = await loadValues(tenant, reporting, rows, days)
  const lostIn = (months: number) => losses.filter((lost) => lost.months === months)
  const atStart = ({ from }: { from: Month }) =>
    worthOf === null
      ? undefined
      : (changes: readonly OwnChange[]) => levelOf(changes, dayBefore(from), worthOf)
  return {
    ...shownIn(reporting, worthOf),
    retention: spans.map(({ months, ...span }) => ({
      months,
      ...retentionOf<OwnChange>(rows, lostIn(months), span, atStart(span)),
    })),
  }
}

/** The cohorts of the months of some days, up to today. */
export async function readCohorts(tenant: Tenant, query: AskedDays, now: Date): Promise<CohortsAnswer> {
  const { from, to } = askedDays(query)
  const rows = await listCohortMovements(tenant)
  const [first = ''] = rows.map(({ cohort }) => cohort).sort()
  const start = from === null || from.slice(0, 7) < first ? first : from.slice(0, 7)
  const today = dayOfDate(now)
  const months = { from: start, to: notAfter(today, to).slice(0, 7) }
  const cohorts = first === '' ? [] : cohortsOf(rows, months)
  const reporting = await getReporting(tenant)
  const days = cohorts.flatMap(({ cells }) => cells.map(({ month }) => levelDayOf(month, today)))
  const worthOf = await loadValues(tenant, reporting, rows, days)
  return {
    ...shownIn(reporting, worthOf),
    cohorts: worthOf === null ? cohorts : revaluedCohorts(cohorts, rows, { ...months, today }, worthOf),
  }
}

function shownIn({ currency }: Reporting, worthOf: WorthOf | null) {
  return { currency: currency ?? currencyOfNothing, ...(worthOf !== null && { isRevalued: true as const }) }
}

function dayBefore(month: Month): Day {
  return addDays(`${month}-01`, -1)
}

function notAfter(today: Day, day: Day | null | undefined): Day {
  return day && day < today ? day : today
}

/** The month that ends with the day, else the one before. On its last day a month still runs. */
function lastWholeMonth(day: Day, today: Day): Month {
  const month = day.slice(0, 7)
  return day === lastDayOf(month) && day < today ? month : shift(month, -1)
}

function shift(month: Month, months: number): Month {
  return addMonths(`${month}-01`, months).slice(0, 7)
}
