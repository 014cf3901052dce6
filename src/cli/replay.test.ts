import { expect, test } from 'vitest'
import {
  runReplay as run,
  seatsDocument,
  stripePrice,
  stripeSubscription,
} from '#test/mrr/replay-examples.ts'

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

test('a subscription that ended keeps the quantity of its items, worth nothing, and its Churn goes to 0 seats', () => {
  const sound = seatsDocument('sub_1')
  const ended = { status: 'canceled', ended_at: Date.parse('2025-02-05T00:00:00Z') / 1000 }
  const subscriptions = sound.subscriptions.map((entry) => ({ ...entry, ...ended }))
  const [answer] = run(['a'], { a: { ...sound, subscriptions } }).lines
  expect(answer.subscriptions).toEqual([
    { subscriptionId: 'sub_1', status: 'canceled', currentMrr: 0, quantity: 11, currency: 'usd' },
  ])
  expect(answer.events.at(-1)).toMatchObject({ mrrStatus: 'Churn', previousQuantity: 11, currentQuantity: 0 })
})

const emptyDocument = { as_of: '2025-01-01T00:00:00Z', subscriptions: [], invoices: [] }

test('many files make one line each, in the order of the call', () => {
  const files = { a: seatsDocument('sub_a'), b: emptyDocument, c: seatsDocument('sub_c') }
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
    dated: { rule: 'R21' },
    rules: ['R1', 'R12', 'R19', 'R21', 'R28'],
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
