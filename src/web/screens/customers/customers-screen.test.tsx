import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { recountLists } from '#test/store/kept-totals.ts'
import { addConnections, addCustomer, addMatch, addSubscription } from '#test/store/seed.ts'
import { openApp, press, rowsOf } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addConnections(tenant)
    for (const [id, name, mrr, apart] of customers) {
      await addCustomer(tenant, { id, name, email: `${id}@co.example` })
      await tenant.sql
        .updateTable('customers')
        .where('id', '=', id)
        .set({
          is_subscriber: true,
          is_attached: id === 'cus_1',
          reporting_mrr_cents: mrr,
          mrr_by_currency: JSON.stringify({ usd: mrr, ...apart }),
          unconverted_by_currency: JSON.stringify(apart),
        })
        .execute()
    }
    await addMatch(tenant, { customerId: 'cus_1', companyName: 'Alder Group', state: 'linked' })
  })
  await recountLists(world.ownerUrl, person.organizationId)
})
afterAll(() => world.close())

const customers = [
  ['cus_1', 'Alder', 12_000, {}],
  ['cus_2', 'Birch', 5_000, { eur: 700 }],
  ['cus_3', 'Birch and Sons', 2_500, {}],
] as const

const summed = (text: string) =>
  waitFor(() => expect(screen.getByLabelText('Sum of the list').textContent).toBe(text))
const row = (name: string) => rowsOf('Customers', (rows) => rows.some(([first]) => first?.includes(name)))

test('says what all customers come to, and those that are filtered or searched for', async () => {
  const app = openApp(world, person, '/customers')
  await summed('$195.00 MRR and €7.00 in 3 customers')
  await app.goTo('/customers?isMatched=true')
  await summed('$120.00 MRR in 1 customer')
  await app.goTo('/customers?search=birch')
  await summed('$75.00 MRR and €7.00 in 2 customers')
  await app.goTo('/customers?search=birch&isMatched=true')
  await summed('$0.00 MRR in 0 customers')
})

test('says of its sum and its foot that they load, as long as the rows are those of other filters', async () => {
  const list = Promise.withResolvers<void>()
  const slow: Person = {
    ...person,
    fetch: async (input, init) => {
      if (/^\/api\/customers\?.*limit=25/.test(String(input))) await list.promise
      return person.fetch(input, init)
    },
  }
  const app = openApp(world, slow, '/customers?isMatched=true')
  await summed('$120.00 MRR in 1 customer')
  await app.goTo('/customers')
  await summed('$195.00 MRR and €7.00 in 3 customers')
  await screen.findByText('1 to 3 of 3')
  // This sum is known already, but not its rows.
  await app.goTo('/customers?isMatched=true&perPage=25')
  await screen.findByText('Loading…')
  expect(screen.getByLabelText('Sum of the list').textContent).toBe('')
  expect(screen.queryByText(/^1 to/)).toBeNull()
  list.resolve()
  await summed('$120.00 MRR in 1 customer')
  await screen.findByText('1 to 1 of 1')
})

test('filters by an amount as it is typed, and shows the amount of the address', async () => {
  const app = openApp(world, person, '/customers')
  await summed('$195.00 MRR and €7.00 in 3 customers')
  await press('Filters')
  const form = within(await screen.findByRole('dialog', { name: 'Filters' }))
  const least = await form.findByLabelText<HTMLInputElement>('MRR at least (USD)')
  fireEvent.change(least, { target: { value: '50' } })
  await summed('$170.00 MRR and €7.00 in 2 customers')
  expect(app.address()).toMatch(/^\/customers\?mrrFrom=5000(&|$)/)
  // What is typed applies at once when the focus leaves the field. What Birch pays in euros may be any amount.
  const most = form.getByLabelText<HTMLInputElement>('MRR at most (USD)')
  fireEvent.change(most, { target: { value: '200' } })
  fireEvent.blur(most)
  expect(await rowsOf('Customers', (rows) => rows.length === 1)).toHaveLength(1)
  fireEvent.click(await screen.findByRole('button', { name: 'Remove the filter MRR at least $50.00' }))
  await summed('$145.00 MRR in 2 customers')
  expect([least.value, most.value]).toEqual(['', '200'])
  // What is no amount stays, with what to write; an amount below the least one says so.
  fireEvent.change(least, { target: { value: '99,50' } })
  fireEvent.blur(least)
  await form.findByText('Write it like 1200.50.')
  expect([least.value, app.address()]).toEqual(['99,50', '/customers?mrrTo=20000'])
  fireEvent.change(least, { target: { value: '300' } })
  fireEvent.keyDown(least, { key: 'Enter' })
  await form.findByText('This is below the least amount, so nothing can match.')
  expect(form.queryByText('Write it like 1200.50.')).toBeNull()
  await app.goTo('/customers?mrrTo=2500')
  await summed('$25.00 MRR in 1 customer')
})

