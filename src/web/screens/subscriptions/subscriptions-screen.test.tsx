import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { run } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { recountLists } from '#test/store/kept-totals.ts'
import { addConnections, addCustomer, addMatch, addSubscription } from '#test/store/seed.ts'
import { openApp, press, rowsOf } from '#test/web/open-app.tsx'

const count = 12
const word = (index: number) => `Co ${String(index).padStart(2, '0')}`

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addConnections(tenant)
    for (let index = 1; index <= count; index += 1) {
      await addCustomer(tenant, { id: `cus_${index}`, name: word(index), email: `a${index}@co.example` })
      await addSubscription(tenant, {
        id: `sub_${index}`,
        customer_id: `cus_${index}`,
        status: index === 3 ? 'incomplete_expired' : index === 7 ? 'past_due' : 'active',
        // The dates are in another order, so that the two orders differ.
        current_mrr_cents: ((index * 5) % 13) * 100,
        updated_at: new Date(Date.UTC(2026, 4, index)),
        unsupported_reason: index === 5 ? 'Its price is unreadable' : null,
        ...(index === 3 && { body: '{"endedAt":1791072000}', product_name: 'Team plan' }),
        ...(index === 9 && {
          body: '{"cancelAtPeriodEnd":true}',
          current_period_end: '2026-12-13T10:00:00Z',
        }),
      })
    }
    await addMatch(tenant, { customerId: 'cus_12', companyName: 'Linked Company', state: 'linked' })
  })
})
afterAll(() => world.close())

const shown = async (isThere: (companies: string[]) => boolean) => {
  const companies = (rows: string[][]) => rows.map((row) => (row[0] ?? '').replace(/ \(opens.*/, '').trim())
  return companies(await rowsOf('Subscriptions', (rows) => isThere(companies(rows))))
}

test('the newest come first, ten to a page, and the page is in the address', async () => {
  const app = openApp(world, person, '/subscriptions')
  const first = await shown((companies) => companies.length === 10)
  expect(first.slice(0, 3)).toEqual(['Linked Company', 'Co 11', 'Co 10'])
  // An email breaks between its words, on paper too.
  expect(document.querySelectorAll('td wbr').length).toBeGreaterThan(0)
  await press('Page 2')
  expect(await shown((companies) => companies.length === 2)).toEqual(['Co 02', 'Co 01'])
  expect(app.address()).toBe('/subscriptions?page=2')
  expect(screen.getByText('11 to 12 of 12')).toBeTruthy()
})

test('its filters stand below headings, and both ends of a span in one line', async () => {
  openApp(world, person, '/subscriptions')
  await press('Filters')
  const form = within(await screen.findByRole('dialog', { name: 'Filters' }))
  await form.findByRole('group', { name: 'MRR' })
  const names = form
    .getAllByRole('group')
    .map((group) => group.getAttribute('aria-label') ?? group.firstElementChild?.textContent)
  expect(names).toEqual(['Subscription', 'MRR', 'In HubSpot', 'Dates', 'Created'])
  const created = within(form.getByRole('group', { name: 'Created' }))
  expect([created.getByLabelText('Created from'), created.getByLabelText('Created until')]).toHaveLength(2)
})

test('a day applies once its year is typed, and one before the first day stays, with the reason', async () => {
  const app = openApp(world, person, '/subscriptions')
  await press('Filters')
  const form = within(await screen.findByRole('dialog', { name: 'Filters' }))
  const first = await form.findByLabelText<HTMLInputElement>('Created from')
  const last = form.getByLabelText<HTMLInputElement>('Created until')
  // As a browser tells a day that is typed key by key.
  for (const year of ['0002', '0020', '0202', '2026'])
    fireEvent.change(first, { target: { value: `${year}-03-15` } })
  await screen.findByRole('button', { name: 'Remove the filter Created from: 2026-03-15' })
  expect(app.address()).toBe('/subscriptions?from=2026-03-15')
  fireEvent.change(last, { target: { value: '2026-03-14' } })
  fireEvent.blur(last)
  await form.findByText('This is before the first day.')
  expect([last.value, app.address()]).toEqual(['2026-03-14', '/subscriptions?from=2026-03-15'])
  fireEvent.change(first, { target: { value: '2026-03-01' } })
  await waitFor(() => expect(app.address()).toBe('/subscriptions?from=2026-03-01&to=2026-03-14'))
  expect(form.queryByText('This is before the first day.')).toBeNull()
  fireEvent.change(last, { target: { value: '0202-03-14' } })
  fireEvent.blur(last)
  await form.findByText('Choose a day from 1970 to 2199.')
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(app.address()).toBe('/subscriptions'))
  expect([first.value, last.value]).toEqual(['', ''])
})

