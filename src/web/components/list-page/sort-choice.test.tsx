import { cleanup, screen } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type TestWorld } from '#test/harness.ts'
import { addCustomer, addSubscription } from '#test/store/seed.ts'
import { openApp } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

test.each([
  ['usd', ''],
  ['eur', ' in USD'],
])('lists with a subscription in %s are sorted by amounts%s', async (currency, measure) => {
  const person = await world.person()
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addCustomer(tenant, { id: 'cus_1', name: 'Birch Press' })
    await addSubscription(tenant, { id: 'sub_1', current_mrr_cents: 100 })
    await addSubscription(tenant, { id: 'sub_2', current_mrr_cents: 200, currency })
  })
  for (const [address, title] of [
    ['/subscriptions?sort=currentMrr', 'MRR'],
    ['/customers?sort=currentMrr', 'MRR'],
    ['/events?sort=mrrChange', 'MRR Change'],
  ] as const) {
    openApp(world, person, address)
    await screen.findByText(`Sorted by ${title}${measure}, highest first`)
    cleanup()
  }
  openApp(world, person, '/subscriptions')
  await screen.findByText('Sorted by Last Updated, latest first')
  expect(screen.queryByText(/in USD/)).toBeNull()
})
