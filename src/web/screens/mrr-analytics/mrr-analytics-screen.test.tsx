import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getMrrMovements, getMrrSegments } from '#contract/mrr.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addCustomer, addEvent, addSubscription } from '#test/store/seed.ts'
import { openApp, press, rowsOf } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addCustomer(tenant, { id: 'cus_1', name: 'Birch Press' })
    await addSubscription(tenant, { id: 'sub_1', current_mrr_cents: 100_000 })
    await addSubscription(tenant, { id: 'sub_2', currency: 'eur', current_mrr_cents: 4_200 })
    await addSubscription(tenant, { id: 'sub_3', currency: 'jpy', current_mrr_cents: 900 })
    for (const id of ['sub_odd', 'sub_odder'])
      await addSubscription(tenant, { id, unsupported_reason: 'The status is not known' })
    await tenant.sql
      .insertInto('billing_v2_totals')
      .values([
        { organization_id: tenant.organizationId, currency: 'jpy', invoices: 1, amount_cents: 900 },
        { organization_id: tenant.organizationId, currency: 'usd', invoices: 1_200, amount_cents: 123_400 },
      ])
      .execute()
    const row = { organization_id: tenant.organizationId, active_subscriptions: 1 }
    const apart = { unconverted_cents: 4_100, unconverted_subscriptions: 1 }
    await tenant.sql
      .insertInto('snapshots')
      .values([
        { ...row, month: '2026-10', currency: 'usd', mrr_cents: 90_000, reporting_cents: 90_000 },
        { ...row, month: '2026-11', currency: 'usd', mrr_cents: 95_000, reporting_cents: 95_000 },
        { ...row, month: '2026-11', currency: 'eur', mrr_cents: 4_100, ...apart },
      ])
      .execute()
  })
})
afterAll(() => world.close())

const region = async (name: string) => within(await screen.findByRole('region', { name }))

test('totals add dollars only; other currencies and what could not be counted stand beside them', async () => {
  openApp(world, person, '/mrr-analytics')
  const mrr = await region('Current MRR')
  expect(await mrr.findByText('$1,000.00')).toBeTruthy()
  expect(mrr.getByText('Not included: €42.00 (1 active), ¥900 (1 active)')).toBeTruthy()
  expect(mrr.getByText('Billed by Billing v2, not counted: 1,201 invoices, ¥900, $1,234.00')).toBeTruthy()
  const active = await region('Active Subscriptions')
  expect(active.getByText('1')).toBeTruthy()
  expect(active.getByText('2 more could not be counted; each says why')).toBeTruthy()
})

test('the chart names the latest snapshot, or the MRR of now', async () => {
  const app = openApp(world, person, '/mrr-analytics')
  const snapshots = await region('Monthly MRR Snapshots')
  expect(await snapshots.findByText('$950.00')).toBeTruthy()
  expect(snapshots.getByText('As of Nov 1, 2026, 00:00 UTC')).toBeTruthy()
  expect(snapshots.getByText(/^Each snapshot is the MRR at the start of its month/)).toBeTruthy()
  expect(snapshots.getByText('Not included: €41.00 (1 active)')).toBeTruthy()
  await press('Real-time')
  expect(app.address()).toBe('/mrr-analytics?chart=real-time')
  const trend = await region('MRR Trend')
  expect(await trend.findByText('$1,000.00')).toBeTruthy()
  expect(trend.getByText('As of now')).toBeTruthy()
})

test('an organization without data is told where it will come from', async () => {
  openApp(world, await world.person(), '/mrr-analytics')
  expect(await screen.findByText('No snapshot data available')).toBeTruthy()
  expect(screen.queryByText(/could not be counted/)).toBeNull()
})

const range = () => region('Date range')

