import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld, type Visitor } from '#test/harness.ts'
import { enterprise } from '#test/push/open-bench.ts'
import { addCustomer, addSubscription } from '#test/store/seed.ts'
import { openApp, press, rowsOf } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
/** All tests share one portal, so a company of one test must not fit a customer of the next. */
let lostDomain = ''
let count = 0
beforeAll(async () => {
  world = await newWorld()
  await make({ name: 'Twin One', domain: 'twin.example' })
  await make({ name: 'Twin Two', domain: 'twin.example' })
  await make({ name: 'Harbour Works', domain: 'harbour-works.example' })
  // HubSpot's search finds them after some seconds.
  await world.deps.sleep(10_000)
})
afterAll(() => world.close())

async function make(properties: Record<string, string>): Promise<void> {
  const answer = await world.hubspot.fetch(
    new Request('http://hubspot.test/_control/create', {
      method: 'POST',
      body: JSON.stringify({ hubId: enterprise, type: '0-2', properties }),
    }),
  )
  if (!answer.ok) throw new Error(await answer.text())
}

beforeEach(async () => {
  person = await world.person()
  lostDomain = `lost-${++count}.example`
  await person.connectHubspot()
  await person.connectStripe()
  const body = JSON.stringify({ syncSettings: { autoCreateContacts: false, autoCreateCompanies: false } })
  const headers = { 'content-type': 'application/json' }
  await person.fetch('/api/settings/sync', { method: 'PUT', headers, body })
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    const customers = [
      ['small', 'Small Twin', 'kim@twin.example', 1_000],
      ['large', 'Large Twin', 'pat@twin.example', 9_000],
      ['lost', 'Lost Ltd', `jo@${lostDomain}`, 5_000],
    ] as const
    for (const [id, name, email, cents] of customers) {
      await addCustomer(tenant, { id: `cus_${id}`, name, email })
      await addSubscription(tenant, {
        id: `sub_${id}`,
        customer_id: `cus_${id}`,
        current_mrr_cents: cents,
      })
    }
  })
  await person.post('/api/matches/run')
})
const find = 'Find or create'
const names = (rows: string[][]) => rows.map(([name]) => /^(Lost Ltd|\w+ Twin)/.exec(name ?? '')?.[0])
const shown = async (expected: string[]) =>
  names(await rowsOf('Match Review', (rows) => names(rows).join() === expected.join()))
const review = async (name: string) => {
  await press(name)
  return within(await screen.findByRole('dialog', { name: 'Review Match' }))
}

/** Each with the day on which HubSpot made it. */
const twins = expect.stringMatching(
  /^Twin One {2}\(opens in a new tab\)twin\.exampleCreated.*or Twin TwoCreated.*Accept$/,
)

test('customers that wait come by MRR, each with its reason in words', async () => {
  openApp(world, person, '/match-review')
  const rows = await rowsOf('Match Review', (found) => found.length === 3)
  expect(rows).toEqual([
    ['Large Twinpat@twin.example', '$90.00', twins, 'Several companies fit.'],
    [`Lost Ltdjo@${lostDomain}`, '$50.00', find, 'No company in HubSpot has this contact or domain.'],
    ['Small Twinkim@twin.example', '$10.00', twins, 'Several companies fit.'],
  ])
})

test('an address to put right, and what is missing beside it, is told in words', async () => {
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    const customers = [
      ['con', 'Northwind', 'ann@northwind.con', 800],
      ['slip', 'Zoe', 'zoe@gmial.com', 700],
      ['sister', 'none', 'pay@finance.harbour-works.example', 600],
      ['doubtful', 'Quick', 'pay@quickmail.example', 500],
    ] as const
    for (const [id, name, email, cents] of customers) {
      await addCustomer(tenant, { id: `cus_${id}`, name, email })
      await addSubscription(tenant, { id: `sub_${id}`, customer_id: `cus_${id}`, current_mrr_cents: cents })
    }
  })
  await person.post('/api/matches/run')
  openApp(world, person, '/match-review')
  const rows = await rowsOf('Match Review', (found) => found.length === 7)
  expect(rows.slice(3).map((row) => row.slice(2))).toEqual([
    [find, 'The address ann@northwind.con ends in .con, which is no top-level domain. Correct it in Stripe.'],
    [
      find,
      'The address zoe@gmial.com looks like a slip of the pen for gmail.com. Correct it in Stripe, or choose the company if it is right.',
    ],
    [
      'Harbour Works  (opens in a new tab)harbour-works.exampleAccept',
      'No company has the exact domain of the email, but one has a related domain.',
    ],
    [find, 'The domain may be that of a mail provider, so no company was created for it.'],
  ])
  const dialog = await review('none')
  dialog.getByText('It has a related domain, but not that of the email.')
  expect(dialog.getByLabelText('Create a company')).toHaveProperty('value', 'harbour-works.example')
})

