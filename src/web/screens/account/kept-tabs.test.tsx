import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordAudit } from '#server/store/accounts/audit.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { openApp } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
})
afterAll(() => world.close())

const tab = async (name: string) => fireEvent.click(await screen.findByRole('tab', { name }))
const inRegion = async (name: string) => within(await screen.findByRole('region', { name }))
const field = async (region: string, label: RegExp) =>
  (await inRegion(region)).findByLabelText<HTMLInputElement>(label, { selector: 'input' })
const type = async (region: string, label: RegExp, value: string) =>
  fireEvent.change(await field(region, label), { target: { value } })

test('what is typed in a tab is there when the tab is opened again', async () => {
  openApp(world, person, '/account-profile')
  await type('Profile', /^Name/, 'Pat Unsaved')
  await tab('Organization')
  await type('Invitations', /^Email address/, 'mara@friends.example')
  await type('Organization profile', /^Organization name/, 'Unsaved Yard')
  await tab('Activity')
  await inRegion('Activity')
  await tab('Organization')
  expect((await field('Invitations', /^Email address/)).value).toBe('mara@friends.example')
  expect((await field('Organization profile', /^Organization name/)).value).toBe('Unsaved Yard')
  await tab('Personal Profile')
  expect((await field('Profile', /^Name/)).value).toBe('Pat Unsaved')
})

test('a tab that is hidden is not read, and is read again when it is opened again', async () => {
  const asked: string[] = []
  const fetch: Person['fetch'] = (input, init) => {
    asked.push(new URL(String(input), 'http://page.test').pathname)
    return person.fetch(input, init)
  }
  const app = openApp(world, { ...person, fetch }, '/account-profile')
  await inRegion('Delete my account')
  expect(asked).not.toContain('/api/audit/activity')
  await tab('Activity')
  const region = await inRegion('Activity')
  await region.findByText(/^\d+ actions?$/)
  expect(asked).toContain('/api/audit/activity')
  await tab('Personal Profile')
  const panel = document.querySelector<HTMLElement>('[role="tabpanel"]:has([aria-label="Activity"])')
  expect(panel?.style.display).toBe('none')
  asked.length = 0
  await app.poll()
  expect(asked).toContain('/api/identity/sessions')
  expect(asked).not.toContain('/api/audit/activity')
  await inOrganization(world.deps.database, person.organizationId, (tenant) =>
    recordAudit(tenant, null, { action: 'member_invited', subject: 'mara@friends.example' }),
  )
  await tab('Activity')
  await waitFor(async () => expect((await inRegion('Activity')).getAllByText(/mara@friends/)).not.toEqual([]))
})