test('a range stands in the address, and leads the charts', async () => {
  const app = openApp(world, person, '/mrr-analytics?note=kept')
  fireEvent.click(await (await range()).findByRole('link', { name: 'Year to date' }))
  expect(app.address()).toBe('/mrr-analytics?note=kept&range=ytd')
  expect((await range()).getByText('Jan 1, 2026 to', { exact: false })).toBeTruthy()
  fireEvent.click((await range()).getByRole('link', { name: 'All time' }))
  expect(app.address()).toBe('/mrr-analytics?note=kept')
  await app.goTo('/mrr-analytics?from=2020-01-01&to=2020-12-31')
  const snapshots = await region('Monthly MRR Snapshots')
  expect(await snapshots.findByText('No figure in this date range')).toBeTruthy()
})

test('two days that cannot be a range are kept as typed, with the reason below them', async () => {
  const app = openApp(world, person, '/mrr-analytics')
  await press('Custom')
  const type = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  type('First day', '2026-10-05')
  type('Last day', '2026-10-01')
  await press('Show these days')
  expect(app.address()).toBe('/mrr-analytics')
  await screen.findByText('This is before the first day.')
  expect(document.activeElement).toBe(screen.getByLabelText('Last day'))
  expect(screen.getByLabelText<HTMLInputElement>('First day').value).toBe('2026-10-05')
  type('First day', '2026-09-01')
  await press('Show these days')
  expect(app.address()).toBe('/mrr-analytics?from=2026-09-01&to=2026-10-01')
  expect((await range()).getByText('Sep 1, 2026 to Oct 1, 2026', { exact: false })).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a day of the address that there is not stands in its field to be corrected', async () => {
  openApp(world, person, '/mrr-analytics?from=2026-02-30&to=2026-03-01')
  expect((await screen.findByRole('alert')).textContent).toContain("'2026-02-30' is not a day.")
  expect(screen.getByLabelText<HTMLInputElement>('First day').value).toBe('2026-02-30')
})

test('a view of the address that there is not is named, and taken away', async () => {
  const app = openApp(world, person, '/mrr-analytics?interval=week&by=plan&note=kept')
  const note = await screen.findByRole('alert')
  expect(note.textContent).toContain('interval=week must be month or quarter. The usual view is shown.')
  await press('Remove it from the address')
  expect(app.address()).toBe('/mrr-analytics?by=plan&note=kept')
  await app.goTo('/mrr-analytics?range=odd&by=plan')
  await press('Remove it from the address')
  expect(app.address()).toBe('/mrr-analytics?by=plan')
})

const movementsOf = async (path: string, to: string, through = (fetch: Fetch): Fetch => fetch) => {
  const eventful = await world.person()
  await inOrganization(world.deps.database, eventful.organizationId, async (tenant) => {
    await addCustomer(tenant, { id: 'cus_1', name: 'Birch Press' })
    await addSubscription(tenant, { id: 'sub_1', product_name: 'Team, large', current_mrr_cents: 300_00 })
    const at = (day: string) => new Date(`${day}T12:00:00Z`)
    await addEvent(tenant, { id: 'ev_1', occurred_at: at('2026-03-05') })
    const upgrade = { previous_mrr_cents: 1_000, current_mrr_cents: 30_000, mrr_change_cents: 29_000 }
    await addEvent(tenant, { id: 'ev_2', occurred_at: at('2026-04-09'), mrr_status: 'Upgrade', ...upgrade })
  })
  return openApp(world, { ...eventful, fetch: through(eventful.fetch) }, `/mrr-analytics?${path}&to=${to}`)
}
type Fetch = typeof fetch

test('each month of movements leads to its events, and the period before is beside them', async () => {
  await movementsOf('from=2026-04-01&compare=before', '2026-04-30')
  const rows = await rowsOf('MRR movements', (found) => found.length === 4)
  expect(rows).toEqual([
    ['$10.00', '–', '–', '+$290.00', '–', '–', '+$290.00', '$300.00'],
    ['$10.00', '–', '–', '+$290.00', '–', '–', '+$290.00', '$300.00'],
    ['$0.00', '+$10.00', '–', '–', '–', '–', '+$10.00', '$10.00'],
    [
      '+$10.00',
      '-$10.00100.0% less',
      '–',
      '+$290.00',
      '–',
      '–',
      '+$280.002,800.0% more',
      '+$290.002,900.0% more',
    ],
  ])
  expect(screen.getByRole('rowheader', { name: /^Period before/ }).textContent).toMatch(
    /^Period beforeMar \d+, 2026 to Mar 31, 2026$/,
  )
  const addressOf = (title: string) => screen.getByTitle(title).getAttribute('href')
  expect(addressOf('Events: Upgrade in Apr 2026')).toBe(
    '/events?mrrStatus=Upgrade&from=2026-04-01&to=2026-04-30',
  )
  expect(addressOf('Events: Start of Apr 2026')).toBe('/events?to=2026-03-31')
  expect(addressOf('Events: End of the period before')).toBe('/events?to=2026-03-31')
})

