import { price } from '../examples.ts'
import { bought, ended, newAt, type RuleExample, together } from './example.ts'

const planA = price('a', 10_000)
const planB = price('b', 60_000, 'year')
const glossary = [
  ...Array.from({ length: 100 }, (_, index) => bought(`sub_a${index}`, '2025-01-01', {}, planA)),
  ...Array.from({ length: 50 }, (_, index) => bought(`sub_b${index}`, '2025-01-01', {}, planB)),
]
const euro = price('euro', 3000, 'month', { currency: 'eur' })
const inEuro = bought('sub_eur', '2025-01-01', { currency: 'eur' }, euro)
const ofEuro = { ...inEuro, invoice: { ...inEuro.invoice, currency: 'eur' } }

/** R38: totals and snapshots. */
export const totals: readonly RuleExample[] = [
  {
    rule: 'R38',
    name: '100 subscriptions of 100 a month and 50 of 600 a year are 12,500 dollars',
    from: 'ST-GL',
    account: together(glossary, '2025-01-02'),
    events: [
      ...Array.from({ length: 100 }, (_, index) => `sub_a${index} ${newAt(10_000)}`),
      ...Array.from({ length: 50 }, (_, index) => `sub_b${index} ${newAt(5_000)}`),
    ],
    currentMrr: { usd: 1_250_000 },
    snapshots: ['2025-01 usd 1250000'],
  },
  {
    rule: 'R38',
    name: 'one that lapses on 15 June is already out of June’s end, and in the state of 1 June',
    from: 'FT',
    account: together([bought('sub_a', '2025-05-10', ended('2025-06-15'), planA)], '2025-07-02'),
    events: [newAt(10_000, '2025-05-10'), '2025-06-15 Churn/cancellation 10000>0 q1>0'],
    currentMrr: { usd: 0 },
    snapshots: ['2025-06 usd 10000', '2025-07 usd 0'],
  },
  {
    rule: 'R38',
    name: 'what begins at 00:00 of the 1st is in its snapshot, what begins a second later is not',
    account: together(
      [bought('sub_a', '2025-02-01', {}, planA), bought('sub_b', '2025-02-01T00:00:01Z', {}, planB)],
      '2025-03-02',
    ),
    events: [`sub_a ${newAt(10_000, '2025-02-01')}`, `sub_b ${newAt(5_000, '2025-02-01T00:00:01Z')}`],
    currentMrr: { usd: 15_000 },
    snapshots: ['2025-02 usd 10000', '2025-03 usd 15000'],
  },
  {
    rule: 'R38',
    name: 'currencies are totalled apart',
    from: 'BR',
    account: together([bought('sub_a', '2025-01-01', {}, planA), ofEuro], '2025-02-02'),
    events: [`sub_a ${newAt(10_000)}`, `sub_eur ${newAt(3000)}`],
    currentMrr: { eur: 3000, usd: 10_000 },
    snapshots: ['2025-01 eur 3000', '2025-01 usd 10000', '2025-02 eur 3000', '2025-02 usd 10000'],
  },
]
