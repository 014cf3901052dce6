import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { deliveryOf } from '#simulators/stripe/webhooks.ts'
import { run } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'
import { openApp, press } from '#test/web/open-app.tsx'

const worlds: TestWorld[] = []
let world: TestWorld
let person: Person
beforeEach(async () => {
  world = await newWorld({ account: generatedWorld(4) })
  worlds.push(world)
  person = await world.person()
  await person.connectStripe()
})
afterAll(() => Promise.all(worlds.map((each) => each.close())))

const demoKey = 'sk_test_tributary_demo'

async function importAll(): Promise<void> {
  await person.post('/api/import/historical')
  await world.drain()
}

async function countOf(path: string): Promise<number> {
  return (await (await person.fetch(path)).json()).totalCount
}

function anotherAccount(): void {
  const { world: account } = world.stripe
  world.stripe.setWorld({ ...account, account: { ...account.account, id: 'acct_1Other', object: 'account' } })
}

async function enterKey(key: string): Promise<void> {
  await press('Change API Key')
  fireEvent.change(await screen.findByLabelText('Stripe API Key'), { target: { value: key } })
  await press('Update API Key')
}

test('says how fresh the figures are', async () => {
  await importAll()
  openApp(world, person, '/data-sync')
  expect(await screen.findByText(/^Fresh as of/)).toBeTruthy()
})

test('does not say that figures are fresh while Stripe refuses the key', async () => {
  await importAll()
  const fault = { kind: 'expired_key', match: { pathPrefix: '/v1', times: null } }
  await world.stripe.fetch(
    new Request('http://stripe.test/_faults', { method: 'POST', body: JSON.stringify(fault) }),
  )
  await person.fetch('/api/stripe/verify')
  openApp(world, person, '/data-sync')
  expect(
    await screen.findByText(/^Last read from Stripe .* Nothing new arrives until the key works again\.$/),
  ).toBeTruthy()
  expect(screen.queryByText(/^Fresh as of/)).toBeNull()
  world.stripe.faults.clear()
  await person.fetch('/api/stripe/verify')
})

test.each([
  ['has to read', 'invoice', '/v1/invoices?', /lacks read permission for Invoices/],
  ['can do without', 'payment_intent', '/v1/invoice_payments', /may not read it/],
])(
  'shows that the key lost a permission that it %s, until that is read again',
  async (_, name, pathPrefix, text) => {
    await importAll()
    const permission = `rak_${name}_read`
    const fault = { kind: 'missing_permission', permission, match: { pathPrefix, times: null } }
    const body = JSON.stringify(fault)
    await world.stripe.fetch(new Request('http://stripe.test/_faults', { method: 'POST', body }))
    const anew = async () => {
      await person.post('/api/import/historical', { restart: true })
      await world.drain()
    }
    await anew()
    openApp(world, person, '/data-sync')
    const warning = (await screen.findByText('Key needs attention')).closest('[role=note]')
    expect(warning?.textContent).toMatch(text)
    await person.fetch('/api/stripe/verify')
    world.stripe.faults.clear()
    const status = async () => (await (await person.fetch('/api/connection-status')).json()).stripe.warning
    expect(await status()).toMatch(text)
    await anew()
    expect(await status()).toBeNull()
  },
)

