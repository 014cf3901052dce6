// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type TestWorld } from '#test/harness.ts'
import { openApp } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

test('each list of an organization without data leads to where it is filled', async () => {
  const person = await world.person()
  for (const path of ['/customers', '/subscriptions', '/events', '/match-review']) {
    openApp(world, person, path)
    const hint = (await screen.findByText(/listed here once your Stripe data is imported/)).closest('*')
    if (!(hint instanceof HTMLElement)) throw new Error(`no hint at ${path}`)
    const places = within(hint).getAllByRole('link')
    expect(
      places.map((link) => [link.textContent, link.getAttribute('href')]),
      path,
    ).toEqual([
      ['Setup Wizard', '/setup'],
      ['Data Sync', '/data-sync'],
    ])
    cleanup()
  }
})

test('figures without any data do not say that other days have some', async () => {
  openApp(world, await world.person(), '/mrr-analytics')
  const text = 'Figures appear here once subscription data is imported.'
  await waitFor(() => expect(screen.getAllByText(text).length).toBeGreaterThan(2))
  expect(screen.queryByText(/Other days may have some/)).toBeNull()
})
