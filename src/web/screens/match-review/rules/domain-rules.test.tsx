import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { enterprise } from '#test/push/open-bench.ts'
import { addCustomer, addSubscription } from '#test/store/seed.ts'
import { openApp, press, rowsOf } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld({
    crm: {
      portals: [{ hubId: enterprise, name: 'Yard', domain: 'yard.example', tier: 'enterprise' }],
      seedFrom: {
        companies: [
          { name: 'Twin One', domain: 'twin.example' },
          { name: 'Twin Two', domain: 'twin.example' },
          { name: 'Harbour Works', domain: 'harbour-works.example' },
        ],
        contacts: [],
      },
    },
  })
  // HubSpot's search finds companies after some seconds.
  await world.deps.sleep(10_000)
})
afterAll(() => world.close())

beforeEach(async () => {
  person = await world.person()
  await person.connectHubspot()
  await person.fetch('/api/settings/sync', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ syncSettings: { autoCreateContacts: false, autoCreateCompanies: false } }),
  })
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    for (const [id, name, email, cents] of [
      ['large', 'Large Twin', 'pat@twin.example', 9_000],
      ['lost', 'Lost Ltd', 'jo@lost.example', 5_000],
      ['small', 'Small Twin', 'kim@twin.example', 1_000],
    ] as const) {
      await addCustomer(tenant, { id: `cus_${id}`, name, email })
      await addSubscription(tenant, { id: `sub_${id}`, customer_id: `cus_${id}`, current_mrr_cents: cents })
    }
  })
  await person.post('/api/matches/run')
})

const review = async (name: string) => {
  await press(name)
  return within(await screen.findByRole('dialog', { name: 'Review Match' }))
}
const addTwin = async () => {
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addCustomer(tenant, { id: 'cus_middle', name: 'Middle Twin', email: 'ann@twin.example' })
    await addSubscription(tenant, {
      id: 'sub_middle',
      customer_id: 'cus_middle',
      current_mrr_cents: 7_000,
    })
  })
  await person.post('/api/matches/run')
}
const onlyLostWaits = () =>
  rowsOf('Match Review', (rows) => rows.length === 1 && rows[0]?.[0]?.startsWith('Lost Ltd') === true)

test('with the switch on, the choice counts for the whole domain and becomes a rule', async () => {
  const app = openApp(world, person, '/match-review')
  const dialog = await review('Large Twin')
  dialog.getByText(/^Accept attaches 1 record to 1 company in HubSpot/)
  fireEvent.click(dialog.getByLabelText(/^Always attach twin.example/))
  await dialog.findByText(
    /^Accept attaches 1 record, and 1 record of 1 more customer of its domain, to 1 company in HubSpot/,
  )
  dialog.getByText(/^1 more customer of this domain that waits now is attached too\./)
  fireEvent.click(dialog.getByRole('button', { name: 'Accept Twin One' }))
  await onlyLostWaits()
  await press('Rules')
  const rules = within(await screen.findByRole('dialog', { name: 'Domain Rules' }))
  await rules.findByText('twin.example')
  const change = rules.getByRole('button', { name: 'Change the rule for twin.example' })
  fireEvent.click(change)
  fireEvent.keyDown(rules.getByLabelText('Company for twin.example'), { key: 'Escape' })
  expect(document.activeElement).toBe(change)
  fireEvent.click(change)
  const field = rules.getByLabelText('Company for twin.example')
  expect(document.activeElement).toBe(field)
  await rules.findByLabelText('Move 2 customers of this domain from Twin One, too')
  fireEvent.change(field, { target: { value: 'harbour w' } })
  fireEvent.click(await rules.findByRole('button', { name: 'Choose Harbour Works' }))
  await waitFor(() => expect(document.activeElement).toBe(change))
  await rules.findByRole('link', { name: /^Harbour Works/ })
  await app.told(
    'twin.example always belongs to Harbour Works from now on; 0 customers attached; 2 customers stay with Twin One.',
  )
})