test('says that changes wait for the hourly run while the key may not read Events', async () => {
  await importAll()
  const sql = `insert into organization_settings (organization_id, setup_complete) values ($1, true)
    on conflict (organization_id) do update set setup_complete = true`
  await run(world.ownerUrl, sql, [person.organizationId])
  await person.connectHubspot()
  const lost = {
    ...{ kind: 'missing_permission', permission: 'rak_event_read' },
    match: { pathPrefix: '/v1/events', times: null },
  }
  const strike = { method: 'POST', body: JSON.stringify(lost) }
  await world.stripe.fetch(new Request('http://stripe.test/_faults', strike))
  await person.post('/api/import/historical', { restart: true })
  await world.drain()
  openApp(world, person, '/data-sync')
  expect(await screen.findByText('The key lacks read permission for: Events.')).toBeTruthy()
  expect(
    await screen.findByText(/may not read Events, so changes wait for the next automatic run/),
  ).toBeTruthy()
  expect(screen.queryByText(/Looks for changes/)).toBeNull()
  await press('Webhooks (optional)')
  expect(await screen.findByText(/^The key may not read Events\. Until it may, changes wait/)).toBeTruthy()
  const auto = screen.getByRole('switch', { name: /^Automatic HubSpot Sync/ })
  fireEvent.click(auto)
  await screen.findByText(/^Automatic sync is off\. .* Stripe is read only when somebody starts an import\.$/)
  await screen.findByText(/changes wait until somebody starts an import, with a webhook too\.$/)
  fireEvent.click(auto)
  await screen.findByText(/changes wait for the next automatic run, with a webhook too\.$/)
  expect(await (await person.fetch('/api/import/freshness')).json()).toMatchObject({ promisedSeconds: 3_615 })

  world.stripe.faults.clear()
  await person.post('/api/import/historical', { restart: true })
  await world.drain()
  cleanup()
  openApp(world, person, '/data-sync')
  expect(await screen.findByText(/Looks for changes in Stripe every 5 min/)).toBeTruthy()
  expect(screen.queryByText(/read permission for: Events/)).toBeNull()

  // No worker looks for so long.
  await world.deps.sleep(20 * 60_000)
  cleanup()
  openApp(world, person, '/data-sync')
  const silent = await screen.findByText(/and no automatic run has begun since/)
  expect(silent.textContent).toMatch(/^Stripe was last read 20 min ago, /)
  expect(screen.queryByText(/Next automatic run/)).toBeNull()
})

test('names beside the field of the key whose organization it is for', async () => {
  openApp(world, person, '/data-sync')
  await press('Change API Key')
  expect(await screen.findByText(new RegExp(`goes to Yard .*, owned by ${person.email}\\.$`))).toBeTruthy()
})

test('leads to the page of Stripe that makes a key with just the listed permissions', async () => {
  openApp(world, person, '/data-sync')
  await press('Change API Key')
  const guide = await screen.findByRole('region', { name: 'How to make a key' })
  for (const [name, mode] of [
    ['for live data', ''],
    ['for test data', '/test'],
  ] as const) {
    const href = within(guide).getByRole('link', { name }).getAttribute('href') ?? ''
    expect(new URL(href).pathname).toBe(`${mode}/apikeys/create`)
    const page = await (await world.stripe.fetch(new Request(new URL(href, 'http://stripe.test')))).text()
    expect(page.match(/<th>rak_[a-z_]+_read<\/th><td>Read<\/td>/g)).toHaveLength(9)
    expect(page).not.toContain('unknown')
  }
  const listed = within(guide).getAllByRole('listitem')
  expect(listed.map(({ textContent }) => textContent?.split(':')[0])).toEqual([
    'Subscriptions',
    'Customers',
    'Invoices',
    'Products',
    'Prices',
    'Coupons',
    'Payment Methods',
    'Payment Intents',
    'Events',
  ])
})

test('says of a secret key that it could also write, and nothing of a restricted one', async () => {
  openApp(world, person, '/data-sync')
  expect(await screen.findByText(/This key could also write/)).toBeTruthy()
  cleanup()
  await person.connectStripe('rk_test_tributary_demo')
  openApp(world, person, '/data-sync')
  expect(await screen.findByText(/^API key rk_test_/)).toBeTruthy()
  expect(screen.queryByText(/could also write/)).toBeNull()
})

test("asks for the account of an organization's key, and shows both", async () => {
  openApp(world, person, '/data-sync')
  await press('Change API Key')
  expect(screen.queryByLabelText('Stripe Account')).toBeNull()
  const key = await screen.findByLabelText('Stripe API Key')
  fireEvent.change(key, { target: { value: 'sk_org_test_tributary_demo' } })
  const account = await screen.findByLabelText('Stripe Account')
  await press('Update API Key')
  expect(await screen.findByText('Account Required')).toBeTruthy()
  const { id } = world.stripe.world.account ?? { id: '' }
  fireEvent.change(account, { target: { value: ` ${id} ` } })
  await press('Update API Key')
  expect(await screen.findByText(/^API key sk_org_test_/)).toBeTruthy()
  expect(screen.getByText(`Account ${id}`)).toBeTruthy()
  expect(screen.getByText(/works for every account of the Stripe organization/)).toBeTruthy()
  expect(screen.queryByText(/could also write/)).toBeNull()
  await importAll()
  expect(await countOf('/api/stripe/subscriptions')).toBeGreaterThan(0)
})