test('the chart draws the net of the period before, names it and tells it', async () => {
  await movementsOf('from=2026-04-01&compare=before', '2026-04-30')
  const chart = await screen.findByRole('application', {
    name: /^Chart of MRR movements, Apr 2026, compared with the net of Mar 2026/,
  })
  expect(chart.querySelectorAll('svg')[0]?.querySelectorAll('circle')).toHaveLength(1)
  expect(screen.getByText('Net of the period before')).toBeTruthy()
  fireEvent.keyDown(chart, { key: 'End' })
  const told = await within(chart).findByRole('status')
  expect(told.textContent).toMatch(/Net: \+\$290\.00.*Net in Mar 2026[^:]*: \+\$10\.00/)
})

test.each([
  ['from=2026-03-01', '2026-04-30', 'Nothing in the period before'],
  // From Apr 2 to May 1, in two months.
  ['from=2026-05-02', '2026-05-31', 'Period before: in the table alone'],
  // From Oct 1 to Oct 30, in one month and not in two.
  ['from=2026-10-31', '2026-11-29', 'Period before: in the table alone'],
])('a period before that fits to no bars of %s until %s is not drawn', async (from, to, text) => {
  await movementsOf(`${from}&compare=before`, to)
  const chart = await screen.findByRole('application', { name: /^Chart of MRR movements/ })
  await screen.findByText(text)
  expect(chart.getAttribute('aria-label')).not.toContain('compared')
  expect(chart.querySelectorAll('svg')[0]?.querySelectorAll('circle')).toHaveLength(0)
  expect(screen.queryByText('Net of the period before')).toBeNull()
})

/** Answers the call of the movements that end on a day with something else. */
const insteadOf =
  (day: string, answer: (send: () => Promise<Response>) => Promise<Response>) =>
  (send: Fetch): Fetch =>
  (input, init) => {
    const { pathname, searchParams } = new URL(String(input), 'http://localhost')
    const isIt = pathname === getMrrMovements.path && searchParams.get('to') === day
    return isIt ? answer(() => send(input, init)) : send(input, init)
  }
const chartOf = (name: RegExp) => screen.findByRole('application', { name })
const uncompared = (chart: HTMLElement) => {
  expect(chart.getAttribute('aria-label')).not.toContain('compared')
  expect(chart.querySelectorAll('svg')[0]?.querySelectorAll('circle')).toHaveLength(0)
  expect(screen.queryByText(/period before/i, { selector: 'p' })).toBeNull()
  expect(screen.queryByRole('rowheader', { name: /^Period before/ })).toBeNull()
}

test('a period before that cannot be read is promised by nothing, told in the card and asked for again', async () => {
  let isDown = true
  const refused = async () =>
    Response.json({ error: { code: 'too_many_requests', message: 'Too many calls.' } }, { status: 429 })
  const instead = insteadOf('2026-03-31', (send) => (isDown ? refused() : send()))
  await movementsOf('from=2026-04-01&compare=before', '2026-04-30', instead)
  const card = await region('MRR Movements')
  const alert = await card.findByRole('alert', { name: 'The period before could not be loaded' })
  expect(alert.textContent).toContain('Too many calls.')
  uncompared(await chartOf(/^Chart of MRR movements, Apr 2026/))
  isDown = false
  fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
  await chartOf(/compared with the net of Mar 2026/)
  expect(screen.getByText('Net of the period before')).toBeTruthy()
  expect(card.queryByRole('alert')).toBeNull()
})

