import type { Day } from '../date-range.ts'
import { lastDayOf, type Month, monthsBetween } from '../month.ts'
import type { Cohort } from '../retention.ts'
import { shareOut, type WorthOf } from './revalued.ts'

type CohortOwn = { cohort: Month; month: Month; currency: string; ownCents: number }

/** The day whose rates the levels at the end of a month have; the running month ends today. */
export function levelDayOf(month: Month, today: Day): Day {
  const last = lastDayOf(month)
  return last < today ? last : today
}

/**
 * Cohorts whose cells have the rates of the ends of their months, so that the cells of a month add up to its revalued
 * MRR.
 */
export function revaluedCohorts(
  cohorts: readonly Cohort[],
  rows: readonly CohortOwn[],
  { from, to, today }: { from: Month; to: Month; today: Day },
  worthOf: WorthOf,
): Cohort[] {
  const parts = new Map<string, { cohort: Month | ''; currency: string; ownCents: number }>()
  const add = (added: readonly CohortOwn[]) => {
    for (const { cohort, currency, ownCents } of added) {
      const name = cohort < from ? '' : cohort
      const part = parts.get(`${name} ${currency}`) ?? { cohort: name, currency, ownCents: 0 }
      part.ownCents += ownCents
      parts.set(`${name} ${currency}`, part)
    }
  }
  const worth = new Map<string, number>()
  const byMonth = Map.groupBy(rows, ({ month }) => month)
  add(rows.filter(({ month }) => month < from))
  for (const month of monthsBetween(from, to)) {
    add(byMonth.get(month) ?? [])
    for (const { part, cents } of shareOut([...parts.values()], levelDayOf(month, today), worthOf)) {
      const key = `${month} ${part.cohort}`
      worth.set(key, (worth.get(key) ?? 0) + cents)
    }
  }
  return cohorts.map(({ cohort, cells }) => ({
    cohort,
    cells: cells.map((cell) => ({ ...cell, mrr: worth.get(`${cell.month} ${cohort}`) ?? 0 })),
  }))
}
