import type { PaymentDiscount } from '#domain/payments.ts'
import { coupon, discount, invoice, item, line, on, price, prorations } from '../examples.ts'
import { bill, lived, newAt, off, pro, type RuleExample } from './example.ts'

const asOf = '2025-02-02'
const nine = price('nine', 999)
const [credit, debit] = prorations(
  { of: nine, quantity: 1, amountCents: 77 },
  { of: nine, quantity: 7, amountCents: 541 },
  { from: '2025-01-29T16:00:00Z', to: '2025-02-01' },
)
const grown = [credit, debit && { ...debit, discountCents: 179, ...off(179) }].filter(
  (entry) => entry !== undefined,
)

const stubOff = (cents: number) =>
  bill(pro, 1, '2025-01-20', { to: '2025-02-01', amountCents: 774, isProration: true, ...off(cents) })
const late = { held: { createdAt: on('2025-01-20') }, asOf }
const fiveOff = discount(coupon('c', { amountOffCents: 500, currency: 'usd' }))

const base = price('base', 10_000)
const extra = price('extra', 3000)
const ofExtra = { subscriptionItemId: 'si_2' }

const seat = price('seat', 1000)
const twoOff = discount(coupon('two', { amountOffCents: 200, currency: 'usd' }))
const stretch = { from: '2025-01-16T12:00:00Z', to: '2025-02-01', isProration: true }

const fifty = price('fifty', 5000)
const once = discount(coupon('once', { percentOff: 50, duration: 'once' }), { startedAt: on('2025-01-16') })
const tenth = discount(coupon('tenth', { percentOff: 10 }), { startedAt: on('2025-01-01') })
const fifth = discount(coupon('fifth', { percentOff: 20 }), { startedAt: on('2025-01-01') })
const both = (first: number, second: number) => ({
  discounts: [...off(first, tenth.id).discounts, ...off(second, fifth.id).discounts],
})
/** 20 to 50 dollars on 16 January, where the prorations include the discounts of their invoice. */
const upgraded = (amountCents: number, creditCents: number, discounts: PaymentDiscount[]) =>
  invoice(
    '2025-01-16',
    prorations(
      { of: pro, quantity: 1, amountCents: creditCents },
      { of: fifty, quantity: 1, amountCents },
      { from: '2025-01-16', to: '2025-02-01' },
    ),
    { discounts },
  )