test('a search that finds more than is counted says that there are more', async () => {
  const many = await world.person()
  await run(
    world.ownerUrl,
    `insert into subscriptions (organization_id, id, customer_id, status, body, created_at, currency, quantity, product_name)
     select ${many.organizationId}, 'sub_' || n, '', 'active', '{}', now(), 'usd', 1, case when n > 1 then 'Harbour' end
       from generate_series(1, 1002) as n`,
  )
  await recountLists(world.ownerUrl, many.organizationId)
  openApp(world, many, '/subscriptions?search=harbour')
  await screen.findByText('1 to 10 of more than 1,000')
  expect(screen.getByRole('button', { name: 'Page 100' })).toBeTruthy()
  openApp(world, many, '/subscriptions')
  await screen.findByText('1 to 10 of 1,002')
})

test('one that cannot be counted says so instead of a figure, and is counted on the dashboard', async () => {
  const app = openApp(world, person, '/subscriptions?search=Co+05')
  await shown((companies) => companies.length === 1)
  expect(screen.getByText('Not counted').title).toBe('Its price is unreadable')
  await app.goTo('/')
  await screen.findByText('1 more could not be counted; each says why')
})

test('a planned cancellation says its day', async () => {
  openApp(world, person, '/subscriptions?isCanceling=true')
  const [row] = await rowsOf('Subscriptions', (rows) => rows.length === 1)
  expect(row).toContain('Ends Dec 13, 2026')
})

test('on a phone, a card names the product, and the day on which a subscription ended', async () => {
  const atDesk = window.matchMedia
  window.matchMedia = (query) => Object.assign(atDesk(query), { matches: query === '(max-width: 639px)' })
  try {
    openApp(world, person, '/subscriptions?search=Co+03')
    const card = await screen.findByRole('listitem')
    await waitFor(() => expect(card.textContent).toContain('Ended Oct 4, 2026'))
    expect(card.textContent).toContain('Team plan')
  } finally {
    window.matchMedia = atDesk
  }
})

test('an address with a page opens there', async () => {
  openApp(world, person, '/subscriptions?page=2')
  expect(await shown((companies) => companies.length === 2)).toEqual(['Co 02', 'Co 01'])
})

test('an address behind the end opens the last page', async () => {
  const app = openApp(world, person, '/subscriptions?page=9')
  expect(await shown((companies) => companies.length === 2)).toEqual(['Co 02', 'Co 01'])
  expect(app.address()).toBe('/subscriptions?page=2')
})

test('a search begins at page 1 and can find nothing', async () => {
  const app = openApp(world, person, '/subscriptions?page=2')
  const box = await screen.findByRole('searchbox')
  fireEvent.change(box, { target: { value: 'a7@co' } })
  expect(await shown((companies) => companies.length === 1)).toEqual(['Co 07'])
  expect(app.address()).toBe('/subscriptions?search=a7%40co')

  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'nobody at all' } })
  expect(await screen.findByText('No subscriptions found')).toBeTruthy()
})

test('the filter keeps one status', async () => {
  const app = openApp(world, person, '/subscriptions')
  fireEvent.change(await screen.findByLabelText('Status'), { target: { value: 'past_due' } })
  expect(await shown((companies) => companies.length === 1)).toEqual(['Co 07'])
  expect(app.address()).toBe('/subscriptions?status=past_due')
  expect(screen.getByText('Past Due', { selector: 'span' })).toBeTruthy()
})

