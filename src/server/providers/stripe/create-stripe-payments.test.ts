import { describe, expect, it } from 'vitest'
import type { ImportedInvoice, PaymentSubscription } from '#domain/payments.ts'
import { simulate } from '#simulators/stripe/testing/ask.ts'
import { invoice } from '#simulators/stripe/testing/billing-objects.ts'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { worldStart } from '#simulators/stripe/testing/stripe-objects.ts'
import { newestFirst } from '#simulators/stripe/world/collection.ts'
import { sendBy } from '#test/providers/send-by.ts'
import { type PageCursor, type PaymentPage, paymentsKinds } from '../payments.ts'
import { createStripePayments, type StripePaymentsOptions } from './create-stripe-payments.ts'

const key = 'sk_test_tributary_demo'

function stage(options: Partial<StripePaymentsOptions> & { apiKey?: string } = {}) {
  const simulator = simulate()
  const waits: number[] = []
  const urls: URL[] = []
  const payments = createStripePayments({
    apiUrl: 'http://stripe.test',
    send: sendBy((request) => {
      urls.push(new URL(request.url))
      return simulator.fetch(request)
    }),
    now: () => new Date(0),
    sleep: async (ms) => void waits.push(ms),
    paces: null,
    ...options,
  })
  const fault = (kind: string, pathPrefix: string, times: number, more: object = {}) =>
    simulator.fetch(
      new Request('http://stripe.test/_faults', {
        method: 'POST',
        body: JSON.stringify({ kind, match: { pathPrefix, times }, ...more }),
      }),
    )
  return {
    simulator,
    waits,
    urls,
    fault,
    reader: payments.open(options.apiKey ?? key, { organizationId: 1 }),
  }
}

const all = { after: null }

/** The window and the cursor of each request. */
const pick = (params: URLSearchParams) =>
  Object.fromEntries([...params].filter(([name]) => /^(created|starting_after)/.test(name)))