test('a candidate is accepted, and the meter of the header rises', async () => {
  const app = openApp(world, person, '/match-review')
  await screen.findByRole('link', { name: '0% of MRR matched' })
  const dialog = await review('Large Twin')
  expect(dialog.getAllByText('It has the domain of the email.')).toHaveLength(2)
  fireEvent.click(dialog.getByRole('button', { name: 'Accept Twin Two' }))
  expect(await shown(['Lost Ltd', 'Small Twin'])).toHaveLength(2)
  await screen.findByRole('link', { name: '60% of MRR matched' })
  await app.goTo('/match-review?state=linked')
  expect(await screen.findByText('Chosen by Pat Yard.')).toBeTruthy()
})

test('the best candidate is accepted in its row, which shows the saving, and Undo takes the last one back', async () => {
  const { promise: saved, resolve: save } = Promise.withResolvers<void>()
  let sent = 0
  const fetch: Visitor['fetch'] = async (input, init) => {
    if (init?.method !== 'POST' || !String(input).endsWith('/decisions')) return person.fetch(input, init)
    sent += 1
    await saved
    return person.fetch(input, init)
  }
  openApp(world, { fetch }, '/match-review')
  for (const name of ['Large', 'Small', 'Small']) await press(`Accept Twin One for ${name} Twin`)
  for (const name of ['Large', 'Small']) {
    const button = screen.getByRole('button', { name: `Accept Twin One for ${name} Twin` })
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'))
    expect(isOff(button)).toBe(true)
  }
  expect(sent).toBe(1)
  save()
  await shown(['Lost Ltd'])
  expect(sent).toBe(2)
  await screen.findByText('Saved for Small Twin')
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await shown(['Lost Ltd', 'Small Twin'])
  await screen.findByText(/^Small Twin is as before\./)
})

test('Undo after a decision of somebody else says so and changes nothing', async () => {
  openApp(world, person, '/match-review')
  fireEvent.click(await screen.findByRole('button', { name: 'Accept Twin One for Large Twin' }))
  const undo = await screen.findByRole('button', { name: 'Undo' })
  await person.post('/api/matches/cus_large/unlink')
  fireEvent.click(undo)
  await screen.findAllByText(/has decided about Large Twin since\. Nothing was undone\./)
  expect(await screen.findByText('Unlinked by Pat Yard.')).toBeTruthy()
})

test('the last step of the wizard leads here', async () => {
  const app = openApp(world, person, '/setup/finish')
  const link = await screen.findByRole('link', { name: '3 records need review in the match queue' })
  fireEvent.click(link)
  await rowsOf('Match Review', (found) => found.length === 3)
  expect(app.address()).toBe('/match-review')
})

test('another company is searched for in HubSpot and chosen', async () => {
  openApp(world, person, '/match-review')
  const dialog = await review('Lost Ltd')
  fireEvent.change(dialog.getByLabelText('Choose a company'), { target: { value: 'harbour w' } })
  fireEvent.click(await dialog.findByRole('button', { name: 'Choose Harbour Works' }))
  await shown(['Large Twin', 'Small Twin'])
})

test('a company is created for a customer that has none', async () => {
  openApp(world, person, '/match-review')
  const dialog = await review('Lost Ltd')
  fireEvent.click(dialog.getByRole('button', { name: 'Create in HubSpot' }))
  await shown(['Large Twin', 'Small Twin'])
  const companies = world.hubspot.portal(enterprise).records('0-2')
  expect(companies.map(({ properties }) => properties['name'])).toContain('Lost Ltd')
})

test('a customer is ignored, found among the ignored, and reviewed again', async () => {
  const app = openApp(world, person, '/match-review')
  const dialog = await review('Small Twin')
  fireEvent.click(dialog.getByRole('button', { name: 'Ignore Customer' }))
  await shown(['Large Twin', 'Lost Ltd'])
  fireEvent.change(await screen.findByLabelText('Show'), { target: { value: 'ignored' } })
  await shown(['Small Twin'])
  expect(app.address()).toBe('/match-review?state=ignored')
  fireEvent.click((await review('Small Twin')).getByRole('button', { name: 'Review Again' }))
  await screen.findByText('No customer is ignored.')
})

