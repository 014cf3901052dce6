import { describe, expect, it } from 'vitest'
import { simulate } from '#simulators/stripe/testing/ask.ts'
import { item, line } from '#simulators/stripe/testing/billing-objects.ts'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { customer, event, listOf, testClock, worldStart } from '#simulators/stripe/testing/stripe-objects.ts'
import type { StripeObject } from '#simulators/stripe/world/world.ts'
import { sendBy } from '#test/providers/send-by.ts'
import type { PageCursor, PaymentPage, PaymentsKind, PaymentsReader } from '../payments.ts'
import { createStripePayments } from './create-stripe-payments.ts'

const numbers = Array.from({ length: 250 }, (_, index) => index)
const begun = smallWorld()
const newest = Date.parse(begun.as_of) / 1000 - 60
const triesMax = 6

/** An account whose lists have at least three pages; some pages are returned twice. */
async function stage(pathPrefix: string, nth: number, times: number | null) {
  const lines = listOf(
    '/v1/invoices/in_many/lines',
    numbers.map((number) => line(`il_${number}`)),
  )
  const items = listOf(
    '/v1/subscription_items?subscription=sub_many',
    numbers.map((number) => item(`si_${number}`, 'sub_many')),
  )
  const events = numbers.map((number) => ({
    ...event(`evt_${number}`, 'invoice.paid', newest - number),
    data: { object: { id: `in_${number}`, object: 'invoice', created: newest - number } },
  }))
  const customers = numbers.flatMap((number) => [
    customer(`cus_${number}`, { created: worldStart + number }),
    customer(`cus_c${number}`, { created: worldStart + number, test_clock: 'clock_one' }),
  ])
  const simulator = simulate({
    world: {
      ...begun,
      customers,
      test_clocks: [testClock('clock_one'), ...numbers.map((number) => testClock(`clock_${number}`))],
      subscriptions: begun.subscriptions.map((one) => (one.id === 'sub_many' ? { ...one, items } : one)),
      invoices: begun.invoices.map((one) => (one.id === 'in_many' ? { ...one, lines } : one)),
      events: events as StripeObject[],
    },
  })
  const body = { kind: 'repeat_page', match: { pathPrefix, nth, times } }
  const armed = await simulator.fetch(
    new Request('http://stripe.test/_faults', { method: 'POST', body: JSON.stringify(body) }),
  )
  expect(armed.status).toBe(201)
  const payments = createStripePayments({
    apiUrl: 'http://stripe.test',
    send: sendBy((request) => simulator.fetch(request)),
    now: () => new Date(0),
    sleep: async () => {},
    paces: null,
  })
  const reader = payments.open('sk_test_tributary_demo', { organizationId: 1 })
  /** How often the page and those after it were requested. */
  const tries = () => (simulator.faults.list[0]?.seen ?? 0) - nth + 1
  return { reader, tries }
}

async function idsOf(reader: PaymentsReader, kind: PaymentsKind): Promise<string[]> {
  const ids: string[] = []
  let after: PageCursor | null = null
  do {
    const page: PaymentPage<{ id: string }> = await reader.listPage(kind, { after })
    ids.push(...page.items.map(({ id }) => id))
    after = page.next
  } while (after && ids.length < 10 * numbers.length)
  return ids
}

type Case = {
  of: string
  /** The requests for pages of the list, and the one for its second page. */
  pathPrefix: string
  second: number
  read: (reader: PaymentsReader) => Promise<readonly unknown[] | undefined>
  count: number
  words: string
}
const inside: Case[] = [
  {
    of: 'the lines of an invoice',
    pathPrefix: '/v1/invoices/in_many/lines',
    second: 2,
    read: async (reader) => (await reader.fetchObject('invoices', 'in_many'))?.lines,
    count: numbers.length,
    words: 'the lines of in_many',
  },
  {
    of: 'the items of a subscription',
    pathPrefix: '/v1/subscription_items',
    second: 2,
    read: async (reader) => (await reader.fetchObject('subscriptions', 'sub_many'))?.items,
    count: numbers.length,
    words: 'the items of sub_many',
  },
  {
    of: 'events',
    pathPrefix: '/v1/events',
    // The list of the other types is requested first.
    second: 3,
    read: async (reader) => (await reader.listChanges(newest - numbers.length, new Set())).objects,
    count: numbers.length,
    words: 'the recent changes',
  },
  {
    of: 'test clocks',
    pathPrefix: '/v1/test_helpers/test_clocks',
    second: 2,
    read: (reader) => idsOf(reader, 'customers'),
    count: 2 * numbers.length,
    words: 'the test clocks',
  },
  {
    of: 'what is tied to a test clock',
    pathPrefix: '/v1/customers?limit=100&starting_after=cus_c',
    second: 1,
    read: (reader) => idsOf(reader, 'customers'),
    count: 2 * numbers.length,
    words: 'the test clocks',
  },
]
const whole: Case = {
  of: 'a list',
  pathPrefix: '/v1/customers',
  second: 2,
  read: (reader) => idsOf(reader, 'customers'),
  count: 2 * numbers.length,
  words: 'the customers',
}

describe.each([whole, ...inside])('a repeated page of $of', ({ pathPrefix, second, read, count, words }) => {
  it.each([1, triesMax - 1])('is not taken for its end when it comes %i times', async (times) => {
    const { reader, tries } = await stage(pathPrefix, second, times)
    const found = await read(reader)
    expect(found).toHaveLength(count)
    expect(new Set(found?.map((one) => JSON.stringify(one))).size).toBe(count)
    expect(tries()).toBeGreaterThan(times)
  })

  it('is refused in clear words when it comes at every try', async () => {
    const { reader, tries } = await stage(pathPrefix, second, null)
    await expect(read(reader)).rejects.toMatchObject({
      kind: 'unavailable',
      message: `Stripe answered with a page of a list that it had given before when asked for ${words}. Try again in a few minutes.`,
    })
    expect(tries()).toBe(triesMax)
  })
})

describe.each(inside)('the first page of $of, given for its third', ({ pathPrefix, second, read, count }) => {
  it('is asked for again, and refused when it comes at every try', async () => {
    const passing = await stage(pathPrefix, second + 1, triesMax - 1)
    expect(await read(passing.reader)).toHaveLength(count)
    const lasting = await stage(pathPrefix, second + 1, null)
    await expect(read(lasting.reader)).rejects.toThrow('a page of a list that it had given before')
    expect(lasting.tries()).toBe(triesMax)
  })
})