describe('reading lists', () => {
  it('asks for whole pages, and for nothing deeper than four levels', async () => {
    const { reader, urls } = stage()
    for (const kind of paymentsKinds) await reader.listPage(kind, all)
    const lists = urls.filter((url) => !/_items|lines$/.test(url.pathname))
    expect(lists.every((url) => url.searchParams.get('limit') === '100')).toBe(true)
    const paths = urls.flatMap((url) =>
      [...url.searchParams].filter(([name]) => name.startsWith('expand')).map(([, path]) => path),
    )
    expect(paths.length).toBeGreaterThan(8)
    expect(paths.filter((path) => path.split('.').length > 4)).toEqual([])
  })

  it('goes through a list by its cursors, each object once', async () => {
    const { reader } = stage({ pageSize: 2 })
    const ids: string[] = []
    let after: PageCursor | null = null
    do {
      const page: PaymentPage<PaymentSubscription> = await reader.listPage('subscriptions', { after })
      const rest = (await page.rest?.whole)?.items ?? []
      ids.push(...[...page.items, ...rest].map(({ id }) => id))
      after = page.next
    } while (after)
    expect(ids.toSorted()).toEqual([
      'sub_clock',
      'sub_ended',
      'sub_expired',
      'sub_inline',
      'sub_many',
      'sub_one',
    ])
  })

  it('finds each subscription among those that are not canceled or among those that have ended', async () => {
    const { reader } = stage()
    const idsOf = async (kind: 'current_subscriptions' | 'ended_subscriptions') => {
      const { items, rest } = await reader.listPage(kind, all)
      return [...items, ...((await rest?.whole)?.items ?? [])].map(({ id }) => id).toSorted()
    }
    expect(await idsOf('current_subscriptions')).toEqual(['sub_clock', 'sub_inline', 'sub_many', 'sub_one'])
    expect(await idsOf('ended_subscriptions')).toEqual(['sub_ended', 'sub_expired'])
  })

  it('goes on from the second of a cursor whose object is gone, not from the top and not past it', async () => {
    const made = [50, 40, 40, 40, 40, 30, 10].map((seconds, index) =>
      invoice(`in_${9 - index}`, { created: worldStart + seconds }),
    )
    const inOrder = made.toSorted(newestFirst).map(({ id }) => id)
    const { reader, simulator, urls } = stage({ pageSize: 3 })
    simulator.setWorld({ ...smallWorld(), invoices: made })
    const created = { from: worldStart + 20, until: worldStart + 60 }
    const first = await reader.listPage('invoices', { created, after: null })
    expect(first.items.map(({ id }) => id)).toEqual(inOrder.slice(0, 3))
    const [, second, gone, ...others] = inOrder
    simulator.setWorld({ ...smallWorld(), invoices: made.filter(({ id }) => id !== gone) })
    urls.length = 0
    const rest: string[] = []
    for (let after = first.next; after; ) {
      const page: PaymentPage<ImportedInvoice> = await reader.listPage('invoices', { created, after })
      rest.push(...page.items.map(({ id }) => id))
      after = page.next
    }
    expect(rest).toEqual([second, ...others.slice(0, 3)])
    expect(urls.map(({ searchParams }) => pick(searchParams))).toEqual([
      { 'created[gte]': `${created.from}`, 'created[lt]': `${created.until}`, starting_after: gone },
      { 'created[gte]': `${created.from}`, 'created[lte]': `${worldStart + 40}` },
      { 'created[gte]': `${created.from}`, 'created[lt]': `${created.until}`, starting_after: others[1] },
    ])
  })

  it('refuses a page of an object alone that Stripe does not accept as a cursor', async () => {
    // We take the NUL out of an id, so that Stripe does not know it.
    const made = ['a', '\0b', 'c'].map((name, index) => invoice(`in_${name}`, { created: 9 - index }))
    const { reader, simulator, urls } = stage({ pageSize: 1 })
    simulator.setWorld({ ...smallWorld(), invoices: made })
    const readFrom = async (after: PageCursor | null): Promise<void> => {
      const { next } = await reader.listPage('invoices', { after })
      if (next && urls.length < 20) await readFrom(next)
    }
    await expect(readFrom(null)).rejects.toThrow('Stripe')
  })

  it('fetches the rest of lists inside an object', async () => {
    const { reader } = stage()
    const { items, rest } = await reader.listPage('invoices', all)
    expect(items.map(({ id }) => id)).not.toContain('in_many')
    expect(rest?.objects).toEqual([{ id: 'in_many', customerId: expect.stringMatching(/^cus_/) }])
    expect((await rest?.whole)?.items[0]?.lines).toHaveLength(25)
    expect((await reader.fetchObject('subscriptions', 'sub_many'))?.items).toHaveLength(12)
  })

  it('reads no more than thirty of them beside each other, of however many pages', async () => {
    let [open, most, asked] = [0, 0, 0]
    const many = smallWorld()
    const long = many.invoices.find(({ id }) => id === 'in_many') ?? invoice('in_many')
    const invoices = Array.from({ length: 50 }, (_, index) => ({ ...long, id: `in_${index}` }))
    const { simulator, reader } = stage({
      send: sendBy(async (request) => {
        if (!request.url.includes('/lines')) return simulator.fetch(request)
        open += 1
        asked += 1
        most = Math.max(most, open)
        await new Promise((resolve) => setTimeout(resolve, 1))
        open -= 1
        return simulator.fetch(request)
      }),
    })
    simulator.setWorld({ ...many, invoices })
    const pages = await Promise.all([1, 2].map(() => reader.listPage('invoices', all)))
    const whole = await Promise.all(pages.map(({ rest }) => rest?.whole))
    expect(whole.map((read) => read?.items.length)).toEqual([50, 50])
    expect(asked).toBe(100)
    expect(most).toBe(30)
  })
})

