import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addCustomer, addEvent, addInvoice, addSubscription } from '#test/store/seed.ts'
import { openApp, rowsOf } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addCustomer(tenant, { id: 'cus_1', name: 'Birch Press', email: 'pay@birch.example' })
    await addCustomer(tenant, { id: 'cus_2', name: 'Elm Tools' })
    await addSubscription(tenant, { id: 'sub_1' })
    const kinds = ['New', 'Upgrade', 'Downgrade', 'Planned_Cancellation', 'Churn', 'Reactivation'] as const
    for (const [index, mrr_status] of kinds.entries()) {
      const occurred_at = new Date(Date.UTC(2026, index, 1))
      await addEvent(tenant, { id: `ev_${mrr_status}`, mrr_status, occurred_at })
    }
  })
})
afterAll(() => world.close())

const typeColumn = 2
const typesOf = (rows: string[][]) => rows.map((row) => row[typeColumn])

test('every event is listed, newest first', async () => {
  openApp(world, person, '/events')
  const rows = await rowsOf('Events', (found) => found.length === 6)
  expect(typesOf(rows)).toEqual([
    'Reactivation',
    'Churn',
    'Planned Cancellation',
    'Downgrade',
    'Upgrade',
    'New',
  ])
})

test('the list is sorted by the change of MRR, the largest or the smallest first, and so is its file', async () => {
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    for (const [id, cents] of [
      ['ev_Upgrade', 5_000],
      ['ev_Downgrade', -7_000],
    ] as const)
      await tenant.sql
        .updateTable('events')
        .set({ mrr_change_cents: cents, current_mrr_cents: cents + 9_000, previous_mrr_cents: 9_000 })
        .set({ reporting_change_cents: cents })
        .where('id', '=', id)
        .execute()
  })
  const app = openApp(world, person, '/events')
  fireEvent.click(await screen.findByRole('button', { name: /^MRR Change/ }))
  const rows = await rowsOf('Events', (found) => found[0]?.[typeColumn] === 'Upgrade')
  expect(rows.at(-1)?.[typeColumn]).toBe('Downgrade')
  expect(app.address()).toBe('/events?sort=mrrChange')
  expect(screen.getByText('Sorted by MRR Change, highest first')).toBeTruthy()
  const file = screen.getByRole('link', { name: /CSV/ }).getAttribute('href')
  expect(file).toContain('sort=mrrChange&order=desc')
  fireEvent.click(screen.getByRole('button', { name: /^MRR Change/ }))
  await rowsOf('Events', (found) => found[0]?.[typeColumn] === 'Downgrade')
  expect(app.address()).toBe('/events?sort=mrrChange&order=asc')
})

test('of events that lose MRR the largest loss comes first', async () => {
  const app = openApp(world, person, '/events?mrrStatus=Churn,Downgrade')
  fireEvent.click(await screen.findByRole('button', { name: /^MRR Change/ }))
  await rowsOf('Events', (found) => found[0]?.[typeColumn] === 'Downgrade')
  expect(screen.getByText('Sorted by MRR Change, largest loss first')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: /^MRR Change/ }))
  expect(await screen.findByText('Sorted by MRR Change, smallest loss first')).toBeTruthy()
  await app.goTo('/events?mrrStatus=Churn,New&sort=mrrChange')
  expect(await screen.findByText('Sorted by MRR Change, highest first')).toBeTruthy()
})

test('the panel of filters says how many rows it leaves, and closes there', async () => {
  openApp(world, person, '/events?mrrStatus=Churn')
  await rowsOf('Events', (found) => found.length === 1)
  fireEvent.click(screen.getByRole('button', { name: 'Filters' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Show 1' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show 1' })).toBeNull())
})

test('an invoice is named by its number', async () => {
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addInvoice(tenant, { id: 'in_77', number: 'HARBOR-0077', customerId: 'cus_1' })
    await tenant.sql.updateTable('events').set({ invoice_id: 'in_77' }).where('id', '=', 'ev_New').execute()
  })
  openApp(world, person, '/events')
  const rows = await rowsOf('Events', (found) => found.length === 6)
  expect(rows.at(-1)?.at(-1)).toMatch(/^HARBOR-0077/)
})

test('the sum names the kinds in the order of MRR Movements', async () => {
  openApp(world, person, '/events')
  const sum = await screen.findByRole('status', { name: 'Sum of the list' })
  await waitFor(() => expect(sum.textContent).toContain('6 events'))
  const named = sum.textContent?.match(/New|Reactivation|Upgrade|Downgrade|Churn|Planned Cancellation/g)
  expect(named).toEqual(['New', 'Reactivation', 'Upgrade', 'Downgrade', 'Churn', 'Planned Cancellation'])
})

