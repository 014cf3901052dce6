import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askAboutPortal } from '#server/store/connections/crm-connection.ts'
import { saveCrmObject } from '#server/store/crm/crm-objects.ts'
import { inOrganization, type Tenant } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addConnections, addCustomer, addMatch, addRun, addSubscription } from '#test/store/seed.ts'
import { openApp, press } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

const inOwn = (person: Person, act: Parameters<typeof inOrganization>[2]) =>
  inOrganization(world.deps.database, person.organizationId, act)

/** Somebody with a customer that waits for a match, one that nobody looked up, and a subscription of each. */
async function connected(make?: (tenant: Tenant) => Promise<unknown>): Promise<Person> {
  const person = await world.person()
  await inOwn(person, async (tenant) => {
    await addConnections(tenant)
    for (const n of [1, 2]) {
      await addCustomer(tenant, { id: `cus_${n}`, name: `Birch Press ${n}` })
      await addSubscription(tenant, { id: `sub_${n}`, customer_id: `cus_${n}` })
    }
    await addMatch(tenant, { customerId: 'cus_1', companyName: '', state: 'pending' })
    await addRun(tenant, { id: 'imported', kind: 'import', status: 'completed' })
    await addRun(tenant, { id: 'synced', kind: 'push', status: 'completed' })
    await tenant.sql.updateTable('runs').set({ completed_at: new Date() }).execute()
    const { organizationId: organization_id } = tenant
    const finished = { organization_id, setup_complete: true }
    await tenant.sql
      .insertInto('organization_settings')
      .values(finished)
      .onConflict((on) => on.column('organization_id').doUpdateSet(finished))
      .execute()
    await make?.(tenant)
  })
  return person
}

const disconnect = (provider: string) => (tenant: Tenant) =>
  tenant.sql.deleteFrom('connections').where('provider', '=', provider).execute()
const lost = { kind: 'event', objectTypeId: null, state: 'failed', reason: null, advice: null } as const

const noHubspot = 'HubSpot is not connected'
const noStripe = 'Stripe is not connected'
const refusal = 'HubSpot refuses the connection'
const otherAccount = 'Another HubSpot account is connected'
const objectsMissing = 'The custom objects in HubSpot are missing'

/** A record that stood in HubSpot as it is here at the last sync. */
async function addSynced(tenant: Tenant) {
  const link = { portal_id: '4711', kind: 'subscription', source_id: 'sub_1', record_id: '1' }
  const confirmed = { state: 'confirmed', confirmed_at: new Date('2100-01-01') }
  const organization_id = tenant.organizationId
  await tenant.sql
    .insertInto('crm_links')
    .values({ ...link, ...confirmed, organization_id })
    .onConflict((on) => on.doNothing())
    .execute()
}

/** `title`: what each screen says. `condition`: what every promise of a sync ends with. `line`: what the sidebar says. */
const reasons = [
  {
    title: noHubspot,
    make: disconnect('crm'),
    condition: 'HubSpot is connected',
    line: 'HubSpot not connected',
    isUsable: false,
  },
  {
    title: refusal,
    make: async (tenant: Tenant) => {
      await addSynced(tenant)
      const refused = { warning: 'Revoked.' }
      await tenant.sql.updateTable('connections').set(refused).where('provider', '=', 'crm').execute()
    },
    condition: 'HubSpot is connected again',
    line: 'HubSpot refuses the connection',
    isUsable: false,
  },
  {
    title: otherAccount,
    make: (tenant: Tenant) => askAboutPortal(tenant, '7'),
    condition: 'the HubSpot account is confirmed',
    line: 'HubSpot account not confirmed',
    isUsable: false,
  },
  {
    title: objectsMissing,
    make: async (tenant: Tenant) => {
      await addSynced(tenant)
      await saveCrmObject(tenant, '4711', lost, new Date())
    },
    condition: 'the custom objects are there',
    line: 'HubSpot objects are missing',
    isUsable: true,
  },
  {
    title: noStripe,
    make: disconnect('payments'),
    condition: 'Stripe is connected',
    line: 'Stripe not connected',
    isUsable: true,
  },
]

