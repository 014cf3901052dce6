import { screen } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addConnections, addRun } from '#test/store/seed.ts'
import { openApp } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await inOrganization(world.deps.database, person.organizationId, addConnections)
})
afterAll(() => world.close())

async function ended(id: string, kind: 'import' | 'push', minutesAgo: number, events: number): Promise<void> {
  const at = new Date(world.now().getTime() - minutesAgo * 60_000)
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addRun(tenant, { id, kind, status: 'completed', at })
    await tenant.sql
      .updateTable('runs')
      .set({ completed_at: at, changed_events: events, changed_subscriptions: 0, changed_links: 0 })
      .where('id', '=', id)
      .execute()
  })
}

test('beside an earlier sync stands when Stripe was read since, and the last record is that of a sync that wrote one', async () => {
  await ended('run_written', 'push', 90, 3)
  await ended('run_same', 'push', 8, 0)
  await ended('run_read', 'import', 2, 0)
  openApp(world, person, '/data-sync')
  const last = (await screen.findByText(/^Last sync/)).textContent
  expect(last).toBe('Last sync 8 min ago: No changes. Nothing new in Stripe since, read 2 min ago')
  expect((await screen.findByText('Last record synced')).parentElement?.textContent).toMatch(/1 h ago$/)
})
