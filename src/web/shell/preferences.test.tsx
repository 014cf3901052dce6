import { readFileSync } from 'node:fs'
import { runInThisContext } from 'node:vm'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newWorld, type TestWorld } from '#test/harness.ts'
import { openApp, press } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())
afterEach(() => localStorage.clear())

const page = document.documentElement
const looks = () => [page.dataset['mantineColorScheme'], page.dataset['density']]
const isPressed = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-pressed')

/** Runs the script that stands before the app in the page. */
function paintFirst() {
  for (const name of ['mantineColorScheme', 'density']) delete page.dataset[name]
  runInThisContext(readFileSync('src/web/public/first-paint.js', 'utf8'))
}

test('theme and density are kept, told, and there before the app', async () => {
  openApp(world, await world.person(), '/data-sync')
  await press(/^Account of/)
  await screen.findByRole('button', { name: 'System' })
  expect([isPressed('System'), isPressed('Comfortable')]).toEqual(['true', 'true'])
  await waitFor(() => expect(looks()).toEqual(['light', 'comfortable']))
  await press('Dark')
  await press('Compact')
  expect([isPressed('System'), isPressed('Dark'), isPressed('Compact')]).toEqual(['false', 'true', 'true'])
  await waitFor(() => expect(looks()).toEqual(['dark', 'compact']))
  paintFirst()
  expect(looks()).toEqual(['dark', 'compact'])
  localStorage.clear()
  paintFirst()
  expect(looks()).toEqual(['light', undefined])
})

test('single keys can be turned off and on again', async () => {
  openApp(world, await world.person(), '/data-sync')
  const areOn = await screen.findByRole('switch', { name: 'Single-key shortcuts' })
  /** Whether the key means something. */
  const isTaken = (key: string) => !fireEvent.keyDown(document.body, { key })
  fireEvent.click(areOn)
  expect(isTaken('?')).toBe(false)
  fireEvent.click(areOn)
  expect(isTaken('?')).toBe(true)
  const overview = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  const inReview = overview.getByRole('rowgroup', { name: 'In Match Review' })
  expect([...inReview.querySelectorAll('kbd')].map((key) => key.textContent)).toEqual([
    ...'JKAIX/',
    '1 to 9',
    'C',
    'U',
  ])
  const groups = (of: { getAllByRole: (role: string) => HTMLElement[] }) =>
    of.getAllByRole('rowgroup').map((group) => group.getAttribute('aria-label'))
  expect(groups(overview)).toEqual([null, null, 'In Match Review'])
  cleanup()
  // The keys of the screen come first there.
  openApp(world, await world.person(), '/match-review')
  await screen.findByRole('heading', { level: 1, name: 'Match Review' })
  fireEvent.keyDown(document.body, { key: '?' })
  const here = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  expect(groups(here)).toEqual([null, 'In Match Review', 'Everywhere'])
})

test('the menu of the account leads to the terms and the keys, and each screen below an entry marks it', async () => {
  const app = openApp(world, await world.person(), '/data-sync')
  const marked = () =>
    within(screen.getByRole('navigation', { name: 'Main' }))
      .getAllByRole('link')
      .filter((entry) => entry.dataset['active'] === 'true')
      .map((entry) => entry.textContent)
  await press(/^Account of/)
  expect((await screen.findByRole('link', { name: 'Terms and Rules' })).getAttribute('href')).toBe('/terms')
  await press('Keyboard shortcuts')
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const [path, entry] of [
    ['/diagnostics', 'Data Sync'],
    ['/hubspot-objects', 'Data Sync'],
    ['/sync-history/7', 'Data Sync'],
    ['/what-changed', 'MRR Analytics'],
    ['/terms', 'MRR Analytics'],
  ] as const) {
    await app.goTo(path)
    expect(marked(), path).toEqual([entry])
  }
  const above = within(await screen.findByRole('navigation', { name: 'Breadcrumb' }))
  expect(above.getByRole('link', { name: 'MRR Analytics' }).getAttribute('href')).toBe('/mrr-analytics')
})