test('the filter offers the types and keeps the one chosen', async () => {
  const app = openApp(world, person, '/events')
  const filter = await screen.findByLabelText('Event type')
  const offered = within(filter)
    .getAllByRole('option')
    .map((option) => option.textContent)
  expect(offered.slice(0, 6)).toEqual(['All Types', 'New', 'Upgrade', 'Downgrade', 'Churn', 'Reactivation'])
  fireEvent.change(filter, { target: { value: 'Churn' } })
  const rows = await rowsOf('Events', (found) => found.length === 1)
  expect(typesOf(rows)).toEqual(['Churn'])
  expect(app.address()).toBe('/events?mrrStatus=Churn')
})

test('a row leads to its subscription, which leads back to the events as they stood, the focus with it', async () => {
  const list = '/events?mrrStatus=Churn'
  const app = openApp(world, person, list)
  await rowsOf('Events', (found) => found.length === 1)
  expect(document.activeElement).toBe(document.body)
  fireEvent.click(screen.getByRole('link', { name: /^Open the subscription of/ }))
  const back = await screen.findByRole('link', { name: 'Back to Events' })
  expect(document.activeElement).toBe(screen.getByRole('main', { name: 'Subscription Details' }))
  const breadcrumb = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
  expect(breadcrumb.getByRole('link', { name: 'Events' }).getAttribute('href')).toBe(list)
  fireEvent.click(back)
  await rowsOf('Events', (found) => found.length === 1)
  expect(app.address()).toBe(list)
  expect(document.activeElement).toBe(screen.getByRole('link', { name: /^Open the subscription of/ }))
})

test('the way back from a record of a record leads over the first one', async () => {
  const app = openApp(world, person, '/events?mrrStatus=Churn')
  await rowsOf('Events', (found) => found.length === 1)
  fireEvent.click(screen.getByRole('link', { name: /^Open the subscription of/ }))
  await screen.findByRole('link', { name: 'Back to Events' })
  const subscription = app.address()
  fireEvent.click(await screen.findByRole('link', { name: 'Birch Press' }))
  fireEvent.click(await screen.findByRole('link', { name: 'Back to Subscription Details' }))
  fireEvent.click(await screen.findByRole('link', { name: 'Back to Events' }))
  await rowsOf('Events', (found) => found.length === 1)
  expect(subscription).toMatch(/^\/subscriptions\//)
  expect(app.address()).toBe('/events?mrrStatus=Churn')
})

test('an address with a filter that there is not shows all, says so, and lets go of it', async () => {
  const app = openApp(world, person, '/events?mrrStatus=Nonsense&sort=odd&perPage=25')
  expect(await rowsOf('Events', (found) => found.length === 6)).toHaveLength(6)
  const note = screen.getByRole('alert')
  expect(note.textContent).toContain('The list is shown without this filter.')
  expect(note.textContent).toContain(
    'In the address, sort=odd is not a column that sorts. The usual order is shown.',
  )
  fireEvent.click(within(note).getByRole('button', { name: 'Remove it from the address' }))
  expect(app.address()).toBe('/events?perPage=25')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the months of the first payment and a last day alone are named', async () => {
  openApp(world, person, '/events?firstPaidFrom=2026-01&firstPaidTo=2026-03&to=2026-05-31')
  expect(await screen.findByText('First paid from: Jan 2026')).toBeTruthy()
  expect(screen.getByText('First paid until: Mar 2026')).toBeTruthy()
  expect(screen.getByText('Until May 31, 2026', { exact: false })).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the whole number of an invoice without an event opens it', async () => {
  await inOrganization(world.deps.database, person.organizationId, (tenant) =>
    addInvoice(tenant, { id: 'in_1', customerId: 'cus_1', number: 'JVYLZQDE-0002' }),
  )
  openApp(world, person, '/events?search=JVYLZQDE-0002')
  const link = await screen.findByRole('link', { name: 'Open invoice JVYLZQDE-0002 of Birch Press' })
  expect(link.getAttribute('href')).toBe('/customers/cus_1?invoice=in_1')
  fireEvent.click(link)
  const card = within(await screen.findByRole('region', { name: 'Invoice JVYLZQDE-0002' }))
  expect(await card.findByText('It changed no MRR, so it has no event.')).toBeTruthy()
})

test.each([
  ['/customers?search=sub_1', 'Open subscription of Birch Press'],
  ['/subscriptions?search=cus_2', 'Open customer Elm Tools'],
])('%s finds a record of another list by its id', async (path, name) => {
  openApp(world, person, path)
  expect(await screen.findByRole('link', { name })).toBeTruthy()
})

test('an organization without events says so', async () => {
  openApp(world, await world.person(), '/events')
  expect(await screen.findByText('No events found.')).toBeTruthy()
})
