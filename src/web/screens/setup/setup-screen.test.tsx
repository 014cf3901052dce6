import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askAboutPortal } from '#server/store/connections/crm-connection.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import { updateSettings } from '#server/store/setup/settings.ts'
import { readWorld } from '#simulators/stripe/world/world.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'
import { enterprise } from '#test/push/open-bench.ts'
import { heading, type OpenApp, openApp, press } from '#test/web/open-app.tsx'

const nothing = { customers: [], subscriptions: [], invoices: [], invoice_payments: [], events: [] }

let world: TestWorld
let empty: TestWorld
let changing: TestWorld
beforeAll(async () => {
  world = await newWorld({ account: generatedWorld(4) })
  empty = await newWorld({ account: readWorld({ ...world.stripe.world, ...nothing }) })
  changing = await newWorld({ account: generatedWorld(4) })
})
afterAll(() => Promise.all([world.close(), empty.close(), changing.close()]))

const continueButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Continue' })

test('the Stripe step names beside the field of the key whose organization it is for', async () => {
  const person = await world.person()
  openApp(world, person, '/setup/stripe')
  await screen.findByLabelText('Stripe API Key')
  expect(await screen.findByText(new RegExp(`goes to Yard .*, owned by ${person.email}\\.$`))).toBeTruthy()
})

test('goes on at the first step that is not done', async () => {
  const person = await world.person()
  await person.connectStripe()
  await inOrganization(world.deps.database, person.organizationId, (tenant) =>
    updateSettings(tenant, { currentStep: 'payments' }),
  )
  const app = openApp(world, person, '/setup')
  await heading('Import Stripe Data')
  expect(app.address()).toBe('/setup/import')
})