test('shows what a webhook needs, and when the first delivery has arrived', async () => {
  openApp(world, person, '/data-sync')
  await press('Webhooks (optional)')
  const section = await screen.findByRole('region', { name: 'Stripe webhooks' })
  const page = within(section).getByRole('link', { name: "Open Stripe's page for webhooks" })
  expect(new URL(page.getAttribute('href') ?? '').pathname).toBe('/test/webhooks/create')
  const address = within(section).getByLabelText<HTMLInputElement>('Endpoint address').value
  const events = within(section)
    .getByLabelText<HTMLTextAreaElement>(/^Events to send/)
    .value.split('\n')
  expect(events).toEqual(expect.arrayContaining(['customer.subscription.updated', 'invoice.paid']))
  const secret = 'whsec_of_this_endpoint'
  fireEvent.change(within(section).getByLabelText('Signing secret'), { target: { value: secret } })
  await press('Save secret')
  expect(await screen.findByText(/^No event has arrived yet/)).toBeTruthy()
  const subscription = world.stripe.world.subscriptions[0]
  if (!subscription) throw new Error('no subscription')
  const at = Math.floor(world.now().getTime() / 1000)
  const event = {
    ...{ id: 'evt_first', object: 'event', type: 'customer.subscription.updated', livemode: false },
    ...{ created: at, data: { object: subscription } },
  }
  const deliver = async (more: object = {}) => {
    const request = deliveryOf({ ...event, ...more }, { url: address, secret }, at)
    expect((await world.app.fetch(request)).status).toBe(200)
  }
  await deliver({ livemode: true })
  expect(await screen.findByText(/live mode arrived.*connected key is of test mode/)).toBeTruthy()
  await deliver()
  expect(await screen.findByText(/^Last event received/)).toBeTruthy()

  // The endpoint was deleted in Stripe, and a look found the next change.
  await run(
    world.ownerUrl,
    `insert into payment_changes (organization_id, id, happened_at, settled_at) select $1, 'evt_2', $2, $2`,
    [person.organizationId, new Date(world.now().getTime() + 3_600_000)],
  )
  await world.deps.sleep(7_200_000)
  cleanup()
  openApp(world, person, '/data-sync')
  const silent = await screen.findByText(/^Webhooks have stopped/)
  expect(silent.textContent).toBe('Webhooks have stopped. The last event arrived 2 h ago.')
  await press('Webhooks (optional)')
  expect(await screen.findByText(/^Stripe had changes since: the endpoint is disabled/)).toBeTruthy()
  await press('End webhooks')
  await waitFor(() => expect(screen.queryByText(/^Webhooks have stopped/)).toBeNull())
})

test('asks before the data of one account gives way to another, and keeps it when told', async () => {
  await importAll()
  const imported = await countOf('/api/stripe/subscriptions')
  anotherAccount()
  openApp(world, person, '/data-sync')
  await enterKey(demoKey)
  const dialog = within(await screen.findByRole('dialog', { name: 'Another Stripe account' }))
  expect(dialog.getByText(/acct_1Other, test mode.*This deletes the imported customers/)).toBeTruthy()
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await countOf('/api/stripe/subscriptions')).toBe(imported)

  await press('Update API Key')
  await press('Delete and connect')
  expect(await screen.findByText('Account acct_1Other')).toBeTruthy()
  expect(await countOf('/api/stripe/subscriptions')).toBe(0)
})

test('takes the secret of a webhook, and ends it again', async () => {
  openApp(world, person, '/data-sync')
  await press('Webhooks (optional)')
  const section = within(await screen.findByRole('region', { name: 'Stripe webhooks' }))
  const address = section.getByLabelText<HTMLInputElement>('Endpoint address').value
  expect(address).toMatch(/^http:\/\/localhost:3000\/api\/stripe\/webhooks\/[\w-]{32}$/)
  fireEvent.change(section.getByLabelText('Signing secret'), { target: { value: 'sk_wrong' } })
  await press('Save secret')
  expect(await section.findByText(/It starts with whsec_/)).toBeTruthy()
  fireEvent.change(section.getByLabelText('Signing secret'), { target: { value: 'whsec_of_this_endpoint' } })
  await press('Save secret')
  expect(await section.findByText('No event has arrived yet.')).toBeTruthy()
  await press('End webhooks')
  await waitFor(() => expect(section.queryByText('No event has arrived yet.')).toBeNull())
})

test('says what an optional permission that is missing means for it', async () => {
  await person.post('/api/stripe/connect', { apiKey: 'rk_test_without_events' })
  openApp(world, person, '/data-sync')
  expect(await screen.findByText('The key lacks read permission for: Events.')).toBeTruthy()
})
