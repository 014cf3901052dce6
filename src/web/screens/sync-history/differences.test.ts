import { expect, it } from 'vitest'
import type { RunRecord } from '#contract/sync.ts'
import { differenceTexts } from './differences.tsx'

const inYen = { currency: 'jpy' } as RunRecord['subscription']
const texts = (differences: RunRecord['differences'], subscription: RunRecord['subscription'] = null) =>
  differenceTexts({ differences, subscription })

it('says what a sync wrote over as a person reads it', () => {
  expect(
    texts([
      { field: 'status', before: 'active', after: 'past_due' },
      { field: 'mrr', before: '1200.50', after: '0.00' },
      { field: 'nextRenewalOn', before: '2026-11-30', after: '2026-12-30' },
      { field: 'cancelAt', before: '', after: '2027-01-01T00:00:00.000Z' },
      { field: 'trialEnd', before: '2026-11-01T12:00:00.000Z', after: '' },
      { field: 'periodEnd', before: '2026-11-30T00:00:00.000Z', after: '2026-12-30T00:00:00.000Z' },
    ]),
  ).toEqual([
    'Status from Active to Past Due',
    'MRR from $1,200.50 to $0.00',
    'Next renewal from Nov 30, 2026 to Dec 30, 2026',
    'Cancellation set to Jan 1, 2027',
    'Trial end Nov 1, 2026 removed',
  ])
})

it('writes amounts in the currency that each of them had', () => {
  expect(texts([{ field: 'mrr', before: '5000', after: '6000' }], inYen)).toEqual([
    'MRR from ¥5,000 to ¥6,000',
  ])
  expect(
    texts(
      [
        { field: 'mrr', before: '50.00', after: '6000' },
        { field: 'currency', before: 'EUR', after: 'JPY' },
      ],
      inYen,
    ),
  ).toEqual(['MRR from €50.00 to ¥6,000', 'Currency from EUR to JPY'])
})

it('says when no figure changed, and nothing where the values before are not known', () => {
  expect(texts([])).toEqual(['Name, customer or calculation'])
  expect(texts(null)).toEqual([])
})