test('groups its filters, with both ends of an amount in one line', async () => {
  openApp(world, person, '/customers')
  await press('Filters')
  const form = within(await screen.findByRole('dialog', { name: 'Filters' }))
  const mrr = await form.findByRole('group', { name: 'MRR' })
  expect(within(mrr).getAllByRole('textbox')).toEqual([
    form.getByLabelText('MRR at least (USD)'),
    form.getByLabelText('MRR at most (USD)'),
  ])
  expect(mrr.textContent).toBe('MRR (USD)At leastAt most')
  const of = (title: string) => form.getByRole('group', { name: title })
  expect(of('Customer').contains(mrr)).toBe(true)
  expect(within(of('Customer')).getByLabelText('Paying on')).toBeTruthy()
  expect(within(of('Subscription')).getByRole('combobox', { name: 'Product' })).toBeTruthy()
})

test('keeps views and columns of its own', async () => {
  const app = openApp(world, person, '/customers?search=birch')
  await row('Birch')
  await press('Columns')
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Customer ID' }))
  await waitFor(() => expect(screen.getByRole('columnheader', { name: 'Customer ID' })).toBeTruthy())
  await press('Views')
  fireEvent.change(await screen.findByLabelText('Save this list as'), { target: { value: 'All birches' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  const view = await screen.findByRole('link', { name: 'All birches' })
  const chosen =
    'customerName%2CcurrentMrr%2CproductNames%2CcompanyName%2CmatchState%2CcustomerEmail%2CfirstPaidAt%2CcustomerId'
  expect(view.getAttribute('href')).toBe(`/customers?search=birch&columns=${chosen}`)
  expect(app.address()).toBe(view.getAttribute('href'))
  await app.goTo('/subscriptions')
  await press('Views')
  await screen.findByLabelText('Save this list as')
  expect(screen.queryByRole('link', { name: 'All birches' })).toBeNull()
})

test('a view that was deleted in another tab leaves the menu once a change of it fails', async () => {
  await person.post('/api/views/save', { list: 'customers', name: 'Elms', query: 'search=elm' })
  openApp(world, person, '/customers')
  await press('Views')
  await press('Rename Elms')
  await person.post('/api/views/delete', { list: 'customers', name: 'Elms' })
  fireEvent.change(await screen.findByLabelText('Rename Elms to'), { target: { value: 'All elms' } })
  await press('Rename')
  await screen.findByText(
    "There is no view called 'Elms' now: it was renamed or deleted. Choose another one.",
  )
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Elms' })).toBeNull())
  expect(screen.getByLabelText<HTMLInputElement>('Rename Elms to').value).toBe('All elms')
})

test('tells ignored customers from those that wait, and has its filter by match in the panel too', async () => {
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addMatch(tenant, { customerId: 'cus_2', companyName: 'Maybe', state: 'pending' })
    await addMatch(tenant, { customerId: 'cus_3', companyName: 'Maybe', state: 'ignored' })
  })
  const app = openApp(world, person, '/customers?isMatched=false')
  const companies = async (count: number) =>
    (await rowsOf('Customers', (rows) => rows.length === count)).map((row) => row.slice(3, 5).join(': '))
  expect(await companies(2)).toEqual(['Not matched: Waits for review', 'Ignored: Ignored'])
  await press('Filters')
  const form = within(await screen.findByRole('dialog', { name: 'Filters' }))
  await form.findByLabelText('Paying on')
  expect(form.queryByLabelText('Company in HubSpot')).toBeNull()
  const match = form.getByLabelText<HTMLSelectElement>('Match')
  expect(match.value).toBe('false')
  await screen.findByRole('button', { name: 'Remove the filter Match: Not Matched' })
  fireEvent.change(match, { target: { value: 'ignored' } })
  expect(await companies(1)).toEqual(['Ignored: Ignored'])
  expect(app.address()).toMatch(/^\/customers\?isMatched=ignored(&|$)/)
  await summed('$25.00 MRR in 1 customer')
  fireEvent.click(screen.getByRole('button', { name: 'Remove the filter Match: Ignored' }))
  await summed('$195.00 MRR and €7.00 in 3 customers')
})

test('filters by what one subscription is, and shows products and numbers of subscriptions', async () => {
  const buyer = await world.person()
  await inOrganization(world.deps.database, buyer.organizationId, async (tenant) => {
    for (const [id, name] of [
      ['cus_1', 'Alder'],
      ['cus_2', 'Birch'],
    ] as const)
      await addCustomer(tenant, { id, name })
    for (const [id, customer_id, product_name, status] of [
      ['sub_1', 'cus_1', 'Scale', 'active'],
      ['sub_2', 'cus_1', 'Team', 'past_due'],
      ['sub_3', 'cus_2', 'Scale', 'past_due'],
    ] as const)
      await addSubscription(tenant, { id, customer_id, product_name, status, current_mrr_cents: 5_000 })
  })
  const columns = 'columns=customerName,productNames,subscriptionCount'
  const app = openApp(world, buyer, `/customers?product=Scale&${columns}`)
  const rows = (count: number) => rowsOf('Customers', (found) => found.length === count)
  expect(await rows(2)).toEqual([
    ['Alder', 'Scale+1, Teamand Team', '2'],
    ['Birch', 'Scale', '1'],
  ])
  await press('Filters')
  const form = within(await screen.findByRole('dialog', { name: 'Filters' }))
  for (const label of ['Subscription status', 'Product', 'Currency', 'Billing interval'])
    await form.findByRole('combobox', { name: label })
  expect(form.getByText(/^One subscription must have the status, product/)).toBeTruthy()
  await app.goTo(`/customers?product=Scale&status=past_due&${columns}`)
  expect(await rows(1)).toEqual([['Birch', 'Scale', '1']])
  const csv = screen.getByRole('link', { name: /^Export CSV/ }).getAttribute('href')
  expect(csv).toContain('/api/csv/customers?status=past_due&product=Scale')
  fireEvent.click(
    await screen.findByRole('button', { name: 'Remove the filter Subscription status: Past Due' }),
  )
  await rows(2)
  await screen.findByRole('button', { name: 'Remove the filter Product: Scale' })
  await app.goTo('/customers?currency=EURO')
  const note = await screen.findByRole('alert')
  expect(note.textContent).toContain(
    'currency=EURO must be a currency code in lower case. The list is shown without this filter.',
  )
  await press('Remove it from the address')
  expect(app.address()).toBe('/customers')
})

test('names every product of a customer to keyboard, finger, screen reader and paper, or how many more', async () => {
  const buyer = await world.person()
  await inOrganization(world.deps.database, buyer.organizationId, async (tenant) => {
    for (const [customer_id, count] of [
      ['cus_1', 3],
      ['cus_2', 52],
    ] as const) {
      await addCustomer(tenant, { id: customer_id, name: customer_id })
      for (let at = 1; at <= count; at += 1)
        await addSubscription(tenant, {
          id: `sub_${customer_id}_${at}`,
          ...{ customer_id, product_name: `Plan ${at}`, current_mrr_cents: 10_000 - at },
        })
    }
  })
  openApp(world, buyer, '/customers?columns=customerName,productNames')
  const more = await screen.findByRole('button', { name: /^, Plan 2, Plan 3$/ })
  expect(more.closest('td')?.querySelector('.printed-only')?.textContent).toBe('and Plan 2, Plan 3')
  fireEvent.focus(more)
  expect((await screen.findByRole('tooltip')).textContent).toBe('Plan 2, Plan 3')
  const most = await screen.findByRole('button', { name: /Plan 50, 2 more$/ })
  expect(most.textContent).toMatch(/^\+51/)
})
