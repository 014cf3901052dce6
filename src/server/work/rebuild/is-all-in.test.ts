import { expect, it } from 'vitest'
import { isAllIn } from './is-all-in.ts'

const readAt = 1_000_000
const subscription = (endedAt: number | null = null, priceId = 'price_seat') => ({
  id: 'sub_one',
  endedAt,
  items: [{ priceId }],
})
const invoice = (createdAt: number, priceId: string | null = 'price_seat', subscriptionId = 'sub_one') => ({
  ...{ subscriptionId, createdAt },
  lines: [{ priceId }],
})
const long = readAt - 3_600

it.each([
  ['with its prices and read after its invoices', subscription(), invoice(long), true],
  ['of which an invoice is newer', subscription(), invoice(readAt + 5), false],
  ['of which an invoice may be newer, as clocks differ', subscription(), invoice(readAt - 60), false],
  ['that has ended, whatever is newer', subscription(readAt - 9), invoice(readAt + 5), true],
  ['beside an invoice of another that is newer', subscription(), invoice(readAt + 5, null, 'sub_two'), true],
  ['with a price that stands in no list', subscription(null, 'price_inline'), invoice(long), false],
  ['with an invoice of a price that stands in no list', subscription(), invoice(long, 'price_inline'), false],
  ['with a line of no price', subscription(), invoice(long, null), true],
])('tells whether everything is in of a subscription %s', (_, one, its, isIn) => {
  const customer = { subscriptions: [one], invoices: [its], readAt: new Map([['sub_one', readAt]]) }
  expect(isAllIn(customer, { prices: new Map([['price_seat', {}]]) })).toBe(isIn)
})
