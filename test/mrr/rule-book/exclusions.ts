import { invoice, item, line, price, renewals, subscription } from '../examples.ts'
import { bill, ended, lived, newAt, off, pro, type RuleExample } from './example.ts'

const oneOff = { from: '2025-01-01', isSubscriptionItem: false, subscriptionItemId: null }
const ofNone = { ...oneOff, from: '2025-01-10', subscriptionId: null }
const ofSecond = { subscriptionId: 'sub_2', subscriptionItemId: 'si_9' }
const base = line(pro, 1, { from: '2025-01-01' })
const of = (...lines: ReturnType<typeof line>[]) => lived(item(pro), [invoice('2025-01-01', lines)])
const usage = price('usage', 3, 'month', { usageType: 'metered' })
const gone = price('gone', 3000)
const once = price('once', 5000, 'month', { interval: null })
const used = (from: string, quantity: number) => line(usage, quantity, { from, subscriptionItemId: 'si_2' })
const withUsage = [item(pro), item(usage, null, { id: 'si_2' })]

/** R8, R9, R23 and R29: amounts on an invoice, and payments of it, that are not MRR. */
export const exclusions: readonly RuleExample[] = [
  {
    rule: 'R8',
    name: 'a setup fee does not count',
    from: 'CS-mrr',
    account: of(base, line(price('setup', 50_000), 1, oneOff)),
    events: [newAt(2000)],
  },
  {
    rule: 'R8',
    name: 'goodwill on the invoice takes nothing off',
    account: of(base, line(price('sorry', -900), 1, oneOff)),
    events: [newAt(2000)],
  },
  {
    rule: 'R8',
    name: 'a one-time price as an item of the subscription does not count',
    account: of(
      base,
      line(price('once', 700, 'month', { interval: null }), 1, {
        from: '2025-01-01',
        price: price('once', 700, 'month', { interval: null }),
      }),
    ),
    events: [newAt(2000)],
  },
  {
    rule: 'R8',
    name: 'a one-time price that a line names as an item of the subscription does not count either',
    account: of(base, line(once, 1, { from: '2025-01-01', subscriptionItemId: 'si_once', price: once })),
    events: [newAt(2000)],
  },
  {
    rule: 'R8',
    name: 'a part of a period that names no subscription is a one-off item',
    account: of(base, line(gone, 1, { ...ofNone, to: '2025-02-01', amountCents: 2129, isProration: true })),
    events: [newAt(2000)],
  },
  {
    rule: 'R8',
    name: 'lines of several subscriptions on one invoice are each its own',
    account: {
      subscriptions: [
        subscription([item(pro)]),
        subscription([item(pro, 4, { id: 'si_9' })], { id: 'sub_2' }),
      ],
      invoices: [invoice('2025-01-01', [base, line(pro, 4, { ...ofSecond, from: '2025-01-01' })])],
      asOf: '2025-01-20',
    },
    events: [`sub_1 ${newAt(2000)}`, `sub_2 ${newAt(8000, '2025-01-01', 4)}`],
    currentMrr: { usd: 10_000 },
  },
  {
    rule: 'R8',
    name: 'seats added to one subscription change nothing of another on whose invoice they ride',
    account: {
      subscriptions: [
        subscription([item(pro)]),
        subscription([item(pro, 6, { id: 'si_9' })], { id: 'sub_2' }),
      ],
      invoices: [
        invoice('2025-01-01', [base]),
        invoice('2025-01-01', [line(pro, 4, { ...ofSecond, from: '2025-01-01' })], {
          id: 'in_second',
          subscriptionId: 'sub_2',
        }),
        invoice('2025-02-01', [
          line(pro, 1, { from: '2025-02-01' }),
          line(pro, 6, { ...ofSecond, from: '2025-02-01' }),
        ]),
      ],
      asOf: '2025-02-02',
    },
    events: [
      `sub_1 ${newAt(2000)}`,
      `sub_2 ${newAt(8000, '2025-01-01', 4)}`,
      'sub_2 2025-02-01 Upgrade/quantity_change 8000>12000 q4>6',
    ],
    currentMrr: { usd: 14_000 },
  },
  {
    rule: 'R8',
    name: 'a paid invoice of no subscription does not count, and is nothing wrong',
    account: lived(item(pro), [
      invoice('2025-01-01', [base]),
      invoice('2025-01-10', [line(pro, 3, ofNone), line(pro, 3, { ...ofNone, isSubscriptionItem: true })], {
        id: 'in_loose',
        subscriptionId: null,
      }),
    ]),
    events: [newAt(2000)],
    currentMrr: { usd: 2000 },
  },
  {
    rule: 'R9',
    name: 'inclusive tax is taken out; exclusive tax was never in',
    from: 'ST-BA',
    account: of({ ...base, inclusiveTaxCents: 319 }),
    events: [newAt(1681)],
  },
  {
    rule: 'R9',
    name: 'inclusive tax is taken after the discount',
    account: of({ ...base, ...off(1000), discountCents: 1000, inclusiveTaxCents: 160 }),
    events: [newAt(840)],
  },
  {
    rule: 'R9',
    name: 'the tax of a part of a period is carried to the whole by its rate',
    account: lived(
      item(pro),
      [
        invoice('2025-01-20', [
          line(pro, 1, {
            from: '2025-01-20',
            to: '2025-02-01',
            amountCents: 774,
            isProration: true,
            inclusiveTaxCents: 124,
          }),
        ]),
        bill(pro, 1, '2025-02-01', { inclusiveTaxCents: 319 }),
      ],
      { asOf: '2025-02-02' },
    ),
    events: [newAt(1681, '2025-01-20')],
  },
  {
    rule: 'R9',
    name: 'more tax than amount is reported, not counted as 0',
    account: of({ ...base, inclusiveTaxCents: 2500 }),
    events: [],
    unsupported: 'the tax 2500 inside it is more than its amount 2000',
  },
  {
    rule: 'R23',
    name: 'metered usage is left out and its licensed base counts',
    from: 'ST-GL',
    account: lived(withUsage, [invoice('2025-01-01', [base, used('2025-01-01', 900)])]),
    events: [newAt(2000)],
  },
  {
    rule: 'R23',
    name: 'more usage is no Upgrade',
    account: lived(
      withUsage,
      [
        invoice('2025-01-01', [base, used('2025-01-01', 10)]),
        invoice('2025-02-01', [line(pro, 1, { from: '2025-02-01' }), used('2025-02-01', 90_000)]),
      ],
      { asOf: '2025-02-02' },
    ),
    events: [newAt(2000)],
  },
  {
    rule: 'R23',
    name: 'only metered items: no event, and nothing wrong',
    account: lived(item(usage, null), [invoice('2025-01-01', [used('2025-01-01', 50)])]),
    events: [],
  },
  {
    rule: 'R23',
    name: 'a deleted price that is only billed after its periods is usage',
    account: lived(
      item(pro),
      [
        bill(pro, 1, '2025-01-01'),
        ...['2025-02-01', '2025-03-01'].map((from, index) =>
          invoice(from, [
            line(pro, 1, { from }),
            line(usage, 900 + index, { from: `2025-0${index + 1}-01`, to: from, subscriptionItemId: 'si_2' }),
          ]),
        ),
      ],
      { prices: [pro], asOf: '2025-03-02' },
    ),
    events: [newAt(2000)],
  },
  {
    rule: 'R23',
    name: 'a deleted price that was once billed ahead is none',
    account: lived(
      item(pro),
      [bill(gone, 1, '2025-01-01'), invoice('2025-04-05', [line(gone, 1, { from: '2025-02-01' })])],
      { prices: [pro], asOf: '2025-01-20' },
    ),
    events: [newAt(3000), '2025-01-20 Downgrade/plan_change 3000>2000 q1>1'],
  },
  {
    rule: 'R29',
    name: 'an invoice that was never collected counts as much as a paid one',
    account: lived(item(pro), [bill(pro, 1, '2025-01-01', {}, { status: 'uncollectible' })]),
    events: [newAt(2000)],
  },
  {
    rule: 'R29',
    name: 'a credit that is no proration takes nothing off',
    account: of(base, line(pro, 1, { from: '2025-01-01', id: 'il_sorry', amountCents: -500 })),
    events: [newAt(2000)],
  },
  {
    rule: 'R29',
    name: 'a cancellation that came with money back is the Churn, for the full MRR',
    from: 'CM-ref',
    account: lived(
      item(pro),
      [
        ...renewals(pro, 1, ['2025-01-01']),
        invoice('2025-01-10', [
          line(pro, 1, {
            from: '2025-01-10',
            to: '2025-02-01',
            amountCents: -1419,
            isProration: true,
            isCredit: true,
          }),
        ]),
      ],
      { held: ended('2025-01-10') },
    ),
    events: [newAt(2000), '2025-01-10 Churn/cancellation 2000>0 q1>0'],
  },
  {
    rule: 'R29',
    name: 'a credit to the balance on a later invoice changes nothing',
    account: lived(item(pro), [
      invoice('2025-01-01', [base]),
      invoice('2025-01-10', [
        line(pro, 1, { ...oneOff, from: '2025-01-10', to: '2025-01-10', amountCents: -2000 }),
      ]),
    ]),
    events: [newAt(2000)],
  },
]
