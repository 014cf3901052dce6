// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { password } from '#test/api/test-app.ts'
import { run as query } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addOneOfEverything } from '#test/store/seed.ts'
import { openApp } from '#test/web/open-app.tsx'

let world: TestWorld
let owner: Person
let subscriptionId = ''
beforeAll(async () => {
  world = await newWorld()
  owner = await world.person({ organization: 'Grove' })
  await addOneOfEverything(world.deps, owner.organizationId, 'Birch')
  const [row] = await query<{ id: string }>(
    world.ownerUrl,
    `select s.id from subscriptions s join customers c on c.organization_id = s.organization_id and c.id = s.customer_id
      where s.quantity is not null and c.name is not null limit 1`,
  )
  subscriptionId = row?.id ?? ''
})
afterAll(() => world.close())

const button = (name: string) => screen.findByRole('button', { name })

test('a person is erased from the page of a subscription, and the certificate is where it says', async () => {
  openApp(world, owner, `/subscriptions/${subscriptionId}`)
  fireEvent.click(await button('More actions for the customer'))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Erase this person' }))
  const dialog = await screen.findByRole('dialog', { name: 'Erase this person' })
  expect(dialog.textContent).toContain('Amounts stay under a pseudonym')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Erase for good' }))
  fireEvent.click(await screen.findByRole('link', { name: 'See the certificate' }))
  const certificate = await screen.findByRole('region', { name: /^Erased customer [0-9a-f]{10}$/ })
  expect(certificate.textContent).toContain('Erased on request')
  const link = within(certificate).getByRole('link', { name: 'Download certificate' })
  expect(link.getAttribute('href')).toMatch(/^\/api\/erasures\/[0-9a-f]{32}\/certificate$/)
})

test('an owner deletes the organization only by its name and the password', async () => {
  openApp(world, owner, '/account-profile?tab=organization')
  const leave = await screen.findByRole<HTMLButtonElement>('button', { name: 'Leave organization' })
  expect(leave.disabled).toBe(true)
  expect(await screen.findByText(/^You are the only owner\./)).toBeTruthy()
  fireEvent.click(await button('Delete organization'))
  const dialog = await screen.findByRole('dialog', { name: 'Delete organization' })
  const confirm = within(dialog).getByRole('button', { name: 'Delete for good' })
  const type = (label: RegExp, value: string) =>
    fireEvent.change(within(dialog).getByLabelText(label), { target: { value } })
  type(/^Your password/, 'a passphrase of nobody')
  type(/^Type the name/, 'Groves')
  expect(confirm.hasAttribute('disabled')).toBe(true)
  type(/^Type the name/, 'Grove')
  fireEvent.click(confirm)
  expect((await within(dialog).findByRole('alert')).textContent).toContain('The password is incorrect')
  type(/^Your password/, password)
  fireEvent.click(confirm)
  await waitFor(async () => {
    const [row] = await query(world.ownerUrl, `select id from "organization" where name = 'Grove'`)
    expect(row).toBeUndefined()
  })
})
