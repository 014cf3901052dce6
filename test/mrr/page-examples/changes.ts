import {
  coupon,
  discount,
  invoice,
  item,
  line,
  on,
  price,
  prorations,
  renewals,
  subscription,
} from '../examples.ts'
import { billed, type PageExample, plan } from './example.ts'

const small = price('small', 1000)
const seat = price('seat', 1000)
const january = renewals(plan, 1, ['2025-01-01'])
const rest = { from: '2025-01-16', to: '2025-02-01' }
const free = price('free', 0)
const whole = coupon('whole', { percentOff: 100, duration: 'once' })

const upgrade = {
  subscriptions: [subscription([item(plan)])],
  invoices: [
    ...renewals(small, 1, ['2025-01-01']),
    invoice('2025-02-01', [
      ...prorations(
        { of: small, quantity: 1, amountCents: 516 },
        { of: plan, quantity: 1, amountCents: 1032 },
        rest,
      ),
      line(plan, 1, { from: '2025-02-01' }),
    ]),
  ],
  prices: [small],
  asOf: '2025-02-10',
}

/** Changes of MRR while a subscription continues. */
export const changes: PageExample[] = [
  {
    rule: 'R12',
    words:
      'A $10 plan becomes a $20 plan on 16 January; lines of -$5.16 and +$10.32 are billed with the $20 on 1 February',
    account: upgrade,
  },
  {
    rule: 'R21',
    words: '10 seats of $10 become 11 at the renewal of 1 February, whose invoice is created on the 3rd',
    account: {
      subscriptions: [subscription([item(seat, 11)])],
      invoices: [
        ...renewals(seat, 10, ['2025-01-01']),
        invoice('2025-02-03', [line(seat, 11, { from: '2025-02-01' })]),
      ],
      asOf: '2025-02-10',
    },
  },
  {
    rule: 'R13',
    words:
      '10 seats of $10 at 20% off become 12 on 16 January; the prorations of -$41.29 and +$49.55 already include the discount',
    account: {
      subscriptions: [
        subscription([item(seat, 12)], { discounts: [discount(coupon('fifth', { percentOff: 20 }))] }),
      ],
      invoices: [
        invoice('2025-01-01', [
          line(seat, 10, { from: '2025-01-01', discounts: [{ id: 'di_fifth', amountCents: 2000 }] }),
        ]),
        invoice(
          '2025-01-16',
          prorations(
            { of: seat, quantity: 10, amountCents: 4129 },
            { of: seat, quantity: 12, amountCents: 4955 },
            rest,
          ),
        ),
      ],
      asOf: '2025-01-20',
    },
  },
  {
    rule: 'R19',
    words: '$20 a month become $180 a year on 1 February',
    account: {
      subscriptions: [subscription([item(price('year', 18_000, 'year'))])],
      invoices: [...january, ...renewals(price('year', 18_000, 'year'), 1, ['2025-02-01'])],
      prices: [plan],
      asOf: '2025-02-10',
    },
  },
  {
    rule: 'R31',
    words: '10 seats of $10 become 5 of $12 of the same product on 1 February',
    account: {
      subscriptions: [subscription([item(price('seat12', 1200, 'month', { productId: 'prod_seat' }), 5)])],
      invoices: [
        ...renewals(seat, 10, ['2025-01-01']),
        ...renewals(price('seat12', 1200, 'month', { productId: 'prod_seat' }), 5, ['2025-02-01']),
      ],
      prices: [seat],
      asOf: '2025-02-10',
    },
  },
  {
    rule: 'R20',
    words: 'A $20 plan renewed in February, no invoice in March, renewed in April',
    account: billed(plan, 1, {
      invoices: renewals(plan, 1, ['2025-01-01', '2025-02-01', '2025-04-01']),
      asOf: '2025-04-10',
    }),
  },
  {
    rule: 'R37',
    words: '10 seats of $10 become 12 and then 15 in one second of 16 January',
    account: {
      subscriptions: [subscription([item(seat, 15)])],
      invoices: [
        ...renewals(seat, 10, ['2025-01-01']),
        invoice('2025-01-16', [
          ...prorations(
            { of: seat, quantity: 10, amountCents: 5161 },
            { of: seat, quantity: 12, amountCents: 6194 },
            rest,
          ),
          ...prorations(
            { of: seat, quantity: 12, amountCents: 6194 },
            { of: seat, quantity: 15, amountCents: 7742 },
            rest,
          ),
        ]),
      ],
      asOf: '2025-01-20',
    },
  },
  {
    rule: 'R33',
    words: '$60 for January, February and March of a $20 plan, in one line',
    account: billed(plan, 1, {
      invoices: [
        invoice('2025-01-01', [line(plan, 1, { from: '2025-01-01', to: '2025-04-01', amountCents: 6000 })]),
      ],
    }),
  },
  {
    rule: 'R35',
    words: 'A $20 plan created on 20 January and billed on the 1st: $7.74 first, then $20 from February',
    account: {
      subscriptions: [
        subscription(
          [
            item(plan, 1, {
              createdAt: on('2025-01-20'),
              periodStart: on('2025-02-01'),
              periodEnd: on('2025-03-01'),
            }),
          ],
          { createdAt: on('2025-01-20') },
        ),
      ],
      invoices: [
        invoice('2025-01-20', [
          line(plan, 1, { from: '2025-01-20', to: '2025-02-01', amountCents: 774, isProration: true }),
        ]),
        ...renewals(plan, 1, ['2025-02-01']),
      ],
      asOf: '2025-02-10',
    },
  },
  {
    rule: 'R10',
    words: 'A free plan since January becomes a $20 plan on 1 April',
    account: {
      subscriptions: [subscription([item(plan)])],
      invoices: [
        ...renewals(free, 1, ['2025-01-01', '2025-02-01', '2025-03-01']),
        ...renewals(plan, 1, ['2025-04-01']),
      ],
      prices: [free],
      asOf: '2025-04-10',
    },
  },
  {
    rule: 'R11',
    words: 'A $20 plan becomes a free plan on 1 February, and continues',
    account: {
      subscriptions: [subscription([item(free)])],
      invoices: [...january, ...renewals(free, 1, ['2025-02-01'])],
      prices: [plan],
      asOf: '2025-02-10',
    },
  },
  {
    rule: 'R11',
    words: 'A $20 plan is free in February through a one-time coupon of 100%',
    account: {
      subscriptions: [subscription([item(plan)])],
      invoices: [
        ...january,
        invoice(
          '2025-02-01',
          [line(plan, 1, { from: '2025-02-01', discounts: [{ id: 'di_whole', amountCents: 2000 }] })],
          { discounts: [discount(whole)] },
        ),
        ...renewals(plan, 1, ['2025-03-01']),
      ],
      asOf: '2025-03-10',
    },
  },
]