test('an attached customer is taken off its company again', async () => {
  await person.post('/api/matches/cus_lost/create', { companyName: 'Lost Again' })
  openApp(world, person, '/match-review?state=linked')
  expect(await rowsOf('Match Review', (rows) => rows.length === 1)).toMatchObject([
    [`Lost Ltdjo@${lostDomain}`, '$50.00', expect.stringContaining('Lost Again'), expect.any(String)],
  ])
  fireEvent.click((await review('Lost Ltd')).getByRole('button', { name: 'Unlink' }))
  await screen.findByText('No customer is attached to a company yet.')
})

test('a decision that came too late says so and shows the list as it is', async () => {
  openApp(world, person, '/match-review')
  const dialog = await review('Small Twin')
  await person.post('/api/matches/cus_small/ignore')
  fireEvent.click(dialog.getByRole('button', { name: 'Ignore Customer' }))
  const told = await screen.findAllByText(
    /^Small Twin: .+ has ignored this customer in the meantime\. Find it under Show: Ignored\./,
  )
  expect(told).toHaveLength(1)
  await shown(['Large Twin', 'Lost Ltd'])
})

const isOff = (button: HTMLElement) => button.matches(':disabled, [aria-disabled="true"]')

test.each(['choice', 'rule', 'company'])(
  'a %s in the dialog writes over no decision made meanwhile',
  async (what) => {
    openApp(world, person, '/match-review')
    const dialog = await review('Large Twin')
    await person.post('/api/matches/cus_large/ignore')
    if (what === 'rule') fireEvent.click(dialog.getByLabelText(/^Always attach twin.example/))
    const label = what === 'company' ? 'Create in HubSpot' : 'Accept Twin Two'
    fireEvent.click(dialog.getByRole('button', { name: label }))
    expect((await dialog.findByRole('alert')).textContent).toContain(
      'has ignored this customer in the meantime.',
    )
    const { matches } = await (await person.fetch('/api/matches?state=ignored')).json()
    expect(matches).toMatchObject([{ customerId: 'cus_large' }])
    // Nothing is left to do about it, and the next one waits.
    await dialog.findByText('No longer in this list')
    for (const name of [label, 'Ignore Customer'])
      expect(isOff(dialog.getByRole('button', { name }))).toBe(true)
    fireEvent.click(dialog.getByRole('button', { name: 'Next' }))
    await dialog.findByText('Customer 1 of 2')
    expect(dialog.queryByRole('alert')).toBeNull()
    expect(isOff(dialog.getByRole('button', { name: 'Ignore Customer' }))).toBe(false)
  },
)

const focused = () =>
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent

test('the focus stays at its place in the list when a row leaves, whoever decided', async () => {
  const app = openApp(world, person, '/match-review')
  await shown(['Large Twin', 'Lost Ltd', 'Small Twin'])
  screen.getByRole('button', { name: 'Large Twin' }).focus()
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'i' })
  await shown(['Lost Ltd', 'Small Twin'])
  expect(focused()).toBe('Lost Ltd')
  screen.getByRole('checkbox', { name: 'Select Small Twin' }).focus()
  await person.post('/api/matches/cus_small/ignore')
  await app.poll()
  await shown(['Lost Ltd'])
  expect(focused()).toBe('Select Lost Ltd')
  fireEvent.keyDown(screen.getByRole('button', { name: 'Lost Ltd' }), { key: 'i' })
  await screen.findByText('Nothing to review. Every customer is matched.')
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

test('the focus goes to Select all after a decision about many, and to the row that comes back after an undo', async () => {
  openApp(world, person, '/match-review')
  const all = await screen.findByLabelText('Select all on this page')
  await waitFor(() => expect(all).toHaveProperty('disabled', false))
  fireEvent.click(all)
  const ignoring = screen.getByRole('button', { name: 'Ignore 3' })
  ignoring.focus()
  fireEvent.click(ignoring)
  await screen.findByText('Nothing to review. Every customer is matched.')
  await waitFor(() => expect(document.activeElement).toBe(all))
  const lately = within(await screen.findByRole('region', { name: 'Recent decisions' }))
  const undo = await lately.findByRole('button', { name: /^Undo/ })
  undo.focus()
  fireEvent.click(undo)
  await shown(['Large Twin', 'Lost Ltd', 'Small Twin'])
  await waitFor(() => expect(focused()).toBe('Large Twin'))
})

test('what cannot be fetched is said in words', async () => {
  const broken: typeof fetch = async (input, init) =>
    /^\/api\/matches($|\?)/.test(String(input))
      ? new Response('upstream is away', { status: 502 })
      : person.fetch(input, init)
  openApp(world, { fetch: broken }, '/match-review')
  await screen.findByText('An error occurred while fetching matches.')
})
