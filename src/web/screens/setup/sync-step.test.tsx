// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'
import { openApp } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld({ account: generatedWorld(4) })
})
afterAll(() => world.close())

test.each([
  [1, '1 record is not complete in HubSpot; Sync Health says why.'],
  [2, '2 records are not complete in HubSpot; Sync Health says why.'],
])('tells of %i that HubSpot refused, and leads to the reason', async (count, text) => {
  const person = await world.person()
  await person.connectStripe()
  await person.connectHubspot()
  await person.post('/api/import/historical')
  await world.drain()
  await person.post('/api/sync/push-all')
  await world.drain()
  await inOrganization(world.deps.database, person.organizationId, async ({ sql }) => {
    const pushed = await sql
      .selectFrom('crm_links')
      .select('source_id')
      .where('kind', '=', 'subscription')
      .limit(count)
      .execute()
    const ids = pushed.map(({ source_id: id }) => id)
    const refused = { state: 'failed' as const, error: 'Invalid owner.' }
    await sql.updateTable('crm_links').set(refused).where('source_id', 'in', ids).execute()
  })
  await person.fetch('/api/setup/progress', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ dataSynced: true }),
  })
  openApp(world, person, '/setup/sync')
  const link = await screen.findByRole('link', { name: 'Sync Health' })
  expect(link.parentElement?.textContent).toBe(text)
  fireEvent.click(link)
  await screen.findByRole('region', { name: 'Failing' })
  expect(await screen.findAllByText('Invalid owner.')).toHaveLength(count)
})