test('bars of a new range are compared once the period before it is known, never with another', async () => {
  const held = Promise.withResolvers<void>()
  const instead = insteadOf('2026-04-30', (send) => held.promise.then(send))
  const app = await movementsOf('from=2026-04-01&compare=before', '2026-04-29', instead)
  await chartOf(/^Chart of MRR movements, Apr 2026.*compared with the net of Mar 2026/)
  await app.goTo('/mrr-analytics?from=2026-05-01&to=2026-05-31&compare=before')
  uncompared(await chartOf(/^Chart of MRR movements, May 2026/))
  held.resolve()
  await chartOf(/^Chart of MRR movements, May 2026, compared with the net of Apr 2026/)
  expect(screen.getByRole('rowheader', { name: /^Period before/ }).textContent).toContain('Apr 30, 2026')
})

test('segments, cohorts and retention tell their figures and lead to their events', async () => {
  await movementsOf('from=2026-03-01', '2026-04-30')
  const [segment] = await rowsOf('Segments', (found) => found.length === 2)
  expect(segment).toEqual(['$0.00', '+$10.00', '–', '+$290.00', '–', '–', '+$300.00', '$300.00', '100.0%'])
  expect(await rowsOf('Cohorts', (found) => found.length === 2)).toEqual([
    ['$10.00', '100%', '3,000%'],
    ['$10.00', '100%', '3,000%'],
  ])
  expect(screen.getByTitle('Events: Mar 2026, until Apr 2026: $300.00, 3,000.0%').getAttribute('href')).toBe(
    '/events?firstPaidFrom=2026-03&firstPaidTo=2026-03&to=2026-04-30',
  )
  expect(screen.getByTitle('Events: Upgrade of Team, large').getAttribute('href')).toBe(
    `/events?${new URLSearchParams({ product: 'Team\\, large', mrrStatus: 'Upgrade', from: '2026-03-01', to: '2026-04-30' })}`,
  )
  const retention = within(await screen.findByRole('region', { name: 'Retention of 1 month' }))
  expect(retention.getByText('NRR 3,000.0%')).toBeTruthy()
  expect(retention.getByText('GRR 100.0%')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Customers' }))
  await rowsOf('Cohorts', (found) => found[0]?.[0] === '1')
})

const onScreen = window.matchMedia
const paper = onScreen('print')
window.matchMedia = (query) => (query === 'print' ? paper : onScreen(query))
/** Lays the page out for paper, or for the screen again. */
const print = (matches: boolean) =>
  act(() => Object.assign(paper, { matches }).dispatchEvent(new Event('change')))

test('a page of segments is on the screen, and on paper all of them, or how many are not', async () => {
  const perAnswer = 100
  const readMany: typeof fetch = async (input, init) => {
    const response = await person.fetch(input, init)
    const { pathname, searchParams } = new URL(String(input), 'http://localhost')
    if (pathname !== getMrrSegments.path) return response
    const answer = getMrrSegments.response.parse(await response.json())
    const first = (Number(searchParams.get('page')) - 1) * perAnswer
    const segments = Array.from({ length: Math.min(perAnswer, 102 - first) }, (_, at) => ({
      ...answer.total,
      value: `Product ${first + at + 1}`,
      share: null,
    }))
    return Response.json({ ...answer, segments, totalCount: 102 })
  }
  const app = openApp(world, { ...person, fetch: readMany }, '/mrr-analytics')
  // Roles of so many cells take a while to be told.
  const names = () =>
    [...document.querySelectorAll('[aria-label="Segments"] tbody th')].map((cell) => cell.textContent)
  await waitFor(() => expect(names()).toHaveLength(10))
  expect(names()[0]).toBe('Product 1')
  await app.goTo('/mrr-analytics?page=11')
  await waitFor(() => expect(names()).toEqual(['Product 101', 'Product 102']))
  await app.goTo('/mrr-analytics?page=2')
  await waitFor(() => expect(names()[0]).toBe('Product 11'))
  print(true)
  expect(names()).toHaveLength(100)
  expect(screen.getByText('2 of 102 segments are not printed. The CSV file has all of them.')).toBeTruthy()
  print(false)
  expect(names()).toHaveLength(10)
})
