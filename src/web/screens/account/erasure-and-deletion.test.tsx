import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { password } from '#test/api/test-app.ts'
import { run as query } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addCustomer, addOneOfEverything } from '#test/store/seed.ts'
import { openApp } from '#test/web/open-app.tsx'

let world: TestWorld
let owner: Person
let subscriptionId = ''
let customerId = ''
beforeAll(async () => {
  world = await newWorld()
  owner = await world.person({ organization: 'Grove' })
  await addOneOfEverything(world.deps, owner.organizationId, 'Birch')
  const [row] = await query<{ id: string; customerId: string }>(
    world.ownerUrl,
    `select s.id, c.id as "customerId" from subscriptions s join customers c on c.organization_id = s.organization_id and c.id = s.customer_id
      where s.quantity is not null and c.name is not null limit 1`,
  )
  subscriptionId = row?.id ?? ''
  customerId = row?.customerId ?? ''
})
afterAll(() => world.close())

const setRole = (role: string) =>
  query(world.ownerUrl, 'update member set role = $1 where "userId" = $2', [role, owner.userId])
const button = (name: string) => screen.findByRole('button', { name })

test('privacy leads to the customers, each of whom an owner can erase, and a member cannot', async () => {
  openApp(world, owner, '/account-profile?tab=privacy')
  const where = await screen.findByText(/To erase a person, open the customer in/)
  expect(within(where).getByRole('link', { name: 'Customers' }).getAttribute('href')).toBe('/customers')
  cleanup()
  openApp(world, owner, `/customers/${customerId}`)
  fireEvent.click(await button('More actions for the customer'))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Erase this person' }))
  const dialog = await screen.findByRole('dialog', { name: 'Erase this person' })
  expect(dialog.textContent).toContain('Amounts stay under a pseudonym')
  cleanup()
  await setRole('member')
  openApp(world, owner, `/customers/${customerId}`)
  fireEvent.click(await button('More actions for the customer'))
  await screen.findByRole('menuitem', { name: 'Change company' })
  expect(screen.queryByRole('menuitem', { name: 'Erase this person' })).toBeNull()
  await setRole('owner')
})

test('whoever is deleted in Stripe is erased only after a question that counts them', async () => {
  await query(world.ownerUrl, 'update customers set is_deleted = true where id = $1', [customerId])
  openApp(world, owner, '/account-profile?tab=privacy')
  const shownSwitch = () => screen.findByRole<HTMLInputElement>('switch', { name: /deleted in Stripe/ })
  fireEvent.click(await shownSwitch())
  const dialog = await screen.findByRole('dialog', { name: 'Erase whoever is deleted in Stripe' })
  expect(dialog.textContent).toContain('1 customer is deleted in Stripe now')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  expect((await shownSwitch()).checked).toBe(false)
  fireEvent.click(await shownSwitch())
  fireEvent.click(await button('Erase for good'))
  await waitFor(async () => expect((await shownSwitch()).checked).toBe(true))
  // Off again without a question: it erases nothing.
  fireEvent.click(await shownSwitch())
  await waitFor(async () => expect((await shownSwitch()).checked).toBe(false))
  await query(world.ownerUrl, 'update customers set is_deleted = false where id = $1', [customerId])
})

test.each([
  ['a customer', () => `/customers/${customerId}`],
  ['a subscription', () => `/subscriptions/${subscriptionId}`],
])('the menu of %s leads to the dialog that changes its company, once', async (_, path) => {
  const app = openApp(world, owner, path())
  fireEvent.click(await button('More actions for the customer'))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Change company' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Review Match' }))
  await dialog.findByRole('button', { name: 'Unlink' })
  expect(app.address()).toBe(`/match-review?search=${customerId}&state=linked`)
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Customer 1 of 1'))
  fireEvent.keyDown(document.body, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('nobody is erased before the question names who, and it can ask again', async () => {
  let isDown = true
  const fetch: Person['fetch'] = (input, init) =>
    isDown && String(input).endsWith('/erasure-question')
      ? Promise.reject(new TypeError('Failed to fetch'))
      : owner.fetch(input, init)
  openApp(world, { ...owner, fetch }, `/customers/${customerId}`)
  fireEvent.click(await button('More actions for the customer'))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Erase this person' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Erase this person' }))
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Erase for good' })
  expect(confirm.disabled).toBe(true)
  await dialog.findByText('Who is erased could not be read')
  expect(confirm.disabled).toBe(true)
  isDown = false
  fireEvent.click(dialog.getByRole('button', { name: 'Try again' }))
  await dialog.findByText(/, and no other customer$/)
  expect(confirm.disabled).toBe(false)
})

