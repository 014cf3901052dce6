import type { MrrPolicy } from '#domain/mrr/exact/policy.ts'
import type { PaymentSubscription } from '#domain/payments.ts'
import { invoice, item, line, on, renewals } from '../examples.ts'
import { bill, ended, lived, newAt, pro, type RuleExample } from './example.ts'

const january = renewals(pro, 1, ['2025-01-01'])
const open = bill(pro, 1, '2025-01-05', {}, { status: 'open' })
const draft = bill(pro, 1, '2025-01-12', {}, { status: 'draft' })
const givenUp = { ...open, status: 'uncollectible', uncollectibleAt: on('2025-01-09') }
/** Money back for the unused time of a pause on 10 January, and the bill of a new cycle once it is over. */
const gaveBack = invoice('2025-01-10', [
  line(pro, 1, {
    ...{ from: '2025-01-10', to: '2025-02-01', amountCents: -1419 },
    ...{ isProration: true, isCredit: true, isDiscountable: false },
  }),
])
const resumed = (day: string) => [...january, gaveBack, ...renewals(pro, 1, [day])]
const gap = (day: string) => [
  newAt(2000),
  '2025-01-10 Churn/quantity_change 2000>0 q1>0',
  `${day} Reactivation/reactivation 0>2000 q0>1`,
]
const churn = (day: string) => [newAt(2000), `${day} Churn/cancellation 2000>0 q1>0`]

type Row = readonly [
  name: string,
  status: string,
  invoices: typeof january,
  events: readonly string[],
  more?: {
    held?: Partial<PaymentSubscription>
    policy?: Partial<MrrPolicy>
    from?: string
    asOf?: string
    unsupported?: string
  },
]

const rows: readonly Row[] = [
  ['active counts', 'active', january, [newAt(2000)]],
  ['past due counts', 'past_due', january, [newAt(2000)], { from: 'ST-GL' }],
  ['incomplete never had MRR', 'incomplete', january, []],
  ['an expired incomplete one never had MRR', 'incomplete_expired', january, []],
  [
    'unpaid ends with the following invoice, which is left a draft: on the 12th',
    'unpaid',
    [...january, open, draft],
    churn('2025-01-12'),
    { from: 'ST-BA' },
  ],
  ['unpaid ends when its invoice was given up', 'unpaid', [...january, givenUp], churn('2025-01-09')],
  [
    'an invoice given up before the last paid one tells nothing of it',
    'unpaid',
    [
      { ...givenUp, id: 'in_old', createdAt: on('2024-12-01'), uncollectibleAt: on('2024-12-20'), lines: [] },
      ...january,
      open,
      draft,
    ],
    churn('2025-01-12'),
  ],
  [
    'an older invoice given up after the last one was issued tells of it all the same',
    'unpaid',
    [{ ...givenUp, id: 'in_old', createdAt: on('2024-12-01'), lines: [] }, ...january, draft],
    churn('2025-01-09'),
  ],
  [
    'an invoice given up while later ones were still issued tells nothing of it',
    'unpaid',
    [...january, givenUp, { ...open, id: 'in_later', createdAt: on('2025-01-10') }, draft],
    churn('2025-01-12'),
  ],
  [
    'unpaid with nothing but open invoices ends with the last',
    'unpaid',
    [...january, open],
    churn('2025-01-05'),
  ],
  [
    'unpaid since the first bill after a trial: when it was seen, not seconds after the New',
    'unpaid',
    [
      bill(pro, 1, '2025-01-01', { amountCents: 0, to: '2025-01-05' }),
      bill(pro, 1, '2025-01-05', {}, { status: 'open', createdAt: on('2025-01-05T00:00:05Z') }),
    ],
    [newAt(2000, '2025-01-05'), '2025-01-20 Churn/cancellation 2000>0 q1>0'],
    { held: { trialStart: on('2025-01-01'), trialEnd: on('2025-01-05') } },
  ],
  ['unpaid and nothing that is not paid: when it was seen', 'unpaid', january, churn('2025-01-20')],
  ['setting: unpaid counts', 'unpaid', january, [newAt(2000)], { policy: { unpaid: 'counts' }, from: 'GH' }],
  [
    'a pause is a Churn when it began',
    'paused',
    january,
    churn('2025-01-12'),
    { held: { pausedAt: on('2025-01-12') } },
  ],
  [
    'a pause without a date ends with the last billed period',
    'paused',
    january,
    churn('2025-02-01'),
    { asOf: '2025-03-10' },
  ],
  ['a pause without a date in a billed period: when it was seen', 'paused', january, churn('2025-01-20')],
  ...[
    { name: 'a pause that gave money back and is over ended at the credit', day: '2025-01-20' },
    { name: 'the same, resumed after the billed period', day: '2025-02-20' },
  ].map(({ name, day }) => [name, 'active', resumed(day), gap(day), { asOf: '2025-02-25' }] as const),
  [
    'money back before the next renewal tells of no pause',
    'active',
    resumed('2025-02-01'),
    [newAt(2000)],
    { asOf: '2025-02-25' },
  ],
  [
    'a pause that gave money back, and the customer left in it: a Churn at the credit',
    'canceled',
    [...january, gaveBack],
    gap('').slice(0, 2),
    { held: ended('2025-02-20'), asOf: '2025-02-25' },
  ],
  [
    'money back for a trial that is over tells of no pause',
    'active',
    resumed('2025-01-20'),
    [newAt(2000)],
    { held: { trialStart: on('2025-01-10'), trialEnd: on('2025-01-20') }, asOf: '2025-02-25' },
  ],
  [
    'pause_collection changes nothing while the status is active',
    'active',
    january,
    [newAt(2000)],
    { held: { pauseCollection: 'void' }, from: 'ST-pause' },
  ],
  [
    'setting: past due ends after 10 days',
    'past_due',
    [...january, open],
    churn('2025-01-15'),
    { policy: { pastDueChurnAfterDays: 10 } },
  ],
  [
    'setting: past due ends after the first invoice that is open since the last paid one',
    'past_due',
    [{ ...open, id: 'in_old', createdAt: on('2024-12-01'), lines: [] }, ...january, open],
    churn('2025-01-15'),
    { policy: { pastDueChurnAfterDays: 10 } },
  ],
  [
    'setting: past due goes on before the days are over',
    'past_due',
    [...january, open],
    [newAt(2000)],
    { policy: { pastDueChurnAfterDays: 30 }, from: 'BM-mrr' },
  ],
  [
    'an unknown status is reported, not guessed',
    'hibernating',
    january,
    [],
    { unsupported: "The status 'hibernating' is not known" },
  ],
]

