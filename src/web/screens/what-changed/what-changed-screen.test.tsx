import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { run as query } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addOneOfEverything } from '#test/store/seed.ts'
import { heading, openApp, press, rowsOf } from '#test/web/open-app.tsx'

let world: TestWorld
let owner: Person
let member: Person
beforeAll(async () => {
  world = await newWorld()
  owner = await world.person()
  await addOneOfEverything(world.deps, owner.organizationId, 'Birch')
  await inOrganization(world.deps.database, owner.organizationId, ({ sql }) =>
    sql.updateTable('recounts').set({ read_by: null }).execute(),
  )
  member = await world.person()
  await query(
    world.ownerUrl,
    `update member set role = 'member', "organizationId" = $1 where "userId" = $2`,
    [owner.organizationId, member.userId],
  )
  await member.post('/api/identity/organization/set-active', { organizationId: String(owner.organizationId) })
})
afterAll(() => world.close())

const banner = () => screen.queryByRole('note', { name: 'Figures have changed' })

test('every screen leads owners and admins to a report that none of them has read', async () => {
  const app = openApp(world, owner, '/events')
  const link = await screen.findByRole('link', { name: 'See what changed' })
  expect(banner()?.textContent).toContain('1 month, 1 customer, 1 HubSpot record')
  fireEvent.click(link)
  await heading('MRR rules 0 → 1')
  expect(app.address()).toBe('/what-changed/1')
})

test('a report shows months, customers and records before and after, and comes as a file', async () => {
  const app = openApp(world, member, '/what-changed/1')
  const after = `$${(owner.organizationId / 100).toFixed(2)}`
  // HubSpot refuses its connection.
  await screen.findByText(/HubSpot follows with the next sync, once HubSpot is connected again\.$/)
  expect(await rowsOf('Months', (rows) => rows.length === 1)).toEqual([
    ['Apr 2026', '$0.00', after, `+${after}`, '0', '0'],
  ])
  fireEvent.click(screen.getByRole('tab', { name: 'Customers (1)' }))
  expect(await rowsOf('Customers', (rows) => rows.length === 1)).toEqual([
    ['Birch Company', '$0.00', after, `+${after}`, '0'],
  ])
  fireEvent.click(screen.getByRole('tab', { name: 'Records (1)' }))
  expect(await rowsOf('Records', (rows) => rows.length === 1)).toEqual([
    ['Subscription: Birch', 'Birch', 'MRR: 0.00 → Birch', 'Updated'],
  ])
  expect(app.address()).toBe('/what-changed/1?list=records')
  expect(screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toBe(
    '/api/mrr/recounts/1/export',
  )
})

test('a member reads it and cannot end its announcement; an owner does', async () => {
  openApp(world, member, '/what-changed/1')
  await heading('MRR rules 0 → 1')
  expect(banner()).toBeNull()
  expect(screen.queryByRole('button', { name: 'Mark as read' })).toBeNull()
})

test('marked as read, it is announced no more and stays in the list', async () => {
  const app = openApp(world, owner, '/what-changed/1')
  await press('Mark as read')
  await screen.findByText(new RegExp(`by ${owner.email}`))
  await waitFor(() => expect(banner()).toBeNull())
  expect(screen.queryByRole('button', { name: 'Mark as read' })).toBeNull()
  await app.goTo('/what-changed')
  const [row] = await rowsOf('Rule Changes', (rows) => rows.length === 1)
  expect(row?.slice(1)).toEqual(['MRR rules 0 → 1', '1', '1', '1', expect.stringContaining(owner.email)])
})

test('an organization whose figures never changed is told so, and a report that is not there is not found', async () => {
  const other = await world.person()
  const app = openApp(world, other, '/what-changed')
  expect(await screen.findByText('No rule has changed a figure')).toBeTruthy()
  await app.goTo('/what-changed/1')
  expect(await screen.findByText('Report Not Found')).toBeTruthy()
})