/** Where records that were in sync cannot be read. */
const lastKnown = [refusal, objectsMissing]

const isOff = async (name: string) =>
  (await screen.findByRole<HTMLButtonElement>('button', { name })).disabled

/** What the page says of a sync to come without what that waits for. */
function promises(): string[] {
  const sentences =
    document.body.textContent.match(/[^.]*\b(?:next|first)(?: automatic)? sync\b[^.]*/gi) ?? []
  return sentences.filter((sentence) => !/, once |Waiting for the next sync/.test(sentence))
}

describe.each(reasons)('while nothing can be written: $title', (reason) => {
  const { title, make, condition, line, isUsable } = reason
  let person: Person
  beforeAll(async () => {
    person = await connected(make)
  })
  const open = (path: string) => openApp(world, person, path)
  const told = () => screen.findByText(title, { selector: '.mantine-Alert-label' })

  test('Match Review says so, promises nothing, and lets people decide only where that is saved', async () => {
    const app = open('/match-review')
    const strip = within(await screen.findByRole('note', { name: title }))
    expect(strip.getByRole('link').getAttribute('href')).toBe('/data-sync')
    strip.getByText(isUsable ? /^You can decide here, but nothing is synced/ : /nothing can be decided until/)
    expect(await isOff('Run Matching')).toBe(!isUsable)
    // Without an account, there are no matches with its companies.
    if (title !== noHubspot) expect(await isOff('Find or create a company for Birch Press 1')).toBe(!isUsable)
    expect(promises()).toEqual([])
    if (isUsable)
      await screen.findByText(new RegExp(`HubSpot follows with the next sync, once ${condition}\\.$`))
    else expect(document.body.textContent).not.toContain('HubSpot follows')
    if (title === noHubspot) return
    const row = screen.getByRole('button', { name: 'Birch Press 1' })
    if (!isUsable) {
      row.focus()
      fireEvent.keyDown(row, { key: 'i' })
      await app.told(/nothing can be decided until/)
    }
    fireEvent.click(row)
    const dialog = within(await screen.findByRole('dialog', { name: 'Review Match' }))
    const links = dialog.queryAllByRole('link').map((link) => link.getAttribute('href'))
    expect(links).toEqual(isUsable ? [] : ['/data-sync'])
    for (const label of [/^Choose a(nother)? company$/, 'Create a company'])
      expect(dialog.getByLabelText<HTMLInputElement>(label).disabled).toBe(!isUsable)
    expect(screen.queryAllByText('ignore')).toHaveLength(isUsable ? 2 : 0)
    expect(dialog.queryAllByText(/in HubSpot at once/)).toHaveLength(isUsable ? 1 : 0)
  })

  test('Sync Health says so, promises nothing, and calls nothing in sync that cannot be seen', async () => {
    open('/sync-health')
    await told()
    const strip = await screen.findByText(/^Nothing is synced until/)
    expect(within(strip).getByRole('link').textContent).toMatch(/ on Data Sync$|^Connect (HubSpot|Stripe)$/)
    await screen.findByRole('region', { name: 'Waiting' })
    if (lastKnown.includes(title)) screen.getByRole('region', { name: 'Last known in sync' })
    expect(promises()).toEqual([])
    expect(document.body.textContent).not.toContain('Stripe and HubSpot are connected')
    if (title === objectsMissing || title === otherAccount || title === noHubspot)
      expect(document.body.textContent).not.toContain('have not been synced yet')
  })

  test.each(['/customers/cus_2', '/subscriptions/sub_2'])(
    '%s promises nothing, and leads on',
    async (path) => {
      open(path)
      if (title === noHubspot && path.startsWith('/sub')) await screen.findByText('Customer Details')
      else await screen.findByText(new RegExp(`The next sync does it, once ${condition}\\.`))
      expect(promises()).toEqual([])
      const cure = within(screen.getByRole('main')).getByRole('link', { name: / on Data Sync$|^Connect / })
      expect(cure.getAttribute('href')).toBe('/data-sync')
    },
  )

  test('Data Sync offers no sync and forecasts none', async () => {
    open('/data-sync')
    expect(await isOff('Sync to HubSpot')).toBe(true)
    expect(screen.queryByText('What this sync would create')).toBeNull()
    expect(document.body.textContent).not.toContain('syncs them to HubSpot at once')
    if (title === otherAccount || title === objectsMissing)
      await screen.findByText(new RegExp(`every 5 min. HubSpot follows, once ${condition}\\.`))
    const isHubspots = title !== noHubspot && title !== noStripe
    expect(screen.queryAllByText(/^HubSpot cannot take records yet/)).toHaveLength(isHubspots ? 1 : 0)
    const known = /^Subscriptions (last known )?in sync$/
    if (title === noHubspot) expect(screen.queryByText(known)).toBeNull()
    else await screen.findByText(`Subscriptions ${lastKnown.includes(title) ? 'last known ' : ''}in sync`)
    const { variant } = screen.getByRole('button', { name: 'Import from Stripe' }).dataset
    expect(variant).toBe(title === noStripe ? 'filled' : 'default')
  })

  test('Diagnostics and HubSpot Objects read nothing that cannot be read', async () => {
    open('/diagnostics')
    const isChecked = title === noStripe
    expect(await isOff('Check Missing Associations')).toBe(!isChecked)
    expect(screen.queryAllByRole('note', { name: title })).toHaveLength(isChecked ? 0 : 1)
    cleanup()
    open('/hubspot-objects')
    expect(await isOff('Check again')).toBe(!isUsable)
    expect(screen.queryAllByRole('note', { name: title })).toHaveLength(isUsable ? 0 : 1)
    expect(document.body.textContent).not.toMatch(/\b4\d\d: /)
    // Else the objects may be there.
    if (title === objectsMissing) {
      const told = await screen.findByRole('alert', { name: 'The objects could not be checked' })
      expect(within(told).getByRole('link').getAttribute('href')).toBe('/data-sync')
    }
    const instructions = screen.queryAllByRole('button', { name: 'Show the instructions' })
    expect(instructions).toHaveLength(title === noHubspot || title === objectsMissing ? 0 : 1)
  })

  test('the details of a subscription say so, and what was last known of its record', async () => {
    await inOwn(person, async (tenant) => {
      await addSynced(tenant)
      // By its objects, the account of a removed connection is found.
      if (title === noHubspot) await saveCrmObject(tenant, '4711', { ...lost, state: 'ready' }, new Date())
    })
    open('/subscriptions/sub_1')
    const strip = within(await screen.findByRole('note', { name: title }))
    strip.getByText(/^Nothing is synced until/)
    expect(await isOff('Sync now')).toBe(true)
    screen.getByText(title === noStripe ? 'Synced' : 'Last known in sync')
    expect(promises()).toEqual([])
  })

  test('it is the first that needs attention, and the sidebar names it', async () => {
    open('/')
    await screen.findByRole('link', { name: line })
    const attention = within(await screen.findByRole('region', { name: 'Needs attention' }))
    expect((await attention.findAllByRole('listitem'))[0]?.textContent).toMatch(new RegExp(`^${title}`))
  })
})

test('each screen stops saying so once the other account is confirmed', async () => {
  const person = await connected((tenant) => askAboutPortal(tenant, '7'))
  const app = openApp(world, person, '/data-sync')
  await press('Use account 4711')
  await waitFor(() => expect(screen.queryByText('HubSpot account not confirmed')).toBeNull())
  await app.goTo('/sync-health')
  await screen.findByText(/^They have not been synced yet/)
  expect(screen.queryByText(otherAccount)).toBeNull()
  cleanup()
})

test('what a press of Sync now meets counts at once, in the line of its reason', async () => {
  const person = await connected(addSynced)
  openApp(world, person, '/subscriptions/sub_1')
  await screen.findByText('Synced')
  await inOwn(person, async (tenant) => {
    await saveCrmObject(tenant, '4711', { ...lost, state: 'ready' }, new Date())
    await disconnect('crm')(tenant)
  })
  await press('Sync now')
  await screen.findByText('Last known in sync')
  const reason = await screen.findByText('HubSpot is not connected.')
  within(reason).getByRole('link', { name: 'Connect HubSpot' })
  expect(screen.queryByRole('note', { name: noHubspot })).toBeNull()
})