/** Partial periods: they give the whole period without drift, so that the renewal makes no event (R20). */
export const partsOfPeriods: readonly RuleExample[] = [
  {
    rule: 'R13',
    name: 'itemized: 179 of 541 cents are 33%, as the renewal says',
    account: lived(
      item(nine, 7),
      [
        bill(nine, 1, '2025-01-01', off(330)),
        invoice('2025-01-30', grown),
        bill(nine, 7, '2025-02-01', off(2308)),
      ],
      { asOf },
    ),
    events: [newAt(669), '2025-01-29T16:00:00Z Upgrade/quantity_change 669>4685 q1>7'],
  },
  {
    rule: 'R35',
    name: 'a stub under a percentage',
    account: lived(item(pro), [stubOff(255), bill(pro, 1, '2025-02-01', off(660))], late),
    events: [newAt(1340, '2025-01-20')],
  },
  {
    rule: 'R5',
    name: 'a stub under an amount whose coupon is gone: the renewal tells',
    account: lived(item(pro), [stubOff(500), bill(pro, 1, '2025-02-01', off(500))], late),
    events: [newAt(1500, '2025-01-20')],
  },
  {
    rule: 'R5',
    name: 'a stub under an amount: the coupon tells',
    account: lived(item(pro), [{ ...stubOff(500), discounts: [fiveOff] }], {
      held: { createdAt: on('2025-01-20') },
      asOf: '2025-01-21',
    }),
    events: [newAt(1500, '2025-01-20')],
  },
  {
    rule: 'R5',
    name: 'a fixed amount is off each period of its own, also where both stand on one invoice',
    account: lived(
      item(seat, 4),
      [
        bill(seat, 2, '2025-01-01', off(200, twoOff.id)),
        invoice('2025-02-01', [
          line(seat, 2, { ...stretch, amountCents: -1000, ...off(-100, twoOff.id) }),
          line(seat, 4, { ...stretch, amountCents: 2000, ...off(100, twoOff.id) }),
          line(seat, 4, { from: '2025-02-01', ...off(200, twoOff.id) }),
        ]),
      ],
      { held: { discounts: [twoOff] }, asOf },
    ),
    events: [newAt(1800, '2025-01-01', 2), '2025-01-16T12:00:00Z Upgrade/quantity_change 1800>3800 q2>4'],
  },
  {
    rule: 'R12',
    name: 'a gone price is as long as its whole period, not as the stretch that was prorated first',
    account: lived(
      item(base),
      [
        bill(base, 1, '2025-01-01'),
        invoice('2025-02-01', [
          line(extra, 1, { ...ofExtra, ...stretch, amountCents: 1500 }),
          line(extra, 1, { ...ofExtra, from: '2025-02-01' }),
          line(base, 1, { from: '2025-02-01' }),
        ]),
        bill(extra, 1, '2025-02-15', { ...ofExtra, to: '2025-03-01', isProration: true, amountCents: -1500 }),
      ],
      { prices: [base], asOf: '2025-02-20' },
    ),
    events: [
      newAt(10_000),
      '2025-01-16T12:00:00Z Upgrade/plan_change 10000>13000 q1>2',
      '2025-02-15 Downgrade/plan_change 13000>10000 q2>1',
    ],
  },
  {
    rule: 'R4',
    name: 'a one-time coupon that the prorations of a change used up counts until the renewal',
    account: lived(
      item(fifty),
      [bill(pro, 1, '2025-01-01'), upgraded(1290, 1032, [once]), bill(fifty, 1, '2025-02-01')],
      { prices: [pro], asOf },
    ),
    events: [
      newAt(2000),
      '2025-01-16 Upgrade/plan_change 2000>2500 q1>1',
      '2025-02-01 Upgrade/price_change 2500>5000 q1>1',
    ],
  },
  {
    rule: 'R4',
    name: 'the same beside a lasting one',
    account: lived(
      item(fifty),
      [
        bill(pro, 1, '2025-01-01', off(200, tenth.id), { discounts: [tenth] }),
        upgraded(1161, 929, [tenth, once]),
        bill(fifty, 1, '2025-02-01', off(500, tenth.id), { discounts: [tenth] }),
      ],
      { prices: [pro], asOf },
    ),
    events: [
      newAt(1800),
      '2025-01-16 Upgrade/plan_change 1800>2250 q1>1',
      '2025-02-01 Upgrade/price_change 2250>4500 q1>1',
    ],
  },
  {
    rule: 'R13',
    name: 'two coupons of which one is gone before the invoice count inside a part of the time before',
    account: lived(
      [item(pro), item(extra, 1, { id: 'si_2' })],
      [
        bill(pro, 1, '2025-01-01', both(200, 360), { discounts: [tenth, fifth] }),
        invoice(
          '2025-02-01',
          [
            line(extra, 1, {
              ...ofExtra,
              from: '2025-01-16',
              to: '2025-02-01',
              isProration: true,
              amountCents: 1114,
            }),
            line(pro, 1, { from: '2025-02-01', discountCents: 200, ...off(200, tenth.id) }),
            line(extra, 1, { ...ofExtra, from: '2025-02-01', discountCents: 300, ...off(300, tenth.id) }),
          ],
          { discounts: [tenth] },
        ),
      ],
      { asOf },
    ),
    events: [
      newAt(1440),
      '2025-01-16 Upgrade/plan_change 1440>3600 q1>2',
      '2025-02-01 Upgrade/price_change 3600>4500 q2>2',
    ],
  },
]
