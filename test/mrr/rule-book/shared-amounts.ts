import type { InvoiceLine, PaymentDiscount } from '#domain/payments.ts'
import { coupon, discount, invoice, item, line, on, price, prorations } from '../examples.ts'
import { lived, newAt, off, type RuleExample } from './example.ts'

const [small, large, grown] = [price('small', 1000), price('large', 3000), price('grown', 5000)]
const fourOff = discount(coupon('c', { amountOffCents: 400, currency: 'usd' }))
const stretch = { from: '2025-01-16T12:00:00Z', to: '2025-02-01' }
const asOf = '2025-02-02'

const of = (plan: typeof small, offCents: number, from: string, subscriptionItemId: string): InvoiceLine =>
  line(plan, 1, { from, subscriptionItemId, ...off(offCents) })
const january = (discounts: PaymentDiscount[] = []) =>
  invoice('2025-01-01', [of(small, 100, '2025-01-01', 'si_1'), of(large, 300, '2025-01-01', 'si_2')], {
    discounts,
  })
const february = invoice('2025-02-01', [
  of(grown, 250, '2025-02-01', 'si_1'),
  of(large, 150, '2025-02-01', 'si_2'),
])
const grows = (amountCents: number, more: Partial<InvoiceLine> = {}) =>
  invoice(
    '2025-01-17',
    prorations(
      { of: small, quantity: 1, amountCents: 450 },
      { of: grown, quantity: 1, amountCents },
      stretch,
    ).map((entry) => (entry.isCredit ? entry : { ...entry, ...more })),
  )
const grownItems = [item(grown), item(large, 1, { id: 'si_2' })]
const events = [newAt(3600, '2025-01-01', 2), '2025-01-16T12:00:00Z Upgrade/plan_change 3600>7600 q2>2']

/** A part of January that names the 4 dollars and has its share of them inside. */
const part = (plan: typeof small, amountCents: number, subscriptionItemId: string): InvoiceLine =>
  line(plan, 1, {
    ...{ ...stretch, subscriptionItemId, isProration: true, isCredit: amountCents < 0, amountCents },
    discounts: [{ id: 'di_c', amountCents: 0 }],
  })
const [huge, mid] = [price('huge', 100_000), price('mid', 30_000)]