describe('when Stripe does not answer as it should', () => {
  it.each([
    ['rate_limit', {}],
    ['status', { status: 503 }],
    ['reset', {}],
    ['truncate', {}],
    ['html', {}],
    ['empty', {}],
  ])('tries again after %s, with growing waits', async (kind, more) => {
    const { reader, fault, waits } = stage()
    await fault(kind, '/v1/customers', 3, more)
    expect((await reader.listPage('customers', all)).items).toHaveLength(4)
    expect(waits).toHaveLength(3)
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  })

  it.each([
    ['rate_limit', 'rate_limited', /slow down/],
    ['reset', 'unavailable', /could not be reached for the customers/],
    ['html', 'unavailable', /an HTML page and status 502 when asked for the customers/],
  ])('gives up after six times %s', async (kind, errorKind, message) => {
    const { reader, fault, simulator } = stage()
    await fault(kind, '/v1/customers', 100)
    await expect(reader.listPage('customers', all)).rejects.toMatchObject({
      kind: errorKind,
      message: expect.stringMatching(message),
    })
    expect(simulator.requests.counters.total).toBe(6)
  })

  it.each([
    ['rate_limit', '45', [45_000]],
    ['status', '60', [60_000]],
    ['rate_limit', '0', [expect.any(Number)]],
    ['rate_limit', 'soon', [expect.any(Number)]],
  ])('waits as long as %s asks for: %s', async (kind, retryAfter, expected) => {
    const { reader, fault, waits } = stage()
    await fault(kind, '/v1/customers', 1, { retryAfter, ...(kind === 'status' && { status: 503 }) })
    expect((await reader.listPage('customers', all)).items).toHaveLength(4)
    expect(waits).toEqual(expected)
  })

  it.each([
    ['900', 900_000],
    ['86400', 3_600_000],
  ])('leaves a wait of %s s to the run', async (retryAfter, retryAfterMs) => {
    const { reader, fault, simulator } = stage()
    await fault('rate_limit', '/v1/customers', 9, { retryAfter })
    await expect(reader.listPage('customers', all)).rejects.toMatchObject({
      kind: 'rate_limited',
      retryAfterMs,
    })
    expect(simulator.requests.counters.total).toBe(1)
  })

  it.each([
    ['lock_timeout', {}, []],
    ['rate_limit', { reason: 'resource-specific' }, ['/v1/customers']],
    ['rate_limit', { reason: 'endpoint-rate' }, ['/v1/customers']],
    ['rate_limit', { reason: 'global-rate' }, ['all']],
  ])('slows down what %s %o is about', async (kind, more, slowed) => {
    const groups: string[] = []
    const paces: StripePaymentsOptions['paces'] = {
      take: async () => ({ waitMs: 0, isTaken: true }),
      pause: async () => {},
      slowDown: async ({ endpointGroup }) => void groups.push(endpointGroup),
    }
    const { reader, fault } = stage({ paces })
    await fault(kind, '/v1/customers', 1, more)
    await reader.listPage('customers', all)
    expect(groups).toEqual(slowed)
  })

  it.each([
    ['status', { status: 503 }, { status: 503 }],
    ['status', { status: 400 }, { status: 400 }],
    ['reset', {}, {}],
  ])('tells which request failed by %s %o, and its id', async (kind, more, answer) => {
    const { reader, fault } = stage()
    await fault(kind, '/v1/customers', 100, more)
    const error = await reader.listPage('customers', all).catch((caught: unknown) => caught)
    const id = 'status' in answer ? { id: expect.stringMatching(/^req_\w+$/) } : {}
    const asked = { method: 'GET', path: '/v1/customers', ...answer, ...id }
    expect(error).toMatchObject({ request: asked })
  })

  it('refuses lists of another kind and pages that promise more and hold nothing', async () => {
    for (const body of [
      { object: 'list', data: [{ id: 'x', object: 'invoice' }], has_more: false },
      { object: 'list', data: [], has_more: true },
      { object: 'customer', id: 'cus_one' },
      null,
    ]) {
      const { reader } = stage({ send: sendBy(async () => Response.json(body)) })
      await expect(reader.listPage('customers', all)).rejects.toMatchObject({ kind: 'unavailable' })
    }
  })
})

describe('keys', () => {
  it.each([
    ['sk_test_revoked', 'unauthorized', /refuses this API key/],
    ['sk_test_expired', 'unauthorized', /expired or was rolled/],
  ])('tells of %s, at once and without the key', async (apiKey, kind, message) => {
    const { reader, simulator } = stage({ apiKey })
    const error = await reader.check().catch((refused: unknown) => refused)
    expect(error).toMatchObject({ kind, message: expect.stringMatching(message) })
    expect(String(error)).not.toContain(apiKey)
    expect(simulator.requests.counters.total).toBe(1)
  })

  it('names what a restricted key lacks', async () => {
    const { reader } = stage({ apiKey: 'rk_test_without_coupons_and_events_and_account' })
    expect(await reader.check()).toEqual({
      accountId: 'acct_1Small',
      isLive: false,
      mayReadChanges: false,
      createdAt: null,
      missingPermissions: ['Coupons'],
      missingOptionalPermissions: ['Events'],
    })
    await expect(reader.listPage('coupons', all)).rejects.toMatchObject({
      kind: 'forbidden',
      message:
        'The Stripe API key lacks read permission for Coupons. Set Coupons to Read on the key in Stripe, then try again.',
    })
  })
})
