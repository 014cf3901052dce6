import { cleanup, screen, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
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

test('figures without any data are told of once, with the ways to them, beside the chart of the snapshots', async () => {
  openApp(world, await world.person(), '/mrr-analytics')
  const region = within(await screen.findByRole('region', { name: 'No figures yet' }))
  expect(region.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/setup',
    '/data-sync',
  ])
  expect(screen.getAllByRole('heading', { level: 2 }).map((title) => title.textContent)).toEqual([
    'Current MRR',
    'Active Subscriptions',
    'Monthly MRR Snapshots',
  ])
  expect(screen.getByText('No snapshot data available')).toBeTruthy()
  expect(screen.queryByText(/Nothing to show|Other days may have some/)).toBeNull()
})

test('figures of customers who have all left are shown, also after a reset of the setup', async () => {
  const person = await world.person()
  await inOrganization(world.deps.database, person.organizationId, (tenant) =>
    tenant.sql
      .insertInto('snapshots')
      .values({
        organization_id: tenant.organizationId,
        month: '2026-03',
        currency: 'usd',
        mrr_cents: 90_000,
        reporting_cents: 90_000,
        active_subscriptions: 1,
      })
      .execute(),
  )
  openApp(world, person, '/mrr-analytics')
  await screen.findByRole('region', { name: 'MRR Movements' })
  expect(screen.queryByRole('region', { name: 'No figures yet' })).toBeNull()
})