/** R5: 4 dollars off a whole invoice of several items, one of which changes inside the period. */
export const sharedAmounts: readonly RuleExample[] = [
  {
    rule: 'R5',
    name: 'included: 4 dollars off two items stay 4 dollars when one grows, and the renewal is silent',
    account: lived(grownItems, [january([fourOff]), grows(2375), february], {
      held: { discounts: [fourOff] },
      prices: [small],
      asOf,
    }),
    events,
  },
  {
    rule: 'R5',
    name: 'included: the same with the coupon deleted',
    account: lived(grownItems, [january(), grows(2375), february], { prices: [small], asOf }),
    events,
  },
  {
    rule: 'R5',
    name: 'included: the same before the renewal tells',
    account: lived(grownItems, [january(), grows(2375)], { prices: [small] }),
    events,
  },
  {
    rule: 'R5',
    name: 'itemized: the whole coupon is not taken off the one item that grows',
    account: lived(
      grownItems,
      [january([fourOff]), grows(2500, { ...off(125), discountCents: 125 }), february],
      {
        held: { discounts: [fourOff] },
        prices: [small],
        asOf,
      },
    ),
    events,
  },
  {
    rule: 'R5',
    name: 'what a removed item bore is borne by the one that is left',
    account: lived(
      item(large, 1, { id: 'si_2' }),
      [
        january([fourOff]),
        invoice(
          '2025-01-17',
          prorations(
            { of: small, quantity: 1, amountCents: 450 },
            { of: small, quantity: 1, amountCents: 0 },
            stretch,
          ).slice(0, 1),
        ),
        invoice('2025-02-01', [of(large, 400, '2025-02-01', 'si_2')]),
      ],
      { held: { discounts: [fourOff] }, prices: [small], asOf },
    ),
    events: [newAt(3600, '2025-01-01', 2), '2025-01-16T12:00:00Z Downgrade/plan_change 3600>2600 q2>1'],
  },
  {
    rule: 'R5',
    name: 'an item added beside an amount off, which no invoice shows, bears its share of it',
    account: lived(
      [item(small), item(grown, 1, { id: 'si_2', createdAt: on('2025-01-16') })],
      [invoice('2025-01-01', [of(small, 400, '2025-01-01', 'si_1')], { discounts: [fourOff] })],
      { held: { discounts: [fourOff] } },
    ),
    events: [newAt(600), '2025-01-16 Upgrade/plan_change 600>5600 q1>2'],
  },
  {
    rule: 'R5',
    name: 'what an item bore that went without an invoice is borne by the one that is left',
    account: lived(item(large, 1, { id: 'si_2' }), [january([fourOff])], {
      held: { discounts: [fourOff] },
      prices: [small],
    }),
    events: [newAt(3600, '2025-01-01', 2), '2025-01-20 Downgrade/plan_change 3600>2600 q2>1'],
  },
  {
    rule: 'R5',
    name: 'a renewal like the bill before takes off what it says, whatever an item in between bore',
    account: lived(
      [item(small), item(large, 1, { id: 'si_2' })],
      [
        january([fourOff]),
        invoice('2025-01-17', [part(grown, 2389, 'si_3')]),
        invoice('2025-02-01', [of(small, 100, '2025-02-01', 'si_1'), of(large, 300, '2025-02-01', 'si_2')]),
      ],
      { held: { discounts: [fourOff] }, prices: [grown], asOf },
    ),
    events: [
      newAt(3600, '2025-01-01', 2),
      '2025-01-16T12:00:00Z Upgrade/plan_change 3600>8600 q2>3',
      '2025-02-01 Downgrade/plan_change 8600>3600 q3>2',
    ],
  },
  {
    rule: 'R5',
    name: 'an item that shrinks keeps the discount that its part names, however little of it is inside',
    account: lived(
      item(small, 1, { id: 'si_2' }),
      [
        invoice('2025-01-01', [of(huge, 308, '2025-01-01', 'si_1'), of(mid, 92, '2025-01-01', 'si_2')], {
          discounts: [fourOff],
        }),
        invoice('2025-01-17', [part(mid, -14_954, 'si_2'), part(small, 498, 'si_2')]),
        invoice('2025-02-01', [of(small, 400, '2025-02-01', 'si_2')]),
      ],
      { held: { discounts: [fourOff] }, prices: [huge, mid], asOf },
    ),
    events: [
      newAt(129_600, '2025-01-01', 2),
      '2025-01-16T12:00:00Z Downgrade/plan_change 129600>100600 q2>2',
      '2025-02-01 Downgrade/plan_change 100600>600 q2>1',
    ],
  },
  {
    rule: 'R5',
    name: 'the only item of a period has the whole amount off, whatever shares it since',
    account: lived(
      [item(large, 1, { id: 'si_3', createdAt: on(stretch.from) }), item(grown, 1, { id: 'si_4' })],
      [
        invoice('2025-01-01', [of(small, 400, '2025-01-01', 'si_1')], { discounts: [fourOff] }),
        invoice('2025-01-17', [part(small, -300, 'si_1'), part(large, 1300, 'si_3')]),
        invoice('2025-02-01', [of(large, 150, '2025-02-01', 'si_3'), of(grown, 250, '2025-02-01', 'si_4')]),
      ],
      { held: { discounts: [fourOff] }, prices: [small], asOf },
    ),
    events: [
      newAt(600),
      '2025-01-16T12:00:00Z Upgrade/plan_change 600>2600 q1>1',
      '2025-02-01 Upgrade/plan_change 2600>7600 q1>2',
    ],
  },
]