test('a header sorts by click and by keyboard, and says how', async () => {
  const app = openApp(world, person, '/subscriptions')
  await shown((companies) => companies.length === 10)
  const header = () => screen.getByRole('columnheader', { name: /^MRR/ })
  const updated = screen.getByRole('columnheader', { name: /^Last Updated/ })
  expect(updated.getAttribute('aria-sort')).toBe('descending')
  expect(header().getAttribute('aria-sort')).toBe('none')
  await press(/^MRR/)
  expect(await shown((companies) => companies[0] === 'Co 05')).toContain('Co 10')
  expect(header().getAttribute('aria-sort')).toBe('descending')
  expect(updated.getAttribute('aria-sort')).toBe('none')
  await press(/^MRR/)
  expect(await shown((companies) => companies[0] === 'Co 08')).toContain('Co 03')
  expect(app.address()).toBe('/subscriptions?sort=currentMrr&order=asc')
  expect(header().getAttribute('aria-sort')).toBe('ascending')
})

test('a matched company leads to HubSpot, the row to the subscription', async () => {
  const app = openApp(world, person, '/subscriptions')
  const company = await screen.findByRole('link', { name: /^Linked Company/ })
  expect(company.getAttribute('href')).toBe('http://hubspot-app.test/contacts/4711/record/0-2/99')
  fireEvent.click(screen.getByRole('link', { name: 'Open the subscription of Linked Company' }))
  await waitFor(() => expect(app.address()).toBe('/subscriptions/sub_12'))
})

test('what cannot be fetched is said in words, with what the server told', async () => {
  const answer = { error: { code: 'internal', message: 'Something broke.' } }
  const broken: typeof fetch = async (input, init) =>
    String(input).startsWith('/api/stripe/subscriptions')
      ? Response.json(answer, { status: 500 })
      : person.fetch(input, init)
  openApp(world, { fetch: broken }, '/subscriptions')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('An error occurred while fetching subscriptions.')
  expect(alert.textContent).toContain('500: Something broke.')
})

test('the chosen columns stay for the person, and name themselves in the address', async () => {
  const app = openApp(world, person, '/subscriptions')
  await shown((companies) => companies.length === 10)
  await press('Columns')
  fireEvent.click(await screen.findByRole('button', { name: 'All columns' }))
  await waitFor(() => expect(app.address()).toBe('/subscriptions?columns=all'))
  await app.goTo('/customers')
  await app.goTo('/subscriptions?status=active')
  await waitFor(() => expect(app.address()).toBe('/subscriptions?status=active&columns=all'))
  // Without leaving the screen, a new address brings back nothing of the one before.
  await app.goTo('/subscriptions')
  await waitFor(() => expect(app.address()).toBe('/subscriptions?columns=all'))
  await app.goTo('/subscriptions?status=active')
  await waitFor(() => expect(app.address()).toBe('/subscriptions?status=active&columns=all'))
  await press('Columns')
  fireEvent.click(await screen.findByRole('button', { name: 'Reset columns' }))
  await waitFor(() => expect(app.address()).toBe('/subscriptions?status=active'))
  await app.goTo('/customers')
  await app.goTo('/subscriptions')
  await shown((companies) => companies.length === 10)
  expect(app.address()).toBe('/subscriptions')
})

test('columns move up and down, each by its own buttons', async () => {
  const app = openApp(world, person, '/subscriptions?columns=companyName,currentMrr,status')
  await shown((companies) => companies.length === 10)
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  await press('Columns')
  await press('Move Status up')
  await waitFor(() => expect(heads()).toEqual(['Company', 'Status', 'MRR']))
  await press('Move Status up')
  await waitFor(() => expect(heads()).toEqual(['Status', 'Company', 'MRR']))
  // It is the first now.
  expect(screen.getByRole('button', { name: 'Move Status up' }).getAttribute('aria-disabled')).toBe('true')
  await press('Move Status up')
  await press('Move Company down')
  await waitFor(() => expect(heads()).toEqual(['Status', 'MRR', 'Company']))
  expect(app.address()).toBe('/subscriptions?columns=status%2CcurrentMrr%2CcompanyName')
  expect(screen.queryByRole('button', { name: 'Move Quantity up' })).toBeNull()
})
