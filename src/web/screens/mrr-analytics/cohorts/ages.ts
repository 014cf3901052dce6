import type { CohortsAnswer } from '#contract/mrr.ts'

type Cohort = CohortsAnswer['cohorts'][number]
export type AgedCell = Cohort['cells'][number]
/** What became of the customers of a month: `ages[3]` is the end of the third month since. */
export type AgedCohort = { name: string; ages: AgedCell[] }

/** The cohorts of one month each, newest first. Customers of before have no common month to count from. */
export function agedCohorts(cohorts: readonly Cohort[]): AgedCohort[] {
  return cohorts
    .filter(({ cohort }) => cohort !== '')
    .map(({ cohort, cells }) => ({ name: cohort, ages: cells }))
    .reverse()
}

/** One figure of a cell as a share of that at the end of the first month; null where nothing was there. */
export function shareOf(cohort: AgedCohort, age: number, figure: 'mrr' | 'customers'): number | null {
  const first = cohort.ages[0]?.[figure] ?? 0
  const now = cohort.ages[age]?.[figure]
  return now === undefined || first <= 0 ? null : now / first
}

/** MRR some months after the first payment, and what it was at first, of the `count` cohorts that are as old as that. */
export function sumsAt(
  cohorts: readonly AgedCohort[],
  age: number,
): { first: number; now: number; count: number } {
  const old = cohorts.filter(({ ages }) => ages.length > age)
  return {
    first: old.reduce((sum, { ages }) => sum + (ages[0]?.mrr ?? 0), 0),
    now: old.reduce((sum, { ages }) => sum + (ages[age]?.mrr ?? 0), 0),
    count: old.length,
  }
}

/** Below it, one customer who leaves looks like a collapse. */
export const enoughCohorts = 3

const palestAt = 0.5
const strongestAt = 1.2

/** How strong the color of a share is, 0 to 1: 90% and 100% are far apart, and growth is stronger than 100%. */
export function heatOf(share: number): number {
  return Math.min(1, Math.max(0, (share - palestAt) / (strongestAt - palestAt))) ** 2
}
