import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { run } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addCustomer, addEvent, addSubscription } from '#test/store/seed.ts'
import { openApp } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
let plain: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  plain = await world.person()
  for (const { organizationId, currency } of [
    { organizationId: person.organizationId, currency: 'eur' },
    { organizationId: plain.organizationId, currency: 'usd' },
  ])
    await inOrganization(world.deps.database, organizationId, async (tenant) => {
      await addCustomer(tenant, { id: 'cus_1', name: 'Birch Press' })
      await addSubscription(tenant, { id: 'sub_1', current_mrr_cents: 100_000 })
      await addSubscription(tenant, { id: 'sub_2', currency, current_mrr_cents: 10_000 })
      const amounts = { previous_mrr_cents: 0, current_mrr_cents: 10_000, mrr_change_cents: 10_000 }
      await addEvent(tenant, { id: 'ev_2', subscription_id: 'sub_2', currency, ...amounts })
    })
  await run(
    world.ownerUrl,
    `update organization_settings set reporting_currency = 'usd', is_reporting_decided = true`,
  )
})
afterAll(() => world.close())

const card = async () => within(await screen.findByRole('region', { name: 'Reporting Currency' }))

async function choose(text: string) {
  const file = new File([text], 'rates.csv', { type: 'text/csv' })
  const input = document.querySelector('input[type="file"]')
  if (!input) throw new Error('there is no input for a file')
  fireEvent.change(input, { target: { files: [file] } })
}

test('an organization with one currency sees nothing of it', async () => {
  openApp(world, plain, '/account-profile?tab=organization')
  await screen.findByRole('region', { name: 'Members' })
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Reporting Currency' })).toBeNull())
})

test('what a total does not include leads to the rates', async () => {
  const led = vi.spyOn(Element.prototype, 'scrollIntoView')
  openApp(world, person, '/')
  fireEvent.click(await screen.findByRole('button', { name: /^Not included: / }))
  fireEvent.click(await screen.findByText('Exchange rates of the organization'))
  await card()
  await waitFor(() =>
    expect(led.mock.contexts).toContain(screen.getByRole('region', { name: 'Reporting Currency' })),
  )
  led.mockRestore()
})

test('a file that cannot be used is refused with its reason, and changes nothing', async () => {
  openApp(world, person, '/account-profile?tab=organization')
  const shown = await card()
  expect(shown.getByText(/No rate is known for EUR/)).toBeTruthy()
  expect(shown.getByRole('radio', { name: 'As booked' })).toHaveProperty('checked', true)
  expect(shown.getByText(/stays \$110, whatever the euro does/)).toBeTruthy()
  expect(shown.getByText(/has not read the European Central Bank's rates yet/)).toBeTruthy()
  await choose('Date,USD,\n2026-05-19,0,\n')
  expect(await shown.findByText('Line 2, USD: a rate has to be above 0, not 0.')).toBeTruthy()
  const [kept] = await run<{ n: number }>(world.ownerUrl, 'select count(*)::int as n from organization_rates')
  expect(kept?.n).toBe(0)
})

test('a file of rates brings the other currency into the totals, with its rate on each row', async () => {
  openApp(world, person, '/account-profile?tab=organization')
  const shown = await card()
  await choose('Date,USD,JPY,\n2026-04-30,1.1,168.03,\n2026-04-29,1.2,168.03,\n')
  expect(await shown.findByText('1.1 USD/EUR, ECB')).toBeTruthy()
  const [event] = await run<{ cents: number; rate: string }>(
    world.ownerUrl,
    `select reporting_change_cents::int as cents, reporting_rate as rate from events
      where organization_id = ${person.organizationId}`,
  )
  expect(event).toEqual({ cents: 11_000, rate: 'at 1.1 USD/EUR of 2026-04-30, ECB' })
  openApp(world, person, '/subscriptions')
  const [button] = await screen.findAllByRole('button', {
    name: /€100\.00, \$110\.00 at 1\.1 USD\/EUR of 2026-04-30/,
  })
  expect(button).toBeTruthy()
})

test('amounts are revalued when a person chooses so', async () => {
  openApp(world, person, '/account-profile?tab=organization')
  const shown = await card()
  const method = async () => {
    const [kept] = await run<{ method: string }>(
      world.ownerUrl,
      `select conversion_method as method from organization_settings where organization_id = ${person.organizationId}`,
    )
    return kept?.method
  }
  const ask = async () => {
    fireEvent.click(shown.getByRole('radio', { name: 'Revalued' }))
    return within(await screen.findByRole('dialog', { name: 'Count all amounts again' }))
  }
  const dialog = await ask()
  expect(dialog.getByText(/are counted again, for everybody in the organization/)).toBeTruthy()
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect([await method(), shown.getByRole('radio', { name: 'As booked' })]).toMatchObject([
    'booked',
    { checked: true },
  ])
  fireEvent.click((await ask()).getByRole('button', { name: 'Count again' }))
  await waitFor(async () => expect(await method()).toBe('revalued'))
  await waitFor(() => expect(shown.getByRole('radio', { name: 'Revalued' })).toHaveProperty('checked', true))
})

test('totals say so while amounts wait to be converted', async () => {
  await run(
    world.ownerUrl,
    `update conversions set requested = done + 1 where organization_id = ${person.organizationId}`,
  )
  openApp(world, person, '/mrr-analytics')
  expect(await screen.findByText(/Until then totals mix the old and the new/)).toBeTruthy()
})
