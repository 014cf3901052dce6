import { expect, test } from 'vitest'
import { fc } from '#test/fast-check.ts'
import { monthsBetween } from './month.ts'
import { movements } from './movement.ts'
import { ratio } from './mrr/exact/rational.ts'
import { levelOf, worthIn } from './reporting/revalued.ts'
import { type CohortMovement, cohortsOf, retentionOf } from './retention.ts'

const months = monthsBetween('2025-01', '2026-02')
const runs = { numRuns: Number(process.env['ACCOUNTS'] ?? 1_000) }

/** Rows as the ledger has them: increases are not below zero, decreases not above, none before its cohort. */
const anyRow: fc.Arbitrary<CohortMovement> = fc
  .record({
    at: fc.array(fc.constantFrom(...months), { minLength: 2, maxLength: 2 }),
    movement: fc.constantFrom(...movements),
    cents: fc.integer({ min: 0, max: 1_000_000 }),
    customers: fc.integer({ min: -2, max: 2 }),
  })
  .map(({ at, movement, cents, customers }) => {
    const [cohort = '', month = ''] = at.toSorted()
    return { cohort, month, movement, customers, change: /Churn|Down/.test(movement) ? -cents : cents }
  })

test('NRR is the MRR that is left of the start, and exceeds GRR by the share of expansion', () => {
  const lost = fc.array(fc.record({ change: fc.integer({ min: -1_000_000, max: 0 }) }))
  fc.assert(
    fc.property(fc.array(anyRow), lost, fc.constantFrom(...months), (rows, losses, from) => {
      const found = retentionOf(rows, losses, { from, to: '2026-02' })
      const { start, expansion, contraction, end, nrr, grr } = found
      const known = rows.filter(({ cohort }) => cohort < from)
      expect(end).toBe(known.reduce((all, { change }) => all + change, 0))
      expect(start + expansion + contraction).toBe(end)
      expect(contraction).toBe(losses.reduce((all, { change }) => all + change, 0))
      expect([nrr === null, grr === null]).toEqual([start <= 0, start <= 0])
      if (nrr !== null && grr !== null) expect(nrr - grr).toBeCloseTo(expansion / start, 9)
    }),
    runs,
  )
})

test('the cohorts of each month add up to its MRR and its customers', () => {
  fc.assert(
    fc.property(fc.array(anyRow), fc.constantFrom(...months), (rows, from) => {
      const cohorts = cohortsOf(rows, { from, to: '2026-02' })
      for (const month of monthsBetween(from, '2026-02')) {
        const cells = cohorts.flatMap((one) => one.cells.filter((cell) => cell.month === month))
        const until = rows.filter((row) => row.month <= month)
        expect(cells.reduce((all, { mrr }) => all + mrr, 0)).toBe(
          until.reduce((all, { change }) => all + change, 0),
        )
        expect(cells.reduce((all, { customers }) => all + customers, 0)).toBe(
          until.reduce((all, { customers }) => all + customers, 0),
        )
      }
    }),
    runs,
  )
})

test('retention of two customers, one of whom leaves', () => {
  const row = { cohort: '2025-01', month: '2025-01', movement: 'New', change: 10_000, customers: 2 } as const
  const rows: CohortMovement[] = [
    row,
    { ...row, month: '2025-03', movement: 'Upgrade', change: 1_500, customers: 0 },
    { ...row, month: '2025-03', movement: 'Churn', change: -4_000, customers: -1 },
    { ...row, cohort: '2025-03', month: '2025-03', change: 90_000, customers: 1 },
  ]
  expect(retentionOf(rows, [{ change: -4_000 }], { from: '2025-03', to: '2025-03' })).toEqual({
    ...{ from: '2025-03', to: '2025-03', start: 10_000, expansion: 1_500, contraction: -4_000, end: 7_500 },
    ...{ nrr: 0.75, grr: 0.6 },
  })
  expect(retentionOf<{ change: number }>(rows, [], { from: '2025-01', to: '2025-03' })).toMatchObject({
    start: 0,
    nrr: null,
    grr: null,
  })
  expect(cohortsOf(rows, { from: '2025-02', to: '2025-03' })).toEqual([
    { cohort: '', cells: [cell('2025-02', 10_000, 2), cell('2025-03', 7_500, 1)] },
    { cohort: '2025-03', cells: [cell('2025-03', 90_000, 1)] },
  ])
})

test('customers who leave take away what they were worth at the start, whatever rates do', () => {
  const row = { cohort: '2025-01', month: '2025-01', movement: 'New', customers: 1, currency: 'usd' } as const
  const rows = [
    { ...row, change: 8_000, ownCents: 10_001 },
    {
      ...row,
      month: '2025-02',
      movement: 'Churn',
      change: -10_001,
      ownCents: -10_001,
      customers: -1,
    } as const,
  ]
  const half = worthIn('eur', () => ({
    rate: ratio(1n, 2n),
    day: '2025-01-31',
    source: 'ecb',
    isStale: false,
  }))
  type Own = { change: number; currency: string; ownCents: number }
  const atStart = (changes: readonly Own[]) => levelOf(changes, '2025-01-31', half)
  const losses = [{ currency: 'usd', change: 0, ownCents: -10_001 }]
  expect(retentionOf<Own>(rows, losses, { from: '2025-02', to: '2025-02' }, atStart)).toMatchObject({
    ...{ start: 5_001, expansion: 0, contraction: -5_001, end: 0, nrr: 0, grr: 0 },
  })
})

function cell(month: string, mrr: number, customers: number) {
  return { month, mrr, customers }
}
