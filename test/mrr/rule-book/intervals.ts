import { invoice, item, line, price, renewals } from '../examples.ts'
import { bill, lived, newAt, pro, type RuleExample } from './example.ts'

type Row = readonly [
  rule: string,
  name: string,
  unit: number | string,
  every: string,
  cents: number,
  from?: string,
]

const rows: readonly Row[] = [
  ['R1', '1,200 dollars a year count 100', 120_000, 'year', 10_000, 'ST-BA'],
  ['R1', '600 dollars a year count 50', 60_000, 'year', 5_000, 'ST-GL'],
  ['R1', '10,000 a year is 833', 10_000, 'year', 833],
  ['R1', 'a quarterly plan counts a third, not three times', 3_000, '3 month', 1_000, 'DLT'],
  ['R1', 'a 2-month plan counts a half', 2_000, '2 month', 1_000, 'FORK'],
  ['R1', 'a half year counts a sixth', 60_000, '6 month', 10_000],
  ['R1', 'two years are 24 months', 24_000, '2 year', 1_000],
  ['R2', 'a week is 12/52 of a month', 1_000, 'week', 4_333, 'FT'],
  ['R2', 'two weeks are twice as long', 1_000, '2 week', 2_167],
  ['R2', 'a day is 12/365 of a month', 100, 'day', 3_042, 'PO'],
  ['R2', 'ten days', 1_000, '10 day', 3_042],
  ['R28', 'half a cent goes up', 6, 'year', 1],
  ['R28', 'less than half a cent goes down', 5, 'year', 0],
  ['R28', 'fractions of a cent in the unit price are kept until then', '3333.5', '3 month', 1_111],
]

const third = price('third', 4, 'year')
const thirds = ['a', 'b', 'c'].map((key) => ({ ...third, id: `third_${key}` }))
const year = price('year', 120_000, 'year')

/** R1, R2, R27, R28: the monthly amount of a price's period. */
export const intervals: readonly RuleExample[] = [
  ...rows.map(([rule, name, unit, every, cents, from]): RuleExample => {
    const plan = price('p', unit, every)
    const account = lived(item(plan), renewals(plan, 1, ['2025-01-01']), { asOf: '2025-01-02' })
    return { rule, name, account, events: cents === 0 ? [] : [newAt(cents)], ...(from && { from }) }
  }),
  {
    rule: 'R1',
    name: 'an interval of no length is reported, not guessed',
    account: lived(item(price('p', 500, '0 month')), []),
    events: [],
    unsupported: "The billing interval '0 month' is not known",
  },
  {
    rule: 'R27',
    name: '31-day and 30-day months and a 29 February give the same MRR',
    account: lived(item(pro), renewals(pro, 1, ['2024-01-31', '2024-02-29', '2024-03-31', '2024-04-30']), {
      asOf: '2024-05-02',
    }),
    events: [newAt(2000, '2024-01-31')],
  },
  {
    rule: 'R27',
    name: 'a month of 28 days is a month',
    account: lived(item(pro), [bill(pro, 1, '2025-02-01')], { asOf: '2025-02-02' }),
    events: [newAt(2000, '2025-02-01')],
  },
  {
    rule: 'R27',
    name: 'a leap year of 366 days is a year',
    account: lived(item(year), renewals(year, 1, ['2023-03-01', '2024-03-01']), { asOf: '2024-03-02' }),
    events: [newAt(10_000, '2023-03-01')],
  },
  {
    rule: 'R28',
    name: 'items are summed before they are rounded once',
    account: lived(
      thirds.map((of, index) => item(of, 1, { id: `si_${index}` })),
      [
        invoice(
          '2025-01-01',
          thirds.map((of, index) => line(of, 1, { from: '2025-01-01', subscriptionItemId: `si_${index}` })),
        ),
      ],
    ),
    events: [newAt(1, '2025-01-01', 3)],
  },
]
