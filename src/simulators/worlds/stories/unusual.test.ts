import { describe, expect, test } from 'vitest'
import { subscriptionMrrOn } from '../expected/truth.ts'
import { generateWorld } from '../generate-world.ts'
import { unusualStories } from './unusual.ts'

const asOf = Date.UTC(2026, 9, 31, 12) / 1000
const { world, truth } = generateWorld({
  seed: 4,
  customers: unusualStories.length,
  asOf,
  stories: unusualStories,
  hasPending: true,
})

type Details = {
  proration: boolean
  proration_details: { credited_items: object | null }
}
type Line = {
  amount: number
  quantity: number
  description: string
  subscription: string
  period: { start: number; end: number }
  parent: { subscription_item_details: Details | null; invoice_item_details: Details | null }
}
type Invoice = {
  created: number
  status: string
  billing_reason: string
  customer: string
  parent: { subscription_details: { subscription: string } } | null
  lines: { data: Line[] }
}
type Subscription = {
  id: string
  created: number
  start_date: number
  billing_cycle_anchor: number
  cancel_at: number | null
  pending_update: { expires_at: number; subscription_items: { price: { id: string } }[] } | null
  items: { data: { price: { id: string } }[] }
}

const invoices: Invoice[] = JSON.parse(JSON.stringify(world.invoices))
const subscriptions: Subscription[] = JSON.parse(JSON.stringify(world.subscriptions))

function told(story: string) {
  const [own] = truth.subscriptions.filter((one) => one.story === story)
  const subscription = subscriptions.find(({ id }) => id === own?.id)
  if (own === undefined || subscription === undefined) throw new RangeError(story)
  const lines = invoices.flatMap((invoice) =>
    invoice.lines.data.filter((line) => line.subscription === own.id).map((line) => ({ invoice, line })),
  )
  return { own, subscription, lines, worths: own.changes.map(({ mrrCents }) => mrrCents) }
}

const detailsOf = ({ parent }: Line) => parent.subscription_item_details ?? parent.invoice_item_details
const prorations = (story: string) =>
  told(story).lines.filter(({ line }) => detailsOf(line)?.proration === true)

describe('a change that waits for its payment', () => {
  test('is on the subscription and on an open invoice, and nowhere else', () => {
    const { subscription, lines, worths } = told('a change still pending 10 hours before the end')
    expect(subscription.pending_update?.expires_at).toBe(asOf + 13 * 3600)
    expect(subscription.pending_update?.subscription_items[0]?.price.id).not.toBe(
      subscription.items.data[0]?.price.id,
    )
    expect(lines.at(-1)?.invoice.status).toBe('open')
    expect(worths).toEqual([9900])
  })

  test('is made as of the request once it is paid, and never when it expires', () => {
    const paid = told('a change paid after all')
    expect(paid.worths).toEqual([9900, 49_900])
    expect(paid.own.changes[1]?.at).toBe(prorations('a change paid after all')[0]?.line.period.start)
    const expired = told('a change that expires')
    expect(expired.worths).toEqual([9900])
    expect(prorations('a change that expires').map(({ invoice }) => invoice.status)).toEqual(['void', 'void'])
    expect(expired.subscription.pending_update).toBe(null)
  })
})

describe('a change on another bill', () => {
  test('is on one without a subscription', () => {
    const [first] = prorations('seats on a bill of their own')
    expect([first?.invoice.parent, first?.invoice.billing_reason]).toEqual([null, 'manual'])
    expect(told('seats on a bill of their own').worths).toEqual([7200, 16_800])
  })

  test('is on that of another subscription of the customer', () => {
    const [first] = prorations('seats on the bill of another subscription')
    const host = first?.invoice.parent?.subscription_details.subscription
    expect(host).not.toBe(first?.line.subscription)
    expect(subscriptions.map(({ id }) => id)).toContain(host)
  })
})

describe('tiers', () => {
  const story = (order: string, words: string) =>
    prorations(`the first units are free, ${order}, ${words} words`)

  test('are given back and charged line by line, in turns', () => {
    const lines = story('in turns', "the provider's").map(({ line }) => line)
    expect(lines.map(({ quantity }) => quantity)).toEqual([7, 10, 9])
    expect(lines.map(({ amount }) => Math.sign(amount))).toEqual([0, 0, 1])
    expect(lines.map((line) => detailsOf(line)?.proration_details.credited_items === null)).toEqual([
      false,
      true,
      true,
    ])
  })

  test('say nothing of which is which in words of their own', () => {
    const lines = story('any', 'own').map(({ line }) => line)
    expect(lines.length).toBe(3)
    expect(lines.filter(({ description }) => /^(Unused|Remaining)/.test(description))).toEqual([])
    expect(lines.filter((line) => detailsOf(line)?.proration_details.credited_items !== null)).toEqual([])
  })
})

describe('beginnings', () => {
  test.each(['moved here, billed at the next renewal', 'moved here, yearly'])(
    '%s: New at the start, no bill before',
    (story) => {
      const { own, subscription, lines } = told(story)
      expect(subscription.start_date).toBeLessThan(subscription.created)
      expect(own.changes[0]?.at).toBe(subscription.start_date)
      expect(Math.min(...lines.map(({ invoice }) => invoice.created))).toBe(subscription.billing_cycle_anchor)
    },
  )

  test('free until the anchor: nothing before it', () => {
    const { own, subscription } = told('free until the anchor')
    expect(subscriptionMrrOn(own, subscription.billing_cycle_anchor - 1)).toBe(0)
    expect(own.changes[0]?.at).toBe(subscription.billing_cycle_anchor)
  })

  test('backdated to an anchor: one line, or one for each period', () => {
    const first = (story: string) =>
      told(story).lines.filter(({ invoice }) => invoice.billing_reason === 'subscription_create')
    expect(first('backdated to an anchor, one line').map(({ line }) => line.amount)).toEqual([3 * 7 * 1200])
    expect(first('backdated to an anchor, a line for each period').map(({ line }) => line.amount)).toEqual([
      9900, 9900, 9900,
    ])
  })

  test('a short first period is a proration or an ordinary line, and worth a whole one', () => {
    for (const [story, isProration] of [
      ['short first period, prorated', true],
      ['short first period, ordinary line', false],
    ] as const) {
      const { lines, worths } = told(story)
      expect(lines[0] && detailsOf(lines[0].line)?.proration).toBe(isProration)
      expect(lines[0]?.line.amount).toBeLessThan(7200)
      expect(worths).toEqual([7200])
    }
  })
})

test('a cancellation inside a period cuts it short, and bills a later one for its part', () => {
  const credited = prorations('leaves inside the year, credited').at(-1)
  expect(credited?.line.period.start).toBe(told('leaves inside the year, credited').subscription.cancel_at)
  const { subscription, lines } = told('leaves inside a later month')
  expect(lines.at(-1)?.line.period.end).toBe(subscription.cancel_at)
  expect(lines.at(-1)?.line.amount).toBeLessThan(9600)
})
