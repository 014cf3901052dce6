import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { openApp, press } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await person.connectStripe()
  await person.post('/api/import/historical')
  await world.drain()
})
afterAll(() => world.close())

const box = () => screen.findByRole<HTMLInputElement>('searchbox')
const missed = 'Nothing in this list fits “kelpzzzz”. Clear search'
const isSaid = () => screen.queryAllByText((_, element) => element?.textContent === missed).length > 0

test('each list names the search that finds nothing, and clears it', async () => {
  for (const list of ['/subscriptions', '/events', '/customers', '/match-review']) {
    const app = openApp(world, person, `${list}?search=kelpzzzz`)
    await waitFor(() => expect(isSaid(), list).toBe(true))
    await press('Clear search')
    await waitFor(() => expect(app.address(), list).toBe(list))
    expect((await box()).value, list).toBe('')
    expect(document.activeElement === (await box()), list).toBe(true)
    await waitFor(() => expect(isSaid(), list).toBe(false))
    cleanup()
  }
})

test('Escape clears the search, and then leaves its field', async () => {
  const app = openApp(world, person, '/subscriptions?search=kelpzzzz')
  const field = await box()
  field.focus()
  fireEvent.keyDown(field, { key: 'Escape' })
  await waitFor(() => expect(app.address()).toBe('/subscriptions'))
  expect(field.value).toBe('')
  expect(document.activeElement === field).toBe(true)
  fireEvent.keyDown(field, { key: 'Escape' })
  expect(document.activeElement === field).toBe(false)
})
