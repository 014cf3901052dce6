import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addCustomer, addEvent, addSubscription } from '#test/store/seed.ts'
import { openApp, rowsOf } from '#test/web/open-app.tsx'

const eventsOfLong = 60

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addCustomer(tenant, { id: 'cus_1', name: 'Birch Press' })
    await addSubscription(tenant, { id: 'sub_1' })
    await addSubscription(tenant, { id: 'sub_long' })
    for (const month of [1, 2, 3])
      await addEvent(tenant, {
        ...{ id: `ev_${month}`, occurred_at: new Date(Date.UTC(2026, month, 5)) },
        ...{ product_name: 'Harbour Pro', mrr_status: 'Upgrade' },
      })
    for (let day = 0; day < eventsOfLong; day += 1)
      await addEvent(tenant, {
        ...{ id: `long_${day}`, subscription_id: 'sub_long' },
        occurred_at: new Date(Date.UTC(2025, 0, 1 + day)),
      })
  })
})
afterAll(() => world.close())
afterEach(() => vi.restoreAllMocks())

const marked = () => [...document.querySelectorAll('[aria-current="true"]')]
const ledTo = () => vi.spyOn(Element.prototype, 'scrollIntoView')
const gone = 'The event of this address is not in this history. A later import may have replaced it.'

test('a row of Events leads to its own row in the history of the subscription, which is marked', async () => {
  const app = openApp(world, person, '/events?to=2026-03-31&from=2026-03-01')
  await rowsOf('Events', (found) => found.length === 1)
  const scrolled = ledTo()
  fireEvent.click(screen.getByRole('link', { name: 'Open the subscription of Birch Press' }))
  await rowsOf('Event History', (found) => found.length === 3)
  expect(app.address()).toBe('/subscriptions/sub_1?event=ev_2')
  expect(marked().map((row) => row.querySelector('td')?.textContent)).toEqual(['Mar 5, 2026'])
  await waitFor(() => expect(scrolled.mock.contexts).toContain(marked()[0]))
  expect(screen.queryByText(gone)).toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('an event of a long history is on the page that has it, to which it leads once', async () => {
  const app = openApp(world, person, '/subscriptions/sub_long?event=long_20')
  // The 40th of 60, at 25 a page.
  await waitFor(() => expect(marked()).toHaveLength(1))
  expect(app.address()).toBe('/subscriptions/sub_long?page=2&event=long_20')
  expect(marked()[0]?.querySelector('td')?.textContent).toBe('Jan 21, 2025')
  fireEvent.click(await screen.findByRole('button', { name: 'Page 1' }))
  await rowsOf('Event History', (found) => found[0]?.[0] === 'Mar 1, 2025')
  await app.poll()
  expect(app.address()).toBe('/subscriptions/sub_long?event=long_20')
  expect(marked()).toEqual([])
})

test('who comes back is where they were, and the event is marked yet', async () => {
  const app = openApp(world, person, '/events')
  await app.goTo('/subscriptions/sub_1?event=ev_2')
  await waitFor(() => expect(marked()).toHaveLength(1))
  fireEvent.click(await screen.findByRole('link', { name: 'Birch Press' }))
  const back = await screen.findByRole('link', { name: 'Back to Subscription Details' })
  const scrolled = ledTo()
  fireEvent.click(back)
  await waitFor(() => expect(marked()).toHaveLength(1))
  expect(app.address()).toBe('/subscriptions/sub_1?event=ev_2')
  expect(scrolled.mock.contexts).not.toContain(marked()[0])
})

test.each(['ev_unknown', 'long_1', 'no identifier'])(
  'an event that is not there (%s) is told',
  async (id) => {
    openApp(world, person, `/subscriptions/sub_1?event=${encodeURIComponent(id)}`)
    expect(await screen.findByText(gone)).toBeTruthy()
    expect(marked()).toEqual([])
    expect(await rowsOf('Event History', (found) => found.length === 3)).toHaveLength(3)
  },
)

test('a calculation names customer and plan, and has an address while it is open', async () => {
  const app = openApp(world, person, '/subscriptions/sub_1')
  const scrolled = ledTo()
  const name = 'Show how the MRR of Feb 5, 2026 was calculated'
  fireEvent.click(await screen.findByRole('button', { name }))
  const dialog = await screen.findByRole('dialog', { name: 'How this was calculated' })
  expect(within(dialog).getByText('Birch Press, Harbour Pro')).toBeTruthy()
  const sent = app.address()
  expect(sent).toBe('/subscriptions/sub_1?event=ev_1&calculation=open')
  fireEvent.keyDown(dialog, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(app.address()).toBe('/subscriptions/sub_1?event=ev_1')
  expect(scrolled.mock.contexts).not.toContain(marked()[0])
  await app.goTo('/')
  await app.goTo(sent)
  expect(await screen.findByRole('dialog', { name: 'How this was calculated' })).toBeTruthy()
})
