import { type Month, monthsBetween } from './month.ts'
import type { Movement } from './movement.ts'

/** What one kind of movement came to for the customers who first paid in one month. Amounts are minor units. */
export type CohortMovement = {
  /** The month of the first payment. */
  cohort: Month
  month: Month
  movement: Movement
  change: number
  /** Customers that began to pay, less those that stopped. */
  customers: number
}

/** How much of the MRR of the customers of a day is still there, or more than there, some months later. */
export type Retention = {
  /** The first and last month of those that are looked at. */
  from: Month
  to: Month
  /** MRR of all customers before the first month. */
  start: number
  /** What those of these customers who pay more than before pay more. */
  expansion: number
  /** What the others pay less, all of it where they left; not above 0. */
  contraction: number
  /** Their MRR after the last month: start + expansion + contraction. */
  end: number
  /** end / start; null without a start. */
  nrr: number | null
  /** (start + contraction) / start. */
  grr: number | null
}

/** The numbers of whole months that retention looks at. */
export const trailingMonths = [1, 3, 12] as const

/**
 * Retention of the customers who first paid before some months. `losses`: what customers pay less after them than before.
 * `worth` says what changes come to: revalued, at the rates of one day, so that none counts as a loss.
 */
export function retentionOf<Change extends { change: number }>(
  rows: readonly (CohortMovement & Change)[],
  losses: readonly Change[],
  { from, to }: { from: Month; to: Month },
  worth: (changes: readonly Change[]) => number = sum,
): Retention {
  const known = rows.filter(({ cohort, month }) => cohort < from && month <= to)
  const before = known.filter(({ month }) => month < from)
  const start = worth(before)
  const contraction = worth([...before, ...losses]) - start
  const end = worth(known)
  const expansion = end - contraction - start
  const shareOfStart = (cents: number) => (start > 0 ? cents / start : null)
  return {
    from,
    to,
    start,
    expansion,
    contraction,
    end,
    nrr: shareOfStart(end),
    grr: shareOfStart(start + contraction),
  }
}

/** The MRR and the customers of one cohort at the end of a month. */
export type CohortCell = { month: Month; mrr: number; customers: number }
export type Cohort = {
  /** The month of the first payment; empty for all earlier than the first cohort that is shown. */
  cohort: Month | ''
  cells: CohortCell[]
}

/**
 * The cohorts of some months, each at the end of every month since. Earlier customers are one row, so that the rows of a
 * month add up to its MRR.
 */
export function cohortsOf(
  rows: readonly CohortMovement[],
  { from, to }: { from: Month; to: Month },
): Cohort[] {
  const months = monthsBetween(from, to)
  const byCohort = Map.groupBy(rows, ({ cohort }) => (cohort < from ? '' : cohort))
  return ['', ...months]
    .filter((cohort) => byCohort.has(cohort))
    .map((cohort) => ({
      cohort,
      cells: cellsOf(byCohort.get(cohort) ?? [], cohort === '' ? from : cohort, to),
    }))
}

function cellsOf(rows: readonly CohortMovement[], from: Month, to: Month): CohortCell[] {
  const earlier = rows.filter(({ month }) => month < from)
  const byMonth = Map.groupBy(rows, ({ month }) => month)
  const level = { mrr: sum(earlier), customers: countOf(earlier) }
  return monthsBetween(from, to).map((month) => {
    level.mrr += sum(byMonth.get(month) ?? [])
    level.customers += countOf(byMonth.get(month) ?? [])
    return { month, ...level }
  })
}

function countOf(rows: readonly { customers: number }[]): number {
  return rows.reduce((all, { customers }) => all + customers, 0)
}

function sum(rows: readonly { change: number }[]): number {
  return rows.reduce((all, { change }) => all + change, 0)
}
