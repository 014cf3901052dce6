import type { PaymentInvoice } from '#domain/payments.ts'
import { invoice, item, line, on, price, prorations, renewals, subscription } from '../examples.ts'
import { billed, type PageExample, plan } from './example.ts'

const january = renewals(plan, 1, ['2025-01-01'])
const both = renewals(plan, 1, ['2025-01-01', '2025-02-01'])

/** Invoices of the customer's second subscription. */
function ofSecond(days: readonly string[], of = plan): PaymentInvoice[] {
  return days.map((from) => {
    const own = { subscriptionId: 'sub_2', subscriptionItemId: 'si_2' }
    return invoice(from, [line(of, 1, { from, ...own, id: `il_2_${from}` })], {
      id: `in_2_${from}`,
      subscriptionId: 'sub_2',
    })
  })
}

function second(day: string, of = plan) {
  const periodStart = on(day)
  return subscription([item(of, 1, { id: 'si_2', createdAt: periodStart, periodStart })], {
    id: 'sub_2',
    createdAt: periodStart,
  })
}

const ended = (day: string) =>
  subscription([item(plan)], { status: 'canceled', canceledAt: on(day), endedAt: on(day) })

const small = price('small', 1000)
const dear = price('dear', 9000)
const two = {
  subscriptions: [
    subscription([item(plan)]),
    {
      ...second('2025-01-10', small),
      status: 'canceled',
      endedAt: on('2025-02-05'),
      canceledAt: on('2025-02-05'),
    },
  ],
  invoices: [...both, ...ofSecond(['2025-01-10'], small)],
  asOf: '2025-02-20',
}

const trial = { trialStart: on('2025-01-01'), trialEnd: on('2025-01-15') }
const trialInvoice = invoice('2025-01-01', [
  line(plan, 1, { from: '2025-01-01', to: '2025-01-15', amountCents: 0 }),
])

const pastDue = {
  subscriptions: [subscription([item(plan)], { status: 'past_due' })],
  invoices: [...january, invoice('2025-02-01', [line(plan, 1, { from: '2025-02-01' })], { status: 'open' })],
  policy: { pastDueChurnAfterDays: 30 },
  asOf: '2025-03-20',
}

const planned = {
  status: 'canceled',
  cancelAtPeriodEnd: true,
  canceledAt: on('2025-01-10'),
  endedAt: on('2025-02-01'),
}

