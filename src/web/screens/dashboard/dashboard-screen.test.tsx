import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDashboardStats } from '#contract/dashboard.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addCustomer, addEvent, addSubscription } from '#test/store/seed.ts'
import { openApp, rowsOf } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addCustomer(tenant, { id: 'cus_1', name: 'Birch Press', email: 'pay@birch.example' })
    await addCustomer(tenant, { id: 'cus_2', name: null })
    await addSubscription(tenant, {
      id: 'sub_1',
      current_mrr_cents: 100_000,
      product_name: 'Harbour Pro',
      next_renewal_on: '2026-11-23',
    })
    await addSubscription(tenant, { id: 'sub_2', customer_id: 'cus_2', current_mrr_cents: 23_457 })
    await addSubscription(tenant, {
      id: 'sub_3',
      currency: 'eur',
      current_mrr_cents: 4_200,
      next_renewal_on: '2026-11-24',
    })
    await addSubscription(tenant, { id: 'sub_odd', unsupported_reason: 'The status is not known' })
    const reporting = { reporting_currency: 'usd' }
    await tenant.sql
      .insertInto('organization_settings')
      .values({ organization_id: tenant.organizationId, ...reporting })
      .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(reporting))
      .execute()
    await tenant.sql
      .insertInto('billing_v2_totals')
      .values({ organization_id: tenant.organizationId, currency: 'usd', invoices: 1, amount_cents: 9_900 })
      .execute()
    await addEvent(tenant, {
      id: 'ev_1',
      mrr_status: 'Upgrade',
      change_type: 'quantity_change',
      previous_mrr_cents: 98_500,
      current_mrr_cents: 100_000,
      mrr_change_cents: 1_500,
      previous_quantity: 3,
      current_quantity: 5,
      occurred_at: new Date('2026-11-02T10:00:00Z'),
    })
    await addEvent(tenant, {
      id: 'ev_2',
      subscription_id: 'sub_2',
      customer_id: 'cus_2',
      mrr_status: 'Churn',
      change_type: 'cancellation',
      previous_mrr_cents: 2_050,
      current_mrr_cents: 0,
      mrr_change_cents: -2_050,
      occurred_at: new Date('2026-11-01T10:00:00Z'),
    })
  })
})
afterAll(() => world.close())

const figure = async (name: string) =>
  within(await screen.findByRole('region', { name })).getByText(/[\d$]/, { selector: '[data-figure]' })
    .textContent

test('the figures are those of the dollar subscriptions, and others are named apart', async () => {
  openApp(world, person, '/')
  await screen.findByText('$1,234.57')
  expect(await figure('Active Subscriptions')).toBe('2')
  expect(screen.getByText('Billed by Billing v2, not counted: 1 invoice, $99.00')).toBeTruthy()
  // The average is 1,234.57 divided by 2, to the cent.
  expect(await figure('Avg Revenue Per Customer')).toBe('$617.29')
  expect(screen.getByText('Not included: €42.00 (1 active)')).toBeTruthy()
  expect(screen.getByText('1 more could not be counted; each says why')).toBeTruthy()
})

test('recent events come newest first, signed, with the difference of a changed quantity', async () => {
  openApp(world, person, '/dashboard')
  const rows = await rowsOf('Recent Events', (found) => found.length === 2)
  expect(rows).toEqual([
    ['Nov 2, 2026', 'Birch Press', 'Upgrade', 'Quantity Change', '+$15.00', '3 → 5 (+2)'],
    ['Nov 1, 2026', 'Unknown Company', 'Churn', 'Cancellation', '-$20.50', '0 → 1'],
  ])
})

test('a renewal says in how many days and what it is in totals, and its row leads to the subscription', async () => {
  const app = openApp(world, person, '/')
  const rows = await rowsOf('Upcoming Renewals', (found) => found.length === 2)
  expect(rows).toEqual([
    ['2026-11-23 (in 3 days)', 'Birch Press', 'Harbour Pro', 'Active', '$1,000.00'],
    [
      expect.stringMatching(/^2026-11-24/),
      'Birch Press',
      '-',
      'Active',
      expect.stringMatching(/^€42.00, No exchange rate/),
    ],
  ])
  const renewals = within(screen.getByRole('table', { name: 'Upcoming Renewals' }))
  fireEvent.click(
    renewals.getAllByRole('link', { name: 'Open the subscription of Birch Press' })[0] ?? document.body,
  )
  await screen.findByRole('heading', { level: 1, name: 'Subscription Details' })
  expect(app.address()).toBe('/subscriptions/sub_1')
})

test('each figure leads to its list, and what needs attention to the list that has as many rows', async () => {
  await inOrganization(world.deps.database, person.organizationId, (tenant) =>
    addSubscription(tenant, { id: 'sub_late', status: 'past_due', current_mrr_cents: 0, currency: 'eur' }),
  )
  openApp(world, person, '/')
  const leadsTo = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href')
  expect(await leadsTo('Current MRR')).toBe('/subscriptions?sort=currentMrr')
  expect(await leadsTo('Active Subscriptions')).toBe('/subscriptions?status=active')
  expect(await leadsTo('Avg Revenue Per Customer')).toBe('/customers?sort=currentMrr')
  expect(await leadsTo('1 subscription past due')).toBe('/subscriptions?status=past_due')
  const listed = within(screen.getByRole('region', { name: 'Needs attention' }))
  expect(listed.getAllByRole('listitem')).toHaveLength(1)
})

test('Active Subscriptions says which active ones it leaves out', async () => {
  await inOrganization(world.deps.database, person.organizationId, (tenant) =>
    addSubscription(tenant, { id: 'sub_free', current_mrr_cents: 0 }),
  )
  openApp(world, person, '/')
  const card = within(await screen.findByRole('region', { name: 'Active Subscriptions' }))
  await card.findByText(/^\d more are active without MRR in USD$/)
  expect(card.queryByText(/paying, | not active/)).toBeNull()
})

