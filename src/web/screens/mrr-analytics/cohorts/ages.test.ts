import { expect, test } from 'vitest'
import { agedCohorts, heatOf, shareOf, sumsAt } from './ages.ts'

const cell = (month: string, mrr: number, customers = 1) => ({ month, mrr, customers })
const cohorts = agedCohorts([
  { cohort: '', cells: [cell('2026-01', 900), cell('2026-02', 800), cell('2026-03', 800)] },
  { cohort: '2026-01', cells: [cell('2026-01', 100, 4), cell('2026-02', 90, 4), cell('2026-03', 60, 1)] },
  { cohort: '2026-02', cells: [cell('2026-02', 300), cell('2026-03', 330)] },
])

test('cohorts stand side by side by their age, without the customers of before', () => {
  expect(cohorts.map(({ name }) => name)).toEqual(['2026-02', '2026-01'])
  expect(cohorts.map((cohort) => [0, 1, 2].map((age) => shareOf(cohort, age, 'mrr')))).toEqual([
    [1, 1.1, null],
    [1, 0.9, 0.6],
  ])
  const oldest = cohorts.at(-1)
  expect(oldest && shareOf(oldest, 2, 'customers')).toBe(0.25)
})

test('all cohorts together are those that are old enough', () => {
  expect([0, 1, 2].map((age) => sumsAt(cohorts, age))).toEqual([
    { first: 400, now: 400, count: 2 },
    { first: 400, now: 420, count: 2 },
    { first: 100, now: 60, count: 1 },
  ])
})

test('the color grows with the share, and no further than its strongest', () => {
  expect([0, 0.5, 0.85, 1.2, 30].map(heatOf)).toEqual([0, 0, expect.closeTo(0.25), 1, 1])
  expect(heatOf(1) - heatOf(0.9)).toBeGreaterThan(0.15)
  expect(heatOf(-1)).toBe(0)
})