/** Beginnings, ends and returns. */
export const lives: PageExample[] = [
  {
    rule: 'R16',
    words: 'A trial of two weeks, then $20 a month from 15 January',
    account: {
      subscriptions: [subscription([item(plan)], trial)],
      invoices: [trialInvoice, ...renewals(plan, 1, ['2025-01-15'])],
      asOf: '2025-01-20',
    },
  },
  {
    rule: 'R16',
    words: 'A trial of two weeks, canceled on its tenth day',
    account: {
      subscriptions: [
        subscription([item(plan)], {
          ...trial,
          status: 'canceled',
          canceledAt: on('2025-01-10'),
          endedAt: on('2025-01-15'),
        }),
      ],
      invoices: [trialInvoice],
      asOf: '2025-01-20',
    },
  },
  {
    rule: 'R26',
    words: 'A $20 plan that ended unpaid, and whose only invoice was voided',
    account: {
      subscriptions: [
        subscription([item(plan)], { status: 'incomplete_expired', endedAt: on('2025-01-02') }),
      ],
      invoices: [invoice('2025-01-01', [line(plan, 1, { from: '2025-01-01' })], { status: 'void' })],
      asOf: '2025-01-20',
    },
  },
  {
    rule: 'R26',
    words: 'A $20 plan whose invoice is still open',
    account: billed(plan, 1, {
      invoices: [invoice('2025-01-01', [line(plan, 1, { from: '2025-01-01' })], { status: 'open' })],
    }),
  },
  {
    rule: 'R26',
    words: 'A $20 plan becomes a $90 plan once an invoice of $35 is paid, which is still open',
    account: billed(plan, 1, {
      subscriptions: [subscription([item(plan)], { pendingInvoiceId: 'in_change' })],
      invoices: [
        ...renewals(plan, 1, ['2025-01-01']),
        invoice(
          '2025-01-16',
          prorations(
            { of: plan, quantity: 1, amountCents: 1000 },
            { of: dear, quantity: 1, amountCents: 4500 },
            { from: '2025-01-16', to: '2025-02-01' },
          ),
          { id: 'in_change', status: 'open' },
        ),
      ],
    }),
  },
  {
    rule: 'R16',
    words: 'A $20 plan created on 15 January, with nothing billed until 1 February',
    account: {
      subscriptions: [
        subscription([item(plan)], { createdAt: on('2025-01-15'), anchorAt: on('2025-02-01') }),
      ],
      invoices: renewals(plan, 1, ['2025-02-01']),
      asOf: '2025-02-10',
    },
  },
  {
    rule: 'R16',
    words: 'An invoice of $0 makes a $20 plan free from 1 February, and the customer leaves on the 20th',
    account: {
      subscriptions: [ended('2025-02-20')],
      invoices: [...january, invoice('2025-02-01', [line(plan, 1, { from: '2025-02-01', amountCents: 0 })])],
      asOf: '2025-03-02',
    },
  },
  {
    rule: 'R32',
    words:
      'A $20 plan started on 1 March 2024, moved here on 15 January 2025 and first billed on 1 March 2025',
    account: {
      subscriptions: [
        subscription([item(plan, 1, { createdAt: on('2025-01-15') })], {
          createdAt: on('2025-01-15'),
          startedAt: on('2024-03-01'),
        }),
      ],
      invoices: renewals(plan, 1, ['2025-03-01']),
      asOf: '2025-03-10',
    },
  },
  {
    rule: 'R32',
    words: 'A $20 plan created on 1 March, backdated to 1 January, with $40 for the time between',
    account: {
      subscriptions: [
        subscription([item(plan, 1, { periodStart: on('2025-03-01'), periodEnd: on('2025-04-01') })], {
          createdAt: on('2025-03-01'),
          startedAt: on('2025-01-01'),
        }),
      ],
      invoices: [
        invoice('2025-03-01', [
          line(plan, 1, { from: '2025-01-01', to: '2025-03-01', amountCents: 4000, isProration: true }),
          line(plan, 1, { from: '2025-03-01' }),
        ]),
      ],
      asOf: '2025-03-10',
    },
  },
  {
    rule: 'R30',
    words: 'A $20 plan canceled on 10 January for 1 February',
    account: { subscriptions: [subscription([item(plan)], planned)], invoices: january, asOf: '2025-02-10' },
  },
  {
    rule: 'R18',
    words: 'the same, with the setting that dates the Churn at the request',
    account: {
      subscriptions: [subscription([item(plan)], planned)],
      invoices: january,
      policy: { churnAt: 'request' },
      asOf: '2025-02-10',
    },
  },
  {
    rule: 'R29',
    words: 'A $20 plan canceled immediately on 20 January, and the whole $20 refunded',
    account: { subscriptions: [ended('2025-01-20')], invoices: january, asOf: '2025-02-10' },
  },
  {
    rule: 'R17',
    words: 'The $20 invoice of 1 February stays open and the plan past due, with the setting of 30 days',
    account: pastDue,
  },
  {
    rule: 'R17',
    words: 'the same, but paid on 15 March',
    account: { ...pastDue, subscriptions: [subscription([item(plan)])], invoices: both },
  },
  {
    rule: 'R15',
    words: 'A second plan of $10 beside one of $20, from 10 January to 5 February',
    account: two,
  },
  {
    rule: 'R15',
    words: 'the same, with the setting that counts it as Upgrade and Downgrade',
    account: { ...two, policy: { furtherSubscription: 'movement' } },
  },
  {
    rule: 'R22',
    words: 'A $20 plan ended on 1 February 2025; the customer starts again in 2028',
    account: {
      subscriptions: [ended('2025-02-01'), second('2028-03-01')],
      invoices: [...january, ...ofSecond(['2028-03-01'])],
      asOf: '2028-03-10',
    },
  },
  {
    rule: 'R35',
    words: 'A $20 plan is created again on 31 January at 18:00; the old one ends at midnight',
    account: {
      subscriptions: [ended('2025-02-01'), second('2025-01-31T18:00:00Z')],
      invoices: [...january, ...ofSecond(['2025-01-31T18:00:00Z'])],
      asOf: '2025-02-10',
    },
  },
  {
    rule: 'R36',
    words: 'Two customers of $20, one until 1 March and one from 1 April, are merged into one: a return',
    account: {
      subscriptions: [ended('2025-03-01'), second('2025-04-01')],
      invoices: [...both, ...ofSecond(['2025-04-01'])],
      asOf: '2025-04-10',
    },
  },
  {
    rule: 'R38',
    words: 'A $20 plan from 1 January, a $10 plan from 10 January to 5 February',
    account: two,
    withSnapshots: true,
  },
]
