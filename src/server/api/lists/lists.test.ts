import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '#test/api/test-app.ts'
import {
  addConnections,
  addCustomer,
  addEvent,
  addInvoice,
  addMatch,
  addSubscription,
} from '#test/store/seed.ts'
import { inOrganization } from '../../store/postgres/database.ts'

let test: TestApp
let browser: Awaited<ReturnType<TestApp['signedIn']>>
beforeAll(async () => {
  test = await openTestApp()
  browser = await test.signedIn('ann@list.test', 'List')
  await inOrganization(test.deps.database, browser.organizationId, async (tenant) => {
    await addConnections(tenant)
    await addCustomer(tenant, { id: 'cus_1', name: 'Zebra 100% Ltd', email: 'z@zebra.example' })
    await addCustomer(tenant, { id: 'cus_2', name: 'apple', email: 'a@apple.example' })
    await addCustomer(tenant, { id: 'cus_3', name: null })
    await addMatch(tenant, { customerId: 'cus_1', companyName: 'Zebra Holding', state: 'linked' })
    await addMatch(tenant, { customerId: 'cus_2', companyName: 'Maybe Apple', state: 'pending' })
    const renewal = '2026-06-01'
    await addSubscription(tenant, {
      id: 'sub_a',
      customer_id: 'cus_1',
      current_mrr_cents: 5_000,
      product_name: 'Team_Plan',
      next_renewal_on: renewal,
    })
    await addSubscription(tenant, {
      id: 'sub_b',
      customer_id: 'cus_2',
      current_mrr_cents: 1_000,
      status: 'past_due',
      next_renewal_on: '2026-05-25',
    })
    await addSubscription(tenant, {
      id: 'sub_c',
      customer_id: 'cus_3',
      current_mrr_cents: 0,
      status: 'canceled',
      next_renewal_on: '2026-05-01',
      updated_at: new Date('2026-05-02T00:00:00Z'),
    })
    await addSubscription(tenant, {
      id: 'sub_d',
      customer_id: 'cus_2',
      current_mrr_cents: 700,
      currency: 'eur',
      unsupported_reason: null,
    })
    await addInvoice(tenant, { id: 'in_1', customerId: 'cus_1' })
    await addEvent(tenant, {
      id: 'evt_1',
      customer_id: 'cus_1',
      subscription_id: 'sub_a',
      invoice_id: 'in_1',
    })
    await addEvent(tenant, {
      id: 'evt_2',
      customer_id: 'cus_1',
      subscription_id: 'sub_a',
      position: 1,
      mrr_status: 'Upgrade',
      change_type: 'plan_change',
    })
    await addEvent(tenant, {
      id: 'evt_3',
      customer_id: 'cus_2',
      subscription_id: 'sub_b',
      occurred_at: new Date('2026-05-03T00:00:00Z'),
    })
  })
})
afterAll(() => test.close())

async function subscriptions(query: string) {
  const { status, body } = await browser.get(`/api/stripe/subscriptions?${query}`)
  expect(status).toBe(200)
  const { subscriptions: rows, totalCount } = body as never as {
    subscriptions: { subscriptionId: string }[]
    totalCount: number
  }
  return { ids: rows.map(({ subscriptionId }) => subscriptionId), rows, totalCount }
}

async function events(query: string) {
  const { status, body } = await browser.get(`/api/stripe/transactions?${query}`)
  expect(status).toBe(200)
  const { transactions, totalCount } = body as never as {
    transactions: { transactionId: string }[]
    totalCount: number
  }
  return { ids: transactions.map(({ transactionId }) => transactionId), rows: transactions, totalCount }
}

describe('the list of subscriptions', () => {
  it.each([
    ['', ['sub_c', 'sub_a', 'sub_b', 'sub_d']],
    ['sort=currentMrr&order=desc', ['sub_a', 'sub_b', 'sub_c', 'sub_d']],
    ['sort=companyName&order=asc', ['sub_b', 'sub_d', 'sub_a', 'sub_c']],
    ['sort=companyName&order=desc', ['sub_a', 'sub_b', 'sub_d', 'sub_c']],
    ['sort=nextRenewalDate&order=asc', ['sub_c', 'sub_b', 'sub_a', 'sub_d']],
  ])('sorted by "%s" is in a total order with empty values last', async (query, ids) => {
    expect((await subscriptions(query)).ids).toEqual(ids)
  })

  it.each([
    ['search=zebra', ['sub_a']],
    ['search=ZEBRA.EXAMPLE', ['sub_a']],
    ['search=Holding', ['sub_a']],
    ['search=maybe', []],
    ['search=sub_b', ['sub_b']],
    ['search=team_plan', ['sub_a']],
    ['search=100%25', ['sub_a']],
    ['search=%25', ['sub_a']],
    ['search=t_am', []],
    [`search=${encodeURIComponent("'; drop table subscriptions; --")}`, []],
    ['status=past_due', ['sub_b']],
    ['status=all&search=apple', ['sub_b', 'sub_d']],
  ])('narrowed by "%s" finds exactly what was meant', async (query, ids) => {
    const found = await subscriptions(query)
    expect([found.ids, found.totalCount]).toEqual([ids, ids.length])
  })

  it('gives pages, and nothing past the end', async () => {
    expect(await subscriptions('limit=3&page=2')).toMatchObject({ ids: ['sub_d'], totalCount: 4 })
    expect(await subscriptions('limit=3&page=3')).toMatchObject({ ids: [], totalCount: 4 })
  })

  it('links to both providers, to the company only when it is decided', async () => {
    const [linked] = (await subscriptions('search=sub_a')).rows
    expect(linked).toMatchObject({
      companyName: 'Zebra Holding',
      customerName: 'Zebra 100% Ltd',
      hubspotCompanyId: '99',
      hubspotCompanyLink: 'http://hubspot-app.test/contacts/4711/record/0-2/99',
      portalId: '4711',
      stripeLink: 'http://stripe.test/acct_1/test/subscriptions/sub_a',
    })
    const [pending] = (await subscriptions('search=sub_b')).rows
    expect(pending).toMatchObject({ companyName: 'apple', hubspotCompanyId: null, hubspotCompanyLink: null })
  })

  it('has one of them by id, and 404 for an id that is not there', async () => {
    expect((await browser.get('/api/stripe/subscriptions/sub_c')).body).toMatchObject({
      companyName: null,
      status: 'canceled',
    })
    expect((await browser.get('/api/stripe/subscriptions/sub_z')).status).toBe(404)
    expect((await browser.get('/api/stripe/subscriptions/a%2Fb')).status).toBe(400)
  })
})

