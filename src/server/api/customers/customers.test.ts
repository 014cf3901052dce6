import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listCustomers } from '#contract/customers/customers.ts'
import { getCustomerHistory } from '#contract/customers/mrr-history.ts'
import { openTestApp, type TestApp } from '#test/api/test-app.ts'
import {
  addConnections,
  addCustomer,
  addEvent,
  addInvoice,
  addMatch,
  addSubscription,
} from '#test/store/seed.ts'
import { listSubscriptionsOf } from '../../store/lists/subscription-list.ts'
import { settleCustomers } from '../../store/payments/customers.ts'
import type { KeptLine } from '../../store/payments/invoice-lines.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { recountTotals } from '../../store/totals/list-totals.ts'
import { settleSegments } from '../../store/totals/segments.ts'

const line = (amountCents: number, rest: KeptLine[14] = {}): KeptLine => [
  ...(['il_1', 'sub_a', null, null, null, amountCents, 1, null, 0, 0] as const),
  ...([false, true, true, null, rest] as const),
]

let test: TestApp
let browser: Awaited<ReturnType<TestApp['signedIn']>>
beforeAll(async () => {
  test = await openTestApp()
  browser = await test.signedIn('ann@customers.test', 'Customers')
  await inOrganization(test.deps.database, browser.organizationId, async (tenant) => {
    await addConnections(tenant)
    await addCustomer(tenant, { id: 'cus_1', name: 'Zebra', email: 'z@zebra.example' })
    await addCustomer(tenant, { id: 'cus_2', name: 'Zebra Labs' })
    await addCustomer(tenant, { id: 'cus_3', name: null })
    await addCustomer(tenant, { id: 'cus_idle', name: 'Never subscribed' })
    await addMatch(tenant, { customerId: 'cus_1', companyName: 'Zebra Holding', state: 'linked' })
    await addMatch(tenant, { customerId: 'cus_2', companyName: 'Zebra Holding', state: 'linked' })
    await addMatch(tenant, { customerId: 'cus_3', companyName: 'Maybe', state: 'pending' })
    const [scale, team] = [{ product_name: 'Scale' }, { product_name: 'Team' }]
    await addSubscription(tenant, { id: 'sub_a', customer_id: 'cus_1', current_mrr_cents: 5_000, ...scale })
    await addSubscription(tenant, { id: 'sub_b', customer_id: 'cus_1', current_mrr_cents: 1_500, ...team })
    await addSubscription(tenant, {
      id: 'sub_c',
      customer_id: 'cus_1',
      current_mrr_cents: 700,
      currency: 'eur',
      ...team,
    })
    await addSubscription(tenant, { id: 'sub_d', customer_id: 'cus_2', current_mrr_cents: 250, ...scale })
    await addSubscription(tenant, { id: 'sub_e', customer_id: 'cus_3', current_mrr_cents: 0 })
    await addInvoice(tenant, {
      id: 'in_1',
      customerId: 'cus_1',
      number: 'A-1',
      lines: [line(4_000), line(-500)],
    })
    await tenant.sql.updateTable('invoices').set({ total_discount_cents: 700 }).execute()
    await addInvoice(tenant, {
      ...{ id: 'in_bare', customerId: 'cus_1', status: 'open' },
      lines: [line(0, { standsForAll: true })],
    })
    const changes = [
      ['evt_1', 'sub_a', '2026-01-10', 4_000, 'usd'],
      ['evt_2', 'sub_a', '2026-02-10', 1_000, 'usd'],
      ['evt_3', 'sub_b', '2026-02-10', 1_500, 'usd'],
      ['evt_4', 'sub_c', '2026-03-01', 700, 'eur'],
    ] as const
    for (const [id, subscription_id, day, mrr_change_cents, currency] of changes)
      await addEvent(tenant, {
        ...{ id, subscription_id, customer_id: 'cus_1', invoice_id: 'in_1', currency, mrr_change_cents },
        occurred_at: new Date(`${day}T09:00:00Z`),
        previous_mrr_cents: 0,
        current_mrr_cents: mrr_change_cents,
      })
    await settleCustomers(tenant, ['cus_1', 'cus_2', 'cus_3', 'cus_idle'])
    await recountTotals(tenant)
  })
})
afterAll(() => test.close())