test('a person is erased from the page of a subscription, and the certificate is where it says', async () => {
  await inOrganization(world.deps.database, owner.organizationId, (tenant) =>
    addCustomer(tenant, { id: 'cus_same', name: 'Birch Two', email: 'BIRCH@shop.test' }),
  )
  openApp(world, owner, `/subscriptions/${subscriptionId}`)
  fireEvent.click(await button('More actions for the customer'))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Erase this person' }))
  const dialog = await screen.findByRole('dialog', { name: 'Erase this person' })
  expect(dialog.textContent).toContain('Amounts stay under a pseudonym')
  const [who] = await query<{ text: string }>(
    world.ownerUrl,
    "select concat_ws(', ', name, email) as text from customers where id = $1",
    [customerId],
  )
  await within(dialog).findByText(`${who?.text}, and 1 other customer with this email address`)
  await within(dialog).findByText(/^This cannot be taken back\. Records in HubSpot keep the name until/)
  fireEvent.click(within(dialog).getByRole('button', { name: 'Erase for good' }))
  fireEvent.click(await screen.findByRole('link', { name: 'See the certificate' }))
  const [certificate = document.body] = await screen.findAllByRole('region', {
    name: /^Erased customer [0-9a-f]{10}$/,
  })
  expect(certificate.textContent).toContain('Erased on request')
  const link = within(certificate).getByRole('link', { name: 'Download certificate' })
  expect(link.getAttribute('href')).toMatch(/^\/api\/erasures\/[0-9a-f]{32}\/certificate$/)
})

test('the only owner of an organization learns why their account stays before they type anything', async () => {
  openApp(world, owner, '/account-profile')
  const reason = 'You are the only owner of Grove. Transfer the ownership or delete the organization first.'
  expect(await screen.findByText(reason)).toBeTruthy()
  fireEvent.click(await button('Delete my account'))
  expect(screen.queryByRole('dialog')).toBeNull()
  cleanup()
  await setRole('admin')
  openApp(world, owner, '/account-profile')
  fireEvent.click(await button('Delete my account'))
  await screen.findByRole('dialog', { name: 'Delete my account' })
  expect(screen.queryByText(reason)).toBeNull()
  await setRole('owner')
})

test('an owner deletes the organization only by its name and the password', async () => {
  openApp(world, owner, '/account-profile?tab=organization')
  const leave = await screen.findByRole<HTMLButtonElement>('button', { name: 'Leave organization' })
  expect(leave.disabled).toBe(true)
  expect(await screen.findByText(/^You are the only owner\./)).toBeTruthy()
  const ask = async () => {
    fireEvent.click(await button('Delete organization'))
    const dialog = await screen.findByRole('dialog', { name: 'Delete organization' })
    return { dialog, confirm: within(dialog).getByRole('button', { name: 'Delete for good' }) }
  }
  const type = (label: RegExp, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  const { dialog, confirm } = await ask()
  type(/^Your password/, 'a passphrase of nobody')
  type(/^Type the name/, 'Groves')
  expect(confirm.hasAttribute('disabled')).toBe(true)
  type(/^Type the name/, 'Grove')
  fireEvent.click(confirm)
  expect((await within(dialog).findByRole('alert')).textContent).toContain('The password is incorrect')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const again = await ask()
  expect(within(again.dialog).queryByRole('alert')).toBeNull()
  type(/^Type the name/, 'Grove')
  type(/^Your password/, password)
  fireEvent.click(again.confirm)
  await waitFor(async () => {
    const [row] = await query(world.ownerUrl, `select id from "organization" where name = 'Grove'`)
    expect(row).toBeUndefined()
  })
})
