import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordAudit } from '#server/store/accounts/audit.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { openApp, press, rowsOf } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person({ email: 'own@yard.example' })
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    const colleague = { userId: 999_999, email: 'pat@yard.example', address: null }
    await recordAudit(tenant, colleague, { action: 'stripe_disconnected' })
    await recordAudit(tenant, null, { action: 'access_revoked' })
    for (let number = 1; number <= 30; number++)
      await recordAudit(tenant, colleague, { action: 'member_invited', subject: `guest ${number}` })
  })
})
afterAll(() => world.close())

const path = '/account-profile?tab=activity'
const whatOf = (rows: string[][]) => rows.map(([, who, what]) => `${who} ${what}`)
const fileAddress = () =>
  screen.getByRole('region', { name: 'Activity' }).querySelector('a[download]')?.getAttribute('href')

test('says how many actions there are, page by page', async () => {
  const app = openApp(world, person, path)
  await rowsOf('Activity', (rows) => rows.length === 25)
  const [count] = screen.getAllByText(/^\d+ actions$/)
  const total = Number(count?.textContent?.split(' ')[0])
  expect(total).toBeGreaterThan(32)
  await press('Page 2')
  await rowsOf('Activity', (rows) => rows.length === total - 25)
  expect(app.address()).toBe('/account-profile?page=2&tab=activity')
})

test('finds what was done, as the address says', async () => {
  const app = openApp(world, person, `${path}&action=stripe_disconnected,access_revoked`)
  const rows = await rowsOf('Activity', (found) => found.length === 2)
  expect(whatOf(rows)).toEqual([
    'Tributary All access was revoked for safety',
    'pat@yard.example Disconnected Stripe',
  ])
  expect(fileAddress()).toBe('/api/audit/export?action=stripe_disconnected%2Caccess_revoked')
  await press('Remove the filter What: Disconnected Stripe or All access was revoked for safety')
  await rowsOf('Activity', (found) => found.length === 25)
  expect(app.address()).toBe(path)
  expect(fileAddress()).toBe('/api/audit/export')
})

test('finds what one person did', async () => {
  const app = openApp(world, person, path)
  await rowsOf('Activity', (rows) => rows.length === 25)
  await press('Filters')
  const who = await screen.findByLabelText('Who')
  const offered = ['Any', 'own@yard.example', 'pat@yard.example', 'Tributary']
  await waitFor(() =>
    expect(
      within(who)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(offered),
  )
  fireEvent.change(who, { target: { value: 'nobody' } })
  await rowsOf('Activity', (rows) => rows.length === 1 && rows[0]?.[1] === 'Tributary')
  expect(app.address()).toBe('/account-profile?personId=nobody&tab=activity')
})

test('says that a filter leaves nothing', async () => {
  openApp(world, person, `${path}&to=1999-12-31`)
  expect(await screen.findByText('Nothing of this kind has happened.')).toBeTruthy()
  await waitFor(() => expect(screen.getByText('0 actions')).toBeTruthy())
})

test('follows no filter that is none, and says so', async () => {
  openApp(world, person, `${path}&personId=ann`)
  expect(
    await screen.findByText(/In the address, personId=ann must be the number of an account/),
  ).toBeTruthy()
  await rowsOf('Activity', (rows) => rows.length === 25)
})