const idsOf = async (query: string) => {
  const { body } = await browser.get(`/api/customers?${query}`)
  return listCustomers.response.parse(body).customers.map(({ customerId }) => customerId)
}

describe('the list of customers', () => {
  it('has those with a subscription, the highest MRR first', async () => {
    const { body } = await browser.get('/api/customers')
    expect(body).toMatchObject({
      totalCount: 3,
      customers: [
        {
          customerId: 'cus_1',
          currentMrr: 6_500,
          otherCurrencies: [{ currency: 'eur', mrr: 700 }],
          companyName: 'Zebra Holding',
          firstPaidAt: '2026-01-10T09:00:00.000Z',
          ...{ subscriptionCount: 3, productNames: ['Scale', 'Team'], productCount: 2 },
        },
        { customerId: 'cus_2', currentMrr: 250, firstPaidAt: null, productNames: ['Scale'] },
        { customerId: 'cus_3', currentMrr: 0, companyName: null, matchState: 'pending', productNames: [] },
      ],
    })
  })

  it('is filtered by who paid first in some months and who pays on a day, also as a file', async () => {
    await inOrganization(test.deps.database, browser.organizationId, (tenant) => settleSegments(tenant, null))
    expect(await idsOf('firstPaidFrom=2026-01&firstPaidTo=2026-01')).toEqual(['cus_1'])
    expect(await idsOf('firstPaidTo=2025-12')).toEqual([])
    expect(await idsOf('payingOn=2026-01-10')).toEqual(['cus_1'])
    expect(await idsOf('payingOn=2026-01-09')).toEqual([])
    const { text } = await browser.get('/api/csv/customers?payingOn=2026-03-01&search=zebra')
    const [head, line, ...rest] = text.trimEnd().split('\r\n')
    expect(head).toContain('"Customer ID","Customer Name"')
    expect([line, rest]).toEqual([
      '"cus_1","Zebra","z@zebra.example","zebra.example","65.00","USD","EUR 7.00","0","2026-01-10 09:00:00","Matched","Zebra Holding","99","no","3","Scale; Team"',
      [],
    ])
  })

  it('is filtered by what one subscription is, with its sums and as a file', async () => {
    expect(await idsOf('product=Team')).toEqual(['cus_1'])
    expect(await idsOf('product=Team&currency=eur')).toEqual(['cus_1'])
    // The euros are paid for another product.
    expect(await idsOf('product=Scale&currency=eur')).toEqual([])
    expect(await idsOf('product=Scale&status=active,trialing')).toEqual(['cus_1', 'cus_2'])
    expect(await idsOf('product=Scale&status=canceled')).toEqual([])
    expect(await idsOf('product=Scale&status=all&search=labs')).toEqual(['cus_2'])
    expect(await idsOf('product=%5C-&interval=%5C-')).toEqual(['cus_3'])
    expect(await idsOf('interval=30')).toEqual([])
    const { body } = await browser.get('/api/customer-sums?product=Team')
    expect(body).toMatchObject({
      totalCount: 1,
      mrr: 6_500,
      otherCurrencies: [{ currency: 'eur', mrr: 700 }],
    })
    const { text } = await browser.get('/api/csv/customers?product=Scale&isMatched=true')
    expect(text.trimEnd().split('\r\n')).toHaveLength(3)
    for (const [wrong, reason] of [
      ['currency=EURO', 'must be a currency code in lower case'],
      ['interval=soon', 'must be a whole number of days'],
    ]) {
      const refused = await browser.get(`/api/customers?${wrong}`)
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(reason ?? '')])
    }
  })

  it('is filtered by the match, searched and sorted', async () => {
    expect(await idsOf('isMatched=false')).toEqual(['cus_3'])
    expect(await idsOf('isMatched=true&sort=customerName&order=desc')).toEqual(['cus_2', 'cus_1'])
    expect(await idsOf('search=labs')).toEqual(['cus_2'])
    expect(await idsOf('search=cus_')).toEqual(['cus_1', 'cus_2', 'cus_3'])
    expect((await browser.get('/api/customers?sort=__proto__')).status).toBe(400)
    expect((await browser.get('/api/customers?isMatched=perhaps')).status).toBe(400)
  })

  it('is filtered by whom a person ignored, with its sums and as a file; they stay unmatched', async () => {
    const become = (state: 'ignored' | 'pending') =>
      inOrganization(test.deps.database, browser.organizationId, (tenant) =>
        tenant.sql.updateTable('matches').set({ state }).where('customer_id', '=', 'cus_3').execute(),
      )
    expect(await idsOf('isMatched=ignored')).toEqual([])
    await become('ignored')
    expect(await idsOf('isMatched=ignored')).toEqual(['cus_3'])
    expect(await idsOf('isMatched=ignored&search=zebra')).toEqual([])
    expect(await idsOf('isMatched=false')).toEqual(['cus_3'])
    const { body } = await browser.get('/api/customer-sums?search=&isMatched=ignored')
    expect(body).toMatchObject({ totalCount: 1, mrr: 0 })
    const { text } = await browser.get('/api/csv/customers?isMatched=ignored')
    expect(text.trimEnd().split('\r\n').slice(1)).toEqual([expect.stringMatching(/^"cus_3".*"Ignored"/)])
    await become('pending')
  })
})

