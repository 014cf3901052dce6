import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
          {
            ...{ name: 'Ember tools LLC', domain: 'ember.example', dealCount: 1 },
            createdAt: Date.parse('2024-03-03T09:30:00Z'),
            lastActivityAt: Date.parse('2025-11-02T09:30:00Z'),
          },
          {
            ...{ name: 'Ember tools LLC', domain: 'ember-tools.example', additionalDomains: ['ember.test'] },
            createdAt: Date.parse('2025-05-12T23:30:00Z'),
          },
          { name: 'Willow energy LLC', domain: 'willow.example' },
        ],
        contacts: ['ann', 'bob'].map((name) => ({
          email: `${name}@elsewhere.example`,
          companyDomain: 'ember.example',
        })),
      },
    },
  })
  person = await world.person()
  await person.connectHubspot()
  await person.fetch('/api/settings/sync', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ syncSettings: { autoCreateCompanies: false } }),
  })
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    for (const [id, cents, who] of [
      ['ember', 9_000, { name: 'Ember tools LLC' }],
      ['willow', 1_000, { name: 'Willow energy B.V.' }],
      ['nameless', 500, { name: '', email: 'finance.301@us.northgate-group.example' }],
    ] as const) {
      await addCustomer(tenant, { id: `cus_${id}`, ...who })
      await addSubscription(tenant, { id: `sub_${id}`, customer_id: `cus_${id}`, current_mrr_cents: cents })
    }
  })
  await person.post('/api/matches/run')
  // HubSpot's search finds companies after some seconds.
  await world.deps.sleep(10_000)
})
afterAll(() => world.close())

const textOf = (element: Element | null) => element?.textContent.replaceAll('\u00a0', ' ')
const describedBy = (element: Element) =>
  textOf(document.getElementById(element.getAttribute('aria-describedby') ?? ''))

const companyNames = () =>
  world.hubspot
    .portal(enterprise)
    .records('0-2')
    .map(({ properties }) => properties['name'])

async function review(name: string) {
  openApp(world, person, '/match-review')
  await press(name)
  return within(await screen.findByRole('dialog', { name: 'Review Match' }))
}

test('candidates of one name are told apart by what HubSpot says of them, and why they are suggested is said', async () => {
  openApp(world, person, '/match-review')
  const [row] = await rowsOf('Match Review', (found) => found.length === 3)
  const [best, double] = [
    'Created Mar 3, 2024 · 2 contacts · 1 deal · Last activity Nov 2, 2025',
    'Created May 12, 2025',
  ]
  expect(row?.[2]?.replaceAll('\u00a0', ' ')).toBe(
    `Ember tools LLC  (opens in a new tab)ember.example${best}or Ember tools LLC, ember-tools.example, ember.test${double}Accept`,
  )
  expect(row?.[3]).toBe('The customer has no email in Stripe.The company has the same name.')
  await press('Ember tools LLC')
  const candidates = within(await screen.findByRole('region', { name: 'Candidates' }))
  const accepts = candidates.getAllByRole('button', { name: 'Accept Ember tools LLC' })
  const known = [`ember.example${best}`, `ember-tools.example, ember.test${double}`]
  expect(accepts.map(describedBy)).toEqual(known)
  const shown = candidates.getAllByText('It has the same name.').map((one) => textOf(one.parentElement))
  expect(shown).toEqual(
    known.map((facts) => `Ember tools LLC  (opens in a new tab)${facts}It has the same name.`),
  )
})

test('what is typed for a customer is there when it is shown again, until the dialog closes', async () => {
  const dialog = await review('Ember tools LLC')
  const fields = ['Create a company', 'Choose another company', 'Choose a company']
  const typed = () =>
    fields.flatMap((name) => dialog.queryAllByLabelText<HTMLInputElement>(name)).map(({ value }) => value)
  const suggested = typed()
  const change = (name: string, value: string) =>
    fireEvent.change(dialog.getByLabelText(name), { target: { value } })
  change('Create a company', 'Ember Tools Holding')
  change('Choose another company', 'ember-tools.example')
  fireEvent.click(dialog.getByRole('button', { name: 'Next' }))
  await dialog.findByText('Customer 2 of 3')
  expect(typed()).not.toContain('Ember Tools Holding')
  fireEvent.click(dialog.getByRole('button', { name: 'Previous' }))
  await dialog.findByText('Customer 1 of 3')
  expect(typed()).toEqual(['Ember Tools Holding', 'ember-tools.example'])
  fireEvent.keyDown(document.body, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await press('Ember tools LLC')
  await screen.findByRole('dialog', { name: 'Review Match' })
  expect(screen.getByLabelText('Create a company')).toHaveProperty('value', suggested[0])
})

test('a company with another legal form is found at once, and no key makes its double', async () => {
  const dialog = await review('Willow energy B.V.')
  const choice = await dialog.findByRole('button', { name: 'Choose Willow energy LLC' })
  const before = companyNames()
  fireEvent.keyDown(choice, { key: 'c' })
  expect(dialog.queryByText('create the company')).toBeNull()
  const field = dialog.getByLabelText('Create a company')
  expect(field).toHaveProperty('value', 'Willow energy B.V.')
  expect(document.activeElement).toBe(field)
  expect(companyNames()).toEqual(before)
})

test('a customer without a name is called by its email, which breaks between words', async () => {
  openApp(world, person, '/match-review')
  const name = await screen.findByRole('button', { name: 'finance.301@us.northgate-group.example' })
  expect(name.innerHTML).toBe('finance<wbr>.301@<wbr>us<wbr>.northgate-group.example')
  expect(name.parentElement?.textContent).toBe('finance.301@us.northgate-group.exampleNo name')
})

test('where no company was found, a key makes a new one', async () => {
  const dialog = await review('finance.301@us.northgate-group.example')
  await dialog.findByText('create the company')
  fireEvent.keyDown(dialog.getByRole('button', { name: 'Create in HubSpot' }), { key: 'c' })
  await waitFor(() => expect(companyNames()).toContain('northgate-group.example'))
})

test('a refusal that shows first in the search counts at once', async () => {
  const revoked = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ hubId: enterprise }),
  }
  await world.hubspot.fetch(new Request('http://hubspot.example/_control/revoke-app', revoked))
  const app = openApp(world, person, '/match-review')
  await press('Ember tools LLC')
  const dialog = within(await screen.findByRole('dialog', { name: 'Review Match' }))
  fireEvent.change(dialog.getByLabelText('Choose another company'), { target: { value: 'Ember' } })
  const strip = await dialog.findByRole('note', { name: 'HubSpot refuses the connection' })
  expect(strip.closest('[role=status]')).not.toBeNull()
  expect(dialog.getByRole('button', { name: 'Create in HubSpot' })).toHaveProperty('disabled', true)
  fireEvent.keyDown(dialog.getByRole('button', { name: 'Ignore Customer' }), { key: 'i' })
  await app.told(/nothing can be decided until it is connected again/)
  // Its line stays, and is empty.
  const [effect] = dialog.getAllByText(/^Accept attaches .+ with the next sync\b.+$/)
  expect(effect?.style.visibility).toBe('hidden')
  expect(document.body.textContent).toContain('HubSpot follows')
  expect(document.body.textContent).not.toContain('once HubSpot is connected again')
  fireEvent.keyDown(strip, { key: 'Escape' })
  await waitFor(() => expect(document.body.textContent).not.toContain('HubSpot follows'))
})