/** R17: the meaning of a subscription's status. */
export const statuses: readonly RuleExample[] = rows.map(([name, status, invoices, events, more = {}]) => {
  const { held, policy, asOf = '2025-01-20', ...rest } = more
  const account = lived(item(pro), invoices, { held: { status, ...held }, ...(policy && { policy }), asOf })
  return { rule: 'R17', name, account, events, ...rest }
})

const both = [newAt(2000), '2025-02-01 Churn/cancellation 2000>0 q1>0']
const withStatus = (status: string) =>
  lived(item(pro), [bill(pro, 1, '2025-01-01', {}, { status })], {
    held: ended('2025-02-01'),
    asOf: '2025-03-01',
  })

/** R26: which invoices are evidence. */
export const invoiceStatuses: readonly RuleExample[] = [
  { rule: 'R26', name: 'paid counts', account: withStatus('paid'), events: both },
  { rule: 'R26', name: 'open counts alike', from: 'CS-diff', account: withStatus('open'), events: both },
  {
    rule: 'R26',
    name: 'open and sent to be paid counts alike',
    account: lived(item(pro), [bill(pro, 1, '2025-01-01', {}, { status: 'open' })], {
      held: { collectionMethod: 'send_invoice' },
    }),
    events: [newAt(2000)],
  },
  {
    rule: 'R26',
    name: 'uncollectible is still evidence',
    account: withStatus('uncollectible'),
    events: both,
  },
  { rule: 'R26', name: 'draft never counts', account: withStatus('draft'), events: [] },
  { rule: 'R26', name: 'void never counts: its New is withdrawn', account: withStatus('void'), events: [] },
  {
    rule: 'R26',
    name: 'an unknown invoice status is no evidence',
    account: lived(item(pro), [...january, bill(pro, 9, '2025-01-10', {}, { status: 'pondering' })]),
    events: [newAt(2000)],
  },
  {
    rule: 'R26',
    name: 'an active subscription with only a draft invoice is New at its start, as its status says',
    account: lived(item(pro, 3), [bill(pro, 3, '2025-01-01', {}, { status: 'draft' })]),
    events: [newAt(6000, '2025-01-01', 3)],
  },
  {
    rule: 'R26',
    name: 'what only a voided invoice showed of an active subscription is withdrawn',
    account: lived(item(pro), [
      ...january,
      invoice('2025-01-10', [line(pro, 5, { from: '2025-01-10' })], { status: 'void' }),
    ]),
    events: [newAt(2000)],
  },
]