describe('the import step', () => {
  test('imports, tells the numbers, and lets on only then', async () => {
    const person = await world.person()
    await person.connectStripe()
    const app = openApp(world, person, '/setup/import')
    await heading('Import Stripe Data')
    expect(continueButton().disabled).toBe(true)
    await press('Import All Stripe Data')
    expect(await screen.findByText('Importing Your Stripe Data')).toBeTruthy()
    expect(continueButton().disabled).toBe(true)

    await world.drain()
    await app.poll()
    const events = await countOf(person, '/api/stripe/transactions')
    const customers = world.stripe.world.customers.filter((customer) => customer.deleted !== true).length
    expect(events).toBeGreaterThan(0)
    // The text is in the box, which stays, and in the toast, which disappears.
    const told = `Successfully imported ${customers} customers and ${events} events.`
    await waitFor(() => expect(screen.getAllByText(told).length).toBeGreaterThan(0))
    expect(screen.getAllByText('Import Complete').length).toBeGreaterThan(0)
    await waitFor(() => expect(continueButton().disabled).toBe(false))

    await press('Continue')
    await heading('Sync Data to HubSpot')
    expect(app.address()).toBe('/setup/sync')
  })

  test('asks a question when nothing was found', async () => {
    const person = await empty.person()
    await person.connectStripe()
    const app = openApp(empty, person, '/setup/import')
    await press('Import All Stripe Data')
    await screen.findByText('Importing Your Stripe Data')
    await empty.drain()
    await app.poll()
    expect(await screen.findByText('Is this the right Stripe account?')).toBeTruthy()
    expect(screen.queryByText('Import Complete')).toBeNull()
  })

  test('says that it starts until a worker takes it up, and then what its totals are', async () => {
    const person = await world.person()
    await person.connectStripe()
    const app = openApp(world, person, '/setup/import')
    await press('Import All Stripe Data')
    await screen.findByText('Importing Your Stripe Data')
    expect(screen.getByRole('button', { name: 'Starting Import...' })).toBeTruthy()
    await inOrganization(world.deps.database, person.organizationId, async ({ sql, organizationId }) => {
      const { id } = await sql.selectFrom('runs').select('id').executeTakeFirstOrThrow()
      await sql.updateTable('runs').set({ phase: 'importing' }).where('id', '=', id).execute()
      const read = { created_from: 0, created_until: 1_000, cursor_at: 500, done_count: 30 }
      await sql
        .insertInto('import_windows')
        .values({ organization_id: organizationId, run_id: id, id: 'one', kind: 'invoices', ...read })
        .execute()
    })
    await app.poll()
    expect(await screen.findByText('Invoices: 30 of about 60')).toBeTruthy()
    expect(screen.getByText(/"About" is an estimate/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Starting Import...' })).toBeNull()
    // Once, beside the step's own title.
    expect(screen.getAllByText(/importing/i)).toHaveLength(1)
    await press('Cancel')
    expect(await screen.findByRole('button', { name: 'Import All Stripe Data' })).toBeTruthy()
    await world.drain()
  })

  test('can be cancelled, and started again', async () => {
    const person = await world.person()
    await person.connectStripe()
    openApp(world, person, '/setup/import')
    await press('Import All Stripe Data')
    await screen.findByText('Importing Your Stripe Data')
    await press('Cancel')
    expect(await screen.findByText('Import Canceled')).toBeTruthy()
    expect(await screen.findByRole('button', { name: 'Import All Stripe Data' })).toBeTruthy()
    expect(screen.queryByText('Import Failed')).toBeNull()
    await world.drain()
    expect(await countOf(person, '/api/stripe/subscriptions')).toBe(0)
  })
})

describe('the sync step', () => {
  const missing = async (person: Person, path = '/setup/sync') => {
    openApp(world, person, path)
    const alert = await screen.findByRole('alert')
    return alert.textContent
  }

  test('asks for both connections', async () => {
    expect(await missing(await world.person())).toBe(
      'Connection RequiredBoth HubSpot and Stripe connections are required for sync.Connect HubSpotConnect Stripe',
    )
    const start = await screen.findByRole<HTMLButtonElement>('button', { name: /^Sync 0 Remaining/ })
    expect(start.disabled).toBe(true)
  })

  test('asks for HubSpot', async () => {
    const person = await world.person()
    await person.connectStripe()
    expect(await missing(person)).toBe(
      'Connection RequiredHubSpot connection is required for sync.Connect HubSpot',
    )
    fireEvent.click(within(screen.getByRole('alert')).getByRole('link', { name: 'Connect HubSpot' }))
    await heading('Connect HubSpot')
  })

  test('asks for Stripe, as the import does', async () => {
    const person = await world.person()
    await person.connectHubspot()
    expect(await missing(person)).toBe(
      'Connection RequiredStripe connection is required for sync.Connect Stripe',
    )
    cleanup()
    const before = 'Connection RequiredStripe connection is required for the import.Connect Stripe'
    expect(await missing(person, '/setup/import')).toBe(before)
    expect(screen.getByText('Import All Stripe Data').closest('button')?.disabled).toBe(true)
  })

  test('asks about another account than before, and lets on once it is to be used', async () => {
    const person = await importedPerson()
    await inOrganization(world.deps.database, person.organizationId, (tenant) => askAboutPortal(tenant, '7'))
    openApp(world, person, '/setup/sync')
    await screen.findByText('Another HubSpot account than before')
    await screen.findByText(/all subscriptions and events that it does not have as they are here are written/)
    const start = () => screen.findByRole<HTMLButtonElement>('button', { name: /^Sync [1-9]\d* Remaining/ })
    expect((await start()).disabled).toBe(true)
    expect(screen.queryByText('What this sync would create')).toBeNull()
    await screen.findByText('HubSpot account not confirmed')
    await press(`Use account ${enterprise}`)
    await screen.findByText(/would wait for your review\.$/)
    await waitFor(async () => expect((await start()).disabled).toBe(false))
    expect(await screen.findByText('Imported, not in HubSpot yet')).toBeTruthy()
  })

  test('says what the first sync would create, and counts anew when a switch is turned', async () => {
    const person = await importedPerson()
    openApp(world, person, '/setup/sync')
    const created = /^([1-9]\d*) compan.* and ([1-9]\d*) contacts? in HubSpot\./
    expect((await screen.findByText(created)).textContent).toMatch(/would wait for your review\.$/)
    fireEvent.click(await screen.findByLabelText(/^Auto-Create Companies/))
    await screen.findByText(/^0 companies and [1-9]\d* contacts? in HubSpot\./)
    expect(world.hubspot.portal(enterprise).records('0-1')).toEqual([])
  })

  test('pushes what was imported, and the wizard ends on the dashboard', async () => {
    const person = await importedPerson()
    const app = openApp(world, person, '/setup/sync')
    await press(/^Sync [1-9]\d* Remaining Records to HubSpot$/)
    await app.told('HubSpot sync started')
    expect(continueButton().disabled).toBe(true)
    await world.drain()
    await app.poll()
    expect(await screen.findByText('All subscriptions and events are in HubSpot.')).toBeTruthy()
    await waitFor(() => expect(continueButton().disabled).toBe(false))
    await press('Continue')
    await finish(app)
    await app.told('Setup completed!')

    await app.goTo('/setup/finish')
    await heading('Recent Events')
    expect(app.address()).toBe('/')
    expect(screen.queryByRole('link', { name: 'Setup Wizard' })).toBeNull()
  })
})

test('an unknown step leads back to the first', async () => {
  const app = openApp(world, await world.person(), '/setup/nonsense')
  await heading('Invalid setup step. Please start over.')
  screen.getByRole('link', { name: 'Start Setup' }).click()
  expect(await screen.findByRole('button', { name: /connect hubspot/i })).toBeTruthy()
  expect(app.address()).toBe('/setup/hubspot')
})

async function importedPerson(): Promise<Person> {
  const person = await world.person()
  await person.connectHubspot()
  await person.connectStripe()
  await person.post('/api/import/historical')
  await world.drain()
  return person
}

async function finish(app: OpenApp): Promise<void> {
  await heading('Setup Complete')
  expect(screen.getByText('Tributary is Set Up!')).toBeTruthy()
  await press('Finish Setup')
  await heading('Recent Events')
  expect(app.address()).toBe('/')
}

async function countOf(person: Person, path: string): Promise<number> {
  return (await (await person.fetch(path)).json()).totalCount
}

describe('the objects step', () => {
  test('comes after Stripe where the objects could not be made, says why, and lets on after Retry', async () => {
    const limitObjects = async (customObjectLimit: number) => {
      const body = JSON.stringify({ hubId: enterprise, customObjectLimit })
      await changing.hubspot.fetch(
        new Request('http://hubspot.test/_control/settings', { method: 'POST', body }),
      )
    }
    await limitObjects(1)
    const person = await changing.person()
    await person.connectHubspot()
    await person.connectStripe()
    const app = openApp(changing, person, '/setup/stripe')
    await waitFor(() => expect(continueButton().disabled).toBe(false))
    await press('Continue')
    await screen.findByText('The custom objects could not be created')
    expect(app.address()).toBe('/setup/objects')
    screen.getAllByText(/The account has room for 1 more custom objects, and 2 are needed\./)
    screen.getByText(/Delete custom objects that nobody uses anymore in HubSpot/)
    await press('Continue without objects')
    await heading('Import Stripe Data')
    const passed = await screen.findByRole('link', { name: 'Step 3: Custom Objects' })
    expect(passed.closest('li')?.textContent).toBe('Custom Objects not done')
    fireEvent.click(passed)
    await screen.findByText('The custom objects could not be created')

    await limitObjects(10)
    // The step asks again whenever it opens.
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Retry' })).toHaveProperty('disabled', false),
    )
    await press('Retry')
    await screen.findByText('Both custom objects exist')
    expect(changing.hubspot.portal(enterprise).schemas()).toHaveLength(2)
    await press('Continue')
    await heading('Import Stripe Data')
    expect(app.address()).toBe('/setup/import')
  })
})

describe('the Stripe step', () => {
  test('asks before the data of one account gives way to another', async () => {
    const person = await changing.person()
    await person.connectStripe()
    await person.post('/api/import/historical')
    await changing.drain()
    const { world: account } = changing.stripe
    changing.stripe.setWorld({
      ...account,
      account: { ...account.account, id: 'acct_1Other', object: 'account' },
    })
    openApp(changing, person, '/setup/stripe')
    await press('Change')
    await press('Use the demo key')
    await screen.findByText('The demo key is filled in. Press Update API Key.')
    await press('Update API Key')
    expect(await screen.findByRole('dialog', { name: 'Another Stripe account' })).toBeTruthy()
    await press('Delete and connect')
    await screen.findByText('Connected to Stripe')
    expect(await countOf(person, '/api/stripe/subscriptions')).toBe(0)
  })
})
