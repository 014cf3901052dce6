import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { crmSeedOf } from '#simulators/crm-seed.ts'
import { expectedEvents } from '#simulators/worlds/expected/expected-events.ts'
import { currentlyActive, currentMrr } from '#simulators/worlds/expected/truth.ts'
import { ask } from './person.ts'
import { openPortal } from './portal.ts'
import type { BrowserWorld } from './world.ts'

type Account = ReturnType<BrowserWorld['account']>
type Transactions = { transactions: Record<string, unknown>[]; totalCount: number }

/** The product's figures equal those of the simulated account, to the cent and event by event. */
export async function expectFiguresOf(account: Account, page: Page): Promise<void> {
  const { truth } = account
  const stats = await ask<{ currentMrr: number; activeSubscriptions: number }>(page, '/api/dashboard/stats')
  expect(stats.currentMrr).toBe(currentMrr(truth).get('usd'))
  expect(stats.activeSubscriptions).toBe(
    currentlyActive({
      ...truth,
      subscriptions: truth.subscriptions.filter(({ currency }) => currency === 'usd'),
    }),
  )
  const expected = expectedEvents(truth)
  for (const mrrStatus of ['New', 'Upgrade', 'Downgrade', 'Churn', 'Reactivation', 'Planned_Cancellation']) {
    const { totalCount } = await ask<Transactions>(
      page,
      `/api/stripe/transactions?mrrStatus=${mrrStatus}&limit=10`,
    )
    expect({ mrrStatus, totalCount }).toEqual({
      mrrStatus,
      totalCount: expected.filter((event) => event.mrrStatus === mrrStatus).length,
    })
  }
}

export async function listAllTransactions(page: Page): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (let number = 1; ; number += 1) {
    const { transactions, totalCount } = await ask<Transactions>(
      page,
      `/api/stripe/transactions?limit=100&page=${number}`,
    )
    rows.push(...transactions)
    if (rows.length >= totalCount || transactions.length === 0) return rows
  }
}

/** HubSpot has one record per subscription and event, with the ledger's figures and the right company. */
export async function expectPortalOf(account: Account, page: Page, hubspotUrl: string): Promise<void> {
  const portal = await openPortal(hubspotUrl)
  const subscriptionType = await portal.objectTypeId('tributary_subscription')
  const eventType = await portal.objectTypeId('tributary_event')
  const subscriptions = await portal.records(subscriptionType, ['stripe_subscription_id'])
  const events = await portal.records(eventType, ['tributary_event_id'])

  const subscriptionIds = subscriptions.map((record) => record.properties['stripe_subscription_id'])
  expect(subscriptionIds.toSorted()).toEqual(account.truth.subscriptions.map(({ id }) => id).sort())
  const ledger = await listAllTransactions(page)
  expect(events.map((record) => record.properties['tributary_event_id']).toSorted()).toEqual(
    ledger.map((event) => event['transactionId']).sort(),
  )

  const bySubscription = new Map(
    subscriptions.map((record) => [record.properties['stripe_subscription_id'], record.id]),
  )
  const ofEvent = await portal.associations(
    eventType,
    subscriptionType,
    events.map(({ id }) => id),
  )
  const subscriptionOf = new Map(
    ledger.map((event) => [event['transactionId'], event['relatedSubscriptionId']]),
  )
  for (const event of events) {
    const id = event.properties['tributary_event_id']
    expect(ofEvent.get(event.id), `event ${id}`).toEqual([bySubscription.get(String(subscriptionOf.get(id)))])
  }
  await expectCompanies(account, portal, subscriptionType, bySubscription)
}

/**
 * If the CRM had exactly one company with the exact domain of a customer's address, the subscription is associated with
 * only that company. A sister domain is left to a person.
 */
async function expectCompanies(
  account: Account,
  portal: Awaited<ReturnType<typeof openPortal>>,
  subscriptionType: string,
  bySubscription: Map<string | null | undefined, string>,
): Promise<void> {
  const companies = await portal.records('0-2', ['name', 'domain', 'hs_additional_domains'])
  const ids = [...bySubscription.values()]
  const found = await portal.associations(subscriptionType, '0-2', ids)
  const customers = new Map(account.world.customers.map((customer) => [customer.id, customer]))
  const seed = crmSeedOf(account.world as unknown as Parameters<typeof crmSeedOf>[0])
  let compared = 0
  for (const subscription of account.truth.subscriptions) {
    const email = String(
      (customers.get(subscription.customer) as { email?: unknown } | undefined)?.email ?? '',
    )
    const domain = email.toLowerCase().split('@')[1] ?? ''
    const known = seed.companies.filter(
      (company) => company.domain === domain || company.additionalDomains?.includes(domain),
    )
    const [only] = known
    if (known.length !== 1 || !only) continue
    const right = companies
      .filter((company) => company.properties['domain'] === only.domain)
      .map(({ id }) => id)
    expect(found.get(bySubscription.get(subscription.id) ?? ''), `${subscription.story} ${domain}`).toEqual(
      right,
    )
    compared += 1
  }
  expect(compared).toBeGreaterThan(20)
}