test('what the lines count is named and counted, where the cards count what is active', async () => {
  await inOrganization(world.deps.database, person.organizationId, (tenant) =>
    addSubscription(tenant, { id: 'sub_unpaid', status: 'unpaid', current_mrr_cents: 10_000 }),
  )
  openApp(world, person, '/')
  await screen.findByRole('img', { name: /^Paying subscriptions over 12 months, from \d+ to 3$/ })
  expect(await figure('Active Subscriptions')).toBe('2')
  await screen.findByRole('link', { name: '-1 paying since Nov 1' })
  const more = screen.getByRole('link', { name: '1 more pays without being active' })
  const others = more.getAttribute('href')
  const query = Object.fromEntries(new URLSearchParams(others?.split('?')[1]))
  const answer = await person.fetch(`/api/stripe/subscriptions?${new URLSearchParams(query)}`)
  const { subscriptions } = await answer.json()
  expect(subscriptions.map((one: { subscriptionId: string }) => one.subscriptionId)).toEqual(['sub_unpaid'])
  const average = within(screen.getByRole('region', { name: 'Avg Revenue Per Customer' }))
  expect(average.getByRole('img', { name: /^MRR per paying subscription over 12 months/ })).toBeTruthy()
  expect(average.getByText(/per paying one,/).textContent).toMatch(
    /^-?\$[\d.,]+ per paying one, [-+]\$[\d.,]+ since Nov 1$/,
  )
})

test('what could not be loaded is said, and does not look as if there were nothing', async () => {
  let isBroken = true
  const broken: typeof fetch = async (input, init) =>
    isBroken && /attention|movements/.test(String(input))
      ? new Response('upstream is away', { status: 502 })
      : person.fetch(input, init)
  openApp(world, { fetch: broken }, '/')
  await screen.findByText('What needs attention could not be loaded.')
  const card = within(await screen.findByRole('region', { name: 'Net New MRR' }))
  await card.findByText('N/A')
  const movements = within(screen.getByRole('region', { name: 'Movements' }))
  expect(await movements.findByText('The movements could not be loaded')).toBeTruthy()
  isBroken = false
  fireEvent.click(movements.getByRole('button', { name: 'Try again' }))
  expect(await movements.findByRole('list', { name: 'Sums' })).toBeTruthy()
  const attention = within(screen.getByRole('region', { name: 'Needs attention' }))
  fireEvent.click(attention.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.queryByText('What needs attention could not be loaded.')).toBeNull())
})

test('an organization without data sees first what to do next', async () => {
  openApp(world, await world.person(), '/')
  expect(await screen.findByText('No recent events found.')).toBeTruthy()
  expect(await screen.findByText('No upcoming renewals found.')).toBeTruthy()
  const setup = within(screen.getByRole('region', { name: 'Setup' }))
  expect(setup.getByText(/^0 of 5 steps are done/)).toBeTruthy()
  expect(setup.getByRole('link', { name: 'Continue setup' }).getAttribute('href')).toBe('/setup')
  expect(await screen.findByRole('region', { name: 'Current MRR' })).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Needs attention' })).toBeNull()
})

test('after a reset of the setup nothing says that figures are still to come', async () => {
  openApp(world, person, '/')
  const setup = within(await screen.findByRole('region', { name: 'Setup' }))
  expect(
    await setup.findByText(/After the last, your MRR is kept up to date, here and in HubSpot/),
  ).toBeTruthy()
  expect(setup.queryByText(/After the last, your MRR is here/)).toBeNull()
})

test('the wizard is in the sidebar until the setup is complete', async () => {
  openApp(world, person, '/')
  const main = await screen.findByRole('navigation', { name: 'Main' })
  expect(
    within(main)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual([
    'Setup Wizard',
    'Dashboard',
    'Customers',
    'Subscriptions',
    'Events',
    'MRR Analytics',
    'Match Review',
    'Data Sync',
  ])
})

test('active subscriptions with no MRR are counted beside the card', async () => {
  const other = await world.person()
  await inOrganization(world.deps.database, other.organizationId, async (tenant) => {
    await addCustomer(tenant, { id: 'cus_1', name: 'Birch Press' })
    await addSubscription(tenant, { id: 'sub_1', current_mrr_cents: 1_000 })
    await addSubscription(tenant, { id: 'sub_2', current_mrr_cents: 0 })
  })
  openApp(world, other, '/')
  expect(await screen.findByText('1 more is active with no MRR')).toBeTruthy()
})

test('no amount stands under the sign of a currency to which it is still being converted', async () => {
  const change = (currency: string, done: number) =>
    inOrganization(world.deps.database, person.organizationId, async ({ sql, organizationId }) => {
      await sql.updateTable('organization_settings').set({ reporting_currency: currency }).execute()
      const state = { requested: 1, done, currency: 'usd' }
      await sql
        .insertInto('conversions')
        .values({ organization_id: organizationId, ...state })
        .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(state))
        .execute()
    })
  await change('eur', 0)
  const { poll } = openApp(world, person, '/')
  expect(await screen.findByText(/^Amounts are being converted/)).toBeTruthy()
  const mrr = within(await screen.findByRole('region', { name: 'Current MRR' }))
  expect(mrr.queryByText(/\d/, { selector: '[data-figure]' })).toBeNull()
  expect(await figure('Active Subscriptions')).toMatch(/^\d$/)
  await change('usd', 1)
  await poll(getDashboardStats.path)
  expect(await figure('Current MRR')).toMatch(/^\$1,\d34\.57$/)
})