test('a domain can be said to tell nothing, which becomes a rule as well', async () => {
  openApp(world, person, '/match-review')
  const dialog = await review('Large Twin')
  fireEvent.click(dialog.getByRole('button', { name: 'Never match twin.example' }))
  await dialog.findByText('Customer 2 of 3')
  await screen.findByRole('button', { name: 'Undo' })
  fireEvent.keyDown(document.body, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Review Match' })).toBeNull())
  await press('Rules')
  const rules = within(await screen.findByRole('dialog', { name: 'Domain Rules' }))
  await rules.findByText('twin.example')
  rules.getByText('Never matched by the domain')
  fireEvent.keyDown(document.body, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Domain Rules' })).toBeNull())
  fireEvent.keyDown(document.body, { key: 'u' })
  await screen.findByText('The rule for twin.example has ended.')
})

test('after a choice for a whole domain, the dialog leads to the next customer that still waits', async () => {
  await addTwin()
  openApp(world, person, '/match-review')
  const dialog = await review('Large Twin')
  await dialog.findByText('Customer 1 of 4')
  fireEvent.click(dialog.getByLabelText(/^Always attach twin.example/))
  fireEvent.click(dialog.getByRole('button', { name: 'Accept Twin One' }))
  await dialog.findByText('Lost Ltd')
  await dialog.findByText('Customer 1 of 1')
  expect(dialog.queryByText('No longer in this list')).toBeNull()
})

test('the dialog closes where a choice for a whole domain leaves nobody in the list', async () => {
  await addTwin()
  openApp(world, person, '/match-review?state=several_candidates')
  const dialog = await review('Middle Twin')
  await dialog.findByText('Customer 2 of 3')
  fireEvent.click(dialog.getByLabelText(/^Always attach twin.example/))
  fireEvent.click(dialog.getByRole('button', { name: 'Accept Twin One' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Review Match' })).toBeNull())
})

test('a domain that is never matched at the end of a page leads on to the next page', async () => {
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    for (const [number, cents] of [...Array(7).fill(2_000), 500].entries()) {
      await addCustomer(tenant, {
        id: `cus_${number}`,
        name: `Waiting ${number}`,
        email: `a@w${number}.example`,
      })
      await addSubscription(tenant, {
        ...{ id: `sub_${number}`, customer_id: `cus_${number}` },
        current_mrr_cents: cents,
      })
    }
  })
  await person.post('/api/matches/run')
  openApp(world, person, '/match-review')
  const dialog = await review('Small Twin')
  await dialog.findByText('Customer 10 of 11')
  fireEvent.click(dialog.getByRole('button', { name: 'Never match twin.example' }))
  await dialog.findByText('Waiting 7')
  await dialog.findByText('Customer 11 of 11')
})

test('a domain that is never matched leads past the customers that it takes off their company', async () => {
  await addTwin()
  const found = await (await person.fetch('/api/matches/companies?query=twin')).json()
  const [{ companyRecordId }] = found.companies
  await person.post('/api/matches/cus_large/link', { companyRecordId, alwaysForDomain: true })
  await person.post('/api/matches/cus_lost/link', { companyRecordId })
  openApp(world, person, '/match-review?state=linked')
  const dialog = await review('Large Twin')
  await dialog.findByText('Customer 1 of 4')
  fireEvent.click(dialog.getByRole('button', { name: 'Never match twin.example' }))
  await dialog.findByText('Lost Ltd')
  await dialog.findByText('Customer 2 of 2')
})

test('a rule is removed only after a question that says what follows', async () => {
  const app = openApp(world, person, '/match-review')
  const dialog = await review('Large Twin')
  fireEvent.click(dialog.getByLabelText(/^Always attach twin.example/))
  fireEvent.click(dialog.getByRole('button', { name: 'Accept Twin One' }))
  await onlyLostWaits()
  await press('Rules')
  const rules = within(await screen.findByRole('dialog', { name: 'Domain Rules' }))
  const ask = async () => {
    fireEvent.click(await rules.findByRole('button', { name: 'Remove the rule for twin.example' }))
    return within(await screen.findByRole('dialog', { name: 'Remove the rule for twin.example' }))
  }
  const isAnswered = () =>
    waitFor(() =>
      expect(screen.queryByRole('dialog', { name: 'Remove the rule for twin.example' })).toBeNull(),
    )
  const question = await ask()
  question.getByText(/^New customers of twin\.example are no longer attached to Twin One by the rule\./)
  // Escape answers the question alone, so that the rules stay.
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
  await isAnswered()
  rules.getByText('twin.example')
  fireEvent.click((await ask()).getByRole('button', { name: 'Remove' }))
  await app.told('The rule for twin.example was removed.')
  await isAnswered()
  await rules.findByText(/No rules yet/)
})

test('that a rule could not be removed is said in the question, which stays', async () => {
  await person.post('/api/matches/rules', { domain: 'twin.example', companyRecordId: null })
  openApp(world, person, '/match-review')
  await press('Rules')
  await press('Remove the rule for twin.example')
  const question = within(await screen.findByRole('dialog', { name: 'Remove the rule for twin.example' }))
  question.getByText(/^Customers of twin\.example that wait are matched by the domain again/)
  await person.post('/api/matches/rules/remove', { domain: 'twin.example' })
  fireEvent.click(question.getByRole('button', { name: 'Remove' }))
  expect((await question.findByRole('alert')).textContent).toContain('There is no rule for this domain.')
})
