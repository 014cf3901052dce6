import { expect, it } from 'vitest'
import type { RunRecord } from '#contract/runs/run-records.ts'
import { differenceTexts } from './differences.tsx'

type Difference = NonNullable<RunRecord['differences']>[number]

const changed = (field: Difference['field'], before: string, after: string): Difference => ({
  ...{ field, before, after, currency: null },
})
const amount = (
  before: [string, string],
  after: [string, string],
  field: 'mrr' | 'convertedMrr' = 'mrr',
) => ({
  ...changed(field, before[0], after[0]),
  currency: { before: before[1], after: after[1] },
})

it('says what a sync wrote over as a person reads it', () => {
  expect(
    differenceTexts([
      changed('status', 'active', 'past_due'),
      amount(['1200.50', 'USD'], ['0.00', 'USD']),
      changed('nextRenewalOn', '2026-11-30', '2026-12-30'),
      changed('cancelAt', '', '2027-01-01T00:00:00Z'),
      changed('trialEnd', '2026-11-01T12:00:00Z', ''),
      changed('periodEnd', '2026-11-30T00:00:00Z', '2026-12-30T00:00:00Z'),
    ]),
  ).toEqual([
    'Status from Active to Past Due',
    'MRR from $1,200.50 to $0.00',
    'Next renewal from Nov 30, 2026 to Dec 30, 2026',
    'Cancellation set to Jan 1, 2027',
    'Trial end Nov 1, 2026 removed',
  ])
})

it('names the end of the period where the renewal moved otherwise', () => {
  expect(
    differenceTexts([
      changed('nextRenewalOn', '2026-11-30', ''),
      changed('periodEnd', '2026-11-30T00:00:00Z', '2027-03-30T00:00:00Z'),
    ]),
  ).toEqual(['Next renewal Nov 30, 2026 removed', 'Period end from Nov 30, 2026 to Mar 30, 2027'])
})

it('says an amount once where the reporting currency is its own', () => {
  const before: [string, string] = ['10.00', 'USD']
  const after: [string, string] = ['20.00', 'USD']
  expect(differenceTexts([amount(before, after), amount(before, after, 'convertedMrr')])).toEqual([
    'MRR from $10.00 to $20.00',
  ])
})

it('says the time of two instants of one day', () => {
  const [text = ''] = differenceTexts([changed('cancelAt', '2027-01-01T08:00:00Z', '2027-01-01T09:00:00Z')])
  const [, before, after] = /^Cancellation from (.*:00.*) to (.*:00.*)$/.exec(text) ?? []
  expect(before).not.toBe(after)
})

it('writes amounts in the currency that each of them had', () => {
  expect(
    differenceTexts([
      amount(['5000', 'JPY'], ['6000', 'JPY']),
      amount(['50.00', 'EUR'], ['60', 'JPY'], 'convertedMrr'),
      changed('convertedCurrency', 'EUR', 'JPY'),
    ]),
  ).toEqual([
    'MRR from ¥5,000 to ¥6,000',
    'Converted MRR from €50.00 to ¥60',
    'Converted currency from EUR to JPY',
  ])
})

it('says when no figure changed, and nothing where the values before are not known', () => {
  expect(differenceTexts([])).toEqual(['Other fields than its figures'])
  expect(differenceTexts(null)).toEqual([])
})
