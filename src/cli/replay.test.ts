import { expect, test } from 'vitest'
import { type ReplayIo, replay } from './replay.ts'
import { stripeInvoice, stripeLine, stripePrice, stripeSubscription } from './replay-examples.ts'

const seat = stripePrice('seat', 1000)

function seatsDocument(id: string): Record<string, unknown> {
  const change = { from: '2025-01-16', to: '2025-02-01', isProration: true }
  return {
    as_of: '2025-02-10T00:00:00Z',
    customers: [
      { id: 'cus_1', object: 'customer', created: 1_700_000_000, name: 'Ada', email: 'ada@example.com' },
    ],
    products: [{ id: 'prod_seat', object: 'product', name: 'Seat', active: true, created: 1_600_000_000 }],
    prices: [seat],
    coupons: [],
    subscriptions: [stripeSubscription(id, seat, 11)],
    invoices: [
      stripeInvoice('in_2', id, '2025-02-01', [
        stripeLine(id, seat, { ...change, amount: 5500, quantity: 11 }),
        stripeLine(id, seat, { ...change, amount: -5000, quantity: 10 }),
        stripeLine(id, seat, { amount: 11_000, quantity: 11, from: '2025-02-01', to: '2025-03-01' }),
      ]),
      stripeInvoice('in_1', id, '2025-01-01', [
        stripeLine(id, seat, { amount: 10_000, quantity: 10, from: '2025-01-01', to: '2025-02-01' }),
      ]),
    ],
    invoice_payments: [],
  }
}

function run(args: string[], files: Record<string, unknown>) {
  let out = ''
  let error = ''
  const io: ReplayIo = {
    readText: (path) => {
      const content = files[path]
      if (content === undefined) throw new Error(`no ${path}`)
      return typeof content === 'string' ? content : JSON.stringify(content)
    },
    writeOut: (text) => {
      out += text
    },
    writeError: (text) => {
      error += text
    },
  }
  const code = replay(args, io)
  return {
    code,
    error,
    lines: out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  }
}

test('replays a file into one line with exactly the agreed fields', () => {
  const { code, error, lines } = run(['a.json'], { 'a.json': seatsDocument('sub_1') })
  expect({ code, error }).toEqual({ code: 0, error: '' })
  expect(lines).toEqual([
    {
      events: [
        {
          subscriptionId: 'sub_1',
          invoiceId: 'in_1',
          occurredAt: '2025-01-01T00:00:00Z',
          mrrStatus: 'New',
          changeType: 'new_subscription',
          previousMrr: 0,
          currentMrr: 10_000,
          mrrChange: 10_000,
          previousQuantity: 0,
          currentQuantity: 10,
          currency: 'usd',
        },
        {
          subscriptionId: 'sub_1',
          invoiceId: 'in_2',
          occurredAt: '2025-01-16T00:00:00Z',
          mrrStatus: 'Upgrade',
          changeType: 'quantity_change',
          previousMrr: 10_000,
          currentMrr: 11_000,
          mrrChange: 1_000,
          previousQuantity: 10,
          currentQuantity: 11,
          currency: 'usd',
        },
      ],
      subscriptions: [
        { subscriptionId: 'sub_1', status: 'active', currentMrr: 11_000, quantity: 11, currency: 'usd' },
      ],
      currentMrr: { usd: 11_000 },
      snapshots: [
        { month: '2025-01', currency: 'usd', mrr: 10_000, activeSubscriptions: 1 },
        { month: '2025-02', currency: 'usd', mrr: 11_000, activeSubscriptions: 1 },
      ],
    },
  ])
})

test('many files make one line each, in the order of the call', () => {
  const files = { a: seatsDocument('sub_a'), b: { as_of: '2025-01-01T00:00:00Z' }, c: seatsDocument('sub_c') }
  const { lines } = run(['c', 'b', 'a'], files)
  expect(
    lines.map(({ subscriptions }) =>
      subscriptions.map((entry: { subscriptionId: string }) => entry.subscriptionId),
    ),
  ).toEqual([['sub_c'], [], ['sub_a']])
})

test('equal instants keep the order of subscriptions in the file, over customers too', () => {
  const [one, two] = [seatsDocument('sub_z'), seatsDocument('sub_a')]
  const rename = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll('in_', 'in_a').replaceAll('cus_1', 'cus_2'))
  const both = {
    ...one,
    subscriptions: [...(one['subscriptions'] as unknown[]), rename((two['subscriptions'] as unknown[])[0])],
    invoices: [...(rename(two['invoices']) as unknown[]), ...(one['invoices'] as unknown[])],
  }
  const { lines } = run(['f'], { f: both })
  expect(lines[0].events.map(({ subscriptionId }: { subscriptionId: string }) => subscriptionId)).toEqual([
    'sub_z',
    'sub_a',
    'sub_z',
    'sub_a',
  ])
})

test('--receipts adds how each event and each current figure came about', () => {
  const { lines } = run(['--receipts', 'a'], { a: seatsDocument('sub_1') })
  expect(lines[0].events[1].receipt).toMatchObject({
    mrrCents: 11_000,
    rules: ['R1', 'R12', 'R28'],
    parts: [{ quantity: 11, gross: '11000' }],
  })
  expect(lines[0].subscriptions[0].receipt.parts[0]).toMatchObject({ invoiceId: 'in_2' })
})

test('a subscription that cannot be counted says why and stops nobody', () => {
  const document = seatsDocument('sub_1')
  const odd = stripeSubscription(
    'sub_odd',
    stripePrice('odd', 500, { recurring: { interval: 'lustrum', interval_count: 1 } }),
    1,
  )
  const { lines } = run(['a'], {
    a: { ...document, subscriptions: [odd, ...(document['subscriptions'] as unknown[])] },
  })
  expect(lines[0].subscriptions[0]).toMatchObject({
    currentMrr: 0,
    unsupported: "The billing interval '1 lustrum' is not known",
  })
  expect(lines[0].currentMrr).toEqual({ usd: 11_000 })
})

test.each([
  ['no JSON', '{', 'a: the document is no JSON'],
  ['a list', [], 'a: the document is no JSON object'],
  ['no as_of', {}, 'a: as_of is missing or no ISO instant'],
  ['a bad as_of', { as_of: 'yesterday' }, 'a: as_of is missing or no ISO instant'],
  ['a list that is none', { as_of: '2025-01-01T00:00:00Z', invoices: 5 }, 'a: invoices is no list'],
  [
    'an entry that is none',
    { as_of: '2025-01-01T00:00:00Z', subscriptions: [7] },
    'a: subscriptions[0] is no object',
  ],
  [
    'an entry without id',
    { as_of: '2025-01-01T00:00:00Z', prices: [{}] },
    'a: prices[0].id is missing or no text',
  ],
  [
    'lines cut off',
    { as_of: '2025-01-01T00:00:00Z', invoices: [{ id: 'in_1', lines: { data: [], has_more: true } }] },
    'a: invoices[0].lines.has_more is true: the list has to be embedded whole',
  ],
])('bad input ends with 2 and one line naming the field: %s', (_, content, message) => {
  const { code, error, lines } = run(['a'], { a: content })
  expect({ code, error, lines }).toEqual({ code: 2, error: `${message}\n`, lines: [] })
})

test('a file that is not there, an unknown option and no file at all end with 2', () => {
  expect(run(['nowhere'], {})).toMatchObject({ code: 2, error: 'nowhere: the file cannot be read\n' })
  expect(run(['--verbose', 'a'], {})).toMatchObject({ code: 2 })
  expect(run([], {}).error).toContain('Usage')
})