describe('the list of events', () => {
  it('is newest first, and at the same instant the later position first', async () => {
    expect((await events('')).ids).toEqual(['evt_3', 'evt_2', 'evt_1'])
  })

  it.each([
    ['mrrStatus=Upgrade', ['evt_2']],
    ['subscriptionId=sub_a', ['evt_2', 'evt_1']],
    ['search=in_1', ['evt_1']],
    ['search=holding', ['evt_2', 'evt_1']],
    ['limit=1&page=2', ['evt_2']],
  ])('narrowed by "%s"', async (query, ids) => {
    expect((await events(query)).ids).toEqual(ids)
  })

  it('has a place among those of its subscription for each, in the order of the list', async () => {
    const { ids } = await events('subscriptionId=sub_a')
    const places = await Promise.all(
      ids.map(async (id) => (await browser.get(`/api/stripe/transactions/${id}/place`)).body),
    )
    expect(ids).toEqual(['evt_2', 'evt_1'])
    expect(places).toEqual([1, 2].map((place) => ({ subscriptionId: 'sub_a', place })))
    expect((await browser.get('/api/stripe/transactions/evt_9/place')).status).toBe(404)
  })

  it('links to the invoice', async () => {
    const [row] = (await events('search=in_1')).rows
    expect(row).toMatchObject({
      invoiceLink: 'http://stripe.test/acct_1/test/invoices/in_1',
      relatedSubscriptionId: 'sub_a',
    })
  })
})

describe('the dashboard', () => {
  it('adds up dollars and keeps other currencies apart', async () => {
    expect((await browser.get('/api/dashboard/stats')).body).toEqual({
      currentMrr: 6_000,
      reportingCurrency: 'usd',
      activeSubscriptions: 1,
      activeInList: 2,
      payingSubscriptions: 2,
      otherCurrencies: [{ currency: 'eur', mrr: 700, activeSubscriptions: 1 }],
      unsupportedSubscriptions: 0,
      billedByBillingV2: { invoices: 0, amounts: [] },
    })
  })

  it('shows renewals from today on, the next one first', async () => {
    const { body } = await browser.get('/api/dashboard/upcoming-renewals')
    expect(body).toMatchObject({ renewals: [{ subscriptionId: 'sub_b' }, { subscriptionId: 'sub_a' }] })
  })

  it('ends its trend today', async () => {
    await inOrganization(test.deps.database, browser.organizationId, async (tenant) => {
      const row = { organization_id: tenant.organizationId, active_subscriptions: 1 }
      const apart = { unconverted_cents: 30, unconverted_subscriptions: 1 }
      await tenant.sql
        .insertInto('snapshots')
        .values([
          { ...row, month: '2026-05', currency: 'usd', mrr_cents: 900, reporting_cents: 900 },
          { ...row, month: '2026-04', currency: 'usd', mrr_cents: 500, reporting_cents: 500 },
          { ...row, month: '2026-04', currency: 'eur', mrr_cents: 30, ...apart },
        ])
        .execute()
    })
    expect((await browser.get('/api/dashboard/mrr-trend')).body).toEqual({
      currentMrr: 6_000,
      reportingCurrency: 'usd',
      mrrTrend: [
        { date: '2026-04-01', mrr: 500 },
        { date: '2026-05-01', mrr: 900 },
        { date: '2026-05-20', mrr: 6_000 },
      ],
    })
    expect((await browser.get('/api/mrr/snapshots')).body).toEqual({
      reportingCurrency: 'usd',
      snapshots: [
        {
          month: '2026-04',
          mrr: 500,
          activeSubscriptions: 1,
          otherCurrencies: [{ currency: 'eur', mrr: 30, activeSubscriptions: 1 }],
        },
        { month: '2026-05', mrr: 900, activeSubscriptions: 1, otherCurrencies: [] },
      ],
    })
  })
})