describe('a customer', () => {
  it('has the subscriptions first that are most in the reporting currency, and those without a rate last', async () => {
    const euros = (cents: number) =>
      inOrganization(test.deps.database, browser.organizationId, async (tenant) => {
        const set = { current_mrr_cents: cents }
        await tenant.sql.updateTable('subscriptions').set(set).where('id', '=', 'sub_c').execute()
        return listSubscriptionsOf(tenant, 'cus_1', 3)
      })
    const { subscriptions } = await euros(90_000)
    await euros(700)
    expect(subscriptions.map(({ id }) => id)).toEqual(['sub_a', 'sub_b', 'sub_c'])
  })

  it('comes with its subscriptions, events, invoices and company', async () => {
    const { body } = await browser.get('/api/customers/cus_1')
    expect(body).toMatchObject({
      currentMrr: 6_500,
      match: { state: 'linked', evidence: 'company_domain', hasContact: false, isToFollow: false },
      subscriptions: { count: 3, first: [{ subscriptionId: 'sub_a' }, {}, { subscriptionId: 'sub_c' }] },
      events: { count: 4, newest: [{ transactionId: 'evt_4', customerId: 'cus_1' }, {}, {}, {}] },
      invoices: { count: 1, newest: [{ invoiceId: 'in_1', amount: 2_800, currency: 'usd' }] },
      sameCompany: {
        otherCount: 1,
        others: [{ customerId: 'cus_2' }],
        totalMrr: 6_750,
        otherCurrencies: [{ currency: 'eur', mrr: 700 }],
      },
    })
  })

  it('has invoices with their amounts, and none where the lines are missing', async () => {
    const one = async (id: string) => (await browser.get(`/api/invoices/${id}`)).body
    expect(await one('in_1')).toMatchObject({ number: 'A-1', amount: 2_800, status: null })
    expect(await one('in_bare')).toMatchObject({ number: null, amount: null, status: 'open' })
  })

  it('has invoices with what their events did to MRR, and nothing where none names them', async () => {
    const one = async (id: string) => (await browser.get(`/api/invoices/${id}`)).body
    expect(await one('in_1')).toMatchObject({ eventCount: 4, mrrChange: 7_200 })
    expect(await one('in_bare')).toMatchObject({ eventCount: 0, mrrChange: 0 })
    expect((await browser.get('/api/invoices/in_none')).status).toBe(404)
  })

  it('has a history that ends at its present MRR, by currency', async () => {
    const { body } = await browser.get('/api/mrr/history/customers/cus_1')
    const { series } = getCustomerHistory.response.parse(body)
    expect(series.map(({ currency, points }) => [currency, points.slice(0, -1), points.at(-1)?.mrr])).toEqual(
      [
        [
          'usd',
          [
            { day: '2026-01-10', mrr: 4_000 },
            { day: '2026-02-10', mrr: 6_500 },
          ],
          6_500,
        ],
        ['eur', [{ day: '2026-03-01', mrr: 700 }], 700],
      ],
    )
    expect((await browser.get('/api/mrr/history/subscriptions/sub_b')).body).toMatchObject({
      series: [{ points: [{ day: '2026-02-10', mrr: 1_500 }, {}] }],
    })
  })

  it('is not found under an id that nobody has', async () => {
    expect((await browser.get('/api/customers/cus_9')).status).toBe(404)
    expect((await browser.get('/api/mrr/history/customers/cus_9')).status).toBe(404)
  })
})
