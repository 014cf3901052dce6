import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld, type Visitor } from '#test/harness.ts'
import { starter } from '#test/push/open-bench.ts'
import { addRun, addSubscription } from '#test/store/seed.ts'
import { heading, openApp, press } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

/** Returns the person's browser, in which calls of the path meet the fault until it is mended. */
function faulty(person: Person, path: string, fault: () => Promise<Response>) {
  const state = { isBroken: true }
  const visitor: Visitor = {
    fetch: (input, init) =>
      state.isBroken && new URL(String(input), 'http://here.example').pathname === path
        ? fault()
        : person.fetch(input, init),
  }
  const mend = () => {
    state.isBroken = false
  }
  return { visitor, mend }
}

const brokenProxy = async () =>
  new Response('<html><body>Bad gateway</body></html>', { status: 502, statusText: 'Bad Gateway' })
const noNetwork = async () => Promise.reject(new TypeError('Failed to fetch'))

const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })

/** Writes a run of the person's organization that has ended. */
async function ended(person: Person, run: Parameters<typeof addRun>[1], values: object): Promise<void> {
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addRun(tenant, run)
    await tenant.sql
      .updateTable('runs')
      .set({ completed_at: world.now(), ...values })
      .where('organization_id', '=', tenant.organizationId)
      .where('id', '=', run.id)
      .execute()
  })
}

async function connected(): Promise<Person> {
  const person = await world.person()
  await person.connectStripe()
  await person.connectHubspot()
  return person
}

describe('an outage is not shown as something else', () => {
  test.each([
    ['/data-sync', '/api/connection-status', 'The status of the connections'],
    ['/setup/hubspot', '/api/connection-status', 'The status of the connection'],
    ['/setup/sync', '/api/connection-status', 'The status of the connections'],
    ['/setup/sync', '/api/sync/status', 'The state of the sync'],
    ['/data-sync', '/api/sync/status', 'The state of the sync'],
    ['/setup/stripe', '/api/stripe/verify', 'The Stripe connection'],
    ['/setup/import', '/api/import/status', 'The last import'],
    ['/setup/sync', '/api/settings/sync', 'The settings'],
    ['/data-sync', '/api/settings/sync', 'The settings'],
    ['/setup/finish', '/api/hubspot/objects', 'The state of the custom objects'],
    ['/account-profile?tab=organization', '/api/identity/organization/profile', 'The organization profile'],
    ['/account-profile?tab=organization', '/api/identity/organization/members', 'The members'],
    [
      '/account-profile?tab=organization',
      '/api/identity/organization/list',
      'The list of your organizations',
    ],
    ['/account-profile?tab=organization', '/api/settings/reporting', 'The reporting currency'],
    ['/account-profile?tab=privacy', '/api/erasures', 'The erasures'],
    ['/account-profile', '/api/account/alerts', 'Your choice'],
    ['/account-profile', '/api/identity/sessions', 'Your sessions'],
  ])('%s says that %s could not be read, until it can', async (screenPath, callPath, what) => {
    const { visitor, mend } = faulty(await connected(), callPath, brokenProxy)
    openApp(world, visitor, screenPath)
    const notice = await screen.findByText(`${what} could not be read`)
    expect(document.body.textContent).not.toContain('<html>')
    mend()
    const alert = notice.closest<HTMLElement>('[role="alert"]')
    if (alert === null) throw new Error('the notice is no alert')
    fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.queryByText(`${what} could not be read`)).toBeNull())
  })

  test.each([
    ['/subscriptions', '/api/stripe/subscriptions', 'An error occurred while fetching subscriptions.'],
    ['/events', '/api/stripe/transactions', 'An error occurred while fetching events.'],
    ['/', '/api/dashboard/recent-transactions', 'An error occurred while fetching events.'],
    ['/', '/api/dashboard/upcoming-renewals', 'An error occurred while fetching renewals.'],
    ['/sync-history', '/api/sync/history', 'An error occurred while fetching sync history.'],
    ['/sync-health', '/api/sync/health', 'An error occurred while fetching the sync health.'],
    ['/match-review', '/api/matches', 'An error occurred while fetching matches.'],
    ['/what-changed/77', '/api/mrr/recounts/77', 'The report could not be loaded'],
  ])('%s can be tried again where its list could not be read', async (screenPath, callPath, text) => {
    const { visitor, mend } = faulty(await world.person(), callPath, noNetwork)
    openApp(world, visitor, screenPath)
    await screen.findByText(text)
    expect(screen.getAllByText(/The server could not be reached/).length).toBeGreaterThan(0)
    mend()
    await press('Try again')
    await waitFor(() => expect(screen.queryByText(text)).toBeNull())
  })

  test('of a connect that a proxy answered, the toast says what is specified and no page', async () => {
    const { visitor } = faulty(await world.person(), '/api/stripe/connect', brokenProxy)
    const app = openApp(world, visitor, '/data-sync')
    fireEvent.change(await screen.findByLabelText('Stripe API Key'), { target: { value: 'sk_test_1' } })
    await press('Connect Stripe')
    await app.told('Failed to connect to Stripe. Please check your API key.')
    expect(document.body.textContent).not.toContain('Bad gateway')
  })
})

describe('a connection', () => {
  test('without Stripe nothing can be pushed', async () => {
    const person = await world.person()
    await person.connectHubspot()
    openApp(world, person, '/data-sync')
    await screen.findByText('Setup Required')
    expect(button('Sync to HubSpot').disabled).toBe(true)
  })

  test.each(['/data-sync', '/setup/hubspot', '/setup/sync'])(
    'to a portal without custom objects is not passed off as ready on %s',
    async (path) => {
      const person = await world.person()
      await person.connectStripe()
      await person.connectHubspot(starter)
      await person.post('/api/import/historical')
      await world.drain()
      openApp(world, person, path)
      expect(await screen.findByText('Connected, but nothing can be written yet')).toBeTruthy()
      expect(screen.getByText(/did not grant the permissions for custom objects/)).toBeTruthy()
      expect(screen.getByText(/When that is so, connect HubSpot again\.$/)).toBeTruthy()
      expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
      expect(screen.queryByText('What this sync would create')).toBeNull()
      if (path !== '/setup/hubspot') {
        expect(await screen.findByText(/^HubSpot cannot take records yet/)).toBeTruthy()
        expect(button(/^Sync (to HubSpot|\d+ Remaining)/).disabled).toBe(true)
      }
      if (path === '/setup/hubspot') expect(screen.queryByText('HubSpot is connected')).toBeNull()
    },
  )

  test('the objects step leads to where one disconnects', async () => {
    const person = await world.person()
    await person.connectHubspot(starter)
    const app = openApp(world, person, '/setup/objects')
    fireEvent.click(await screen.findByRole('link', { name: 'Connect HubSpot' }))
    expect(await screen.findByRole('button', { name: 'Disconnect' })).toBeTruthy()
    expect(app.address()).toBe('/setup/hubspot')
  })

  test('whose token has ended says so once', async () => {
    const person = await connected()
    await inOrganization(world.deps.database, person.organizationId, (tenant) =>
      tenant.sql
        .updateTable('connections')
        .set({ warning: 'Token needs refresh' })
        .where('provider', '=', 'crm')
        .execute(),
    )
    openApp(world, person, '/data-sync')
    expect(await screen.findAllByText(/Token needs refresh/)).toHaveLength(1)
  })
})

describe('what became of a run', () => {
  test('a cancelled import is told as cancelled, by whom, also when the page is opened later', async () => {
    const person = await connected()
    await person.post('/api/import/historical')
    const { runningImportId } = await (await person.fetch('/api/sync/status')).json()
    await person.post(`/api/sync/cancel/${runningImportId}`)
    openApp(world, person, '/setup/import')
    expect(await screen.findByText('The last import was canceled')).toBeTruthy()
    expect(screen.getByText(/^Canceled by /)).toBeTruthy()
    expect(screen.queryByText('Import Failed')).toBeNull()
    expect(button('Import All Stripe Data').disabled).toBe(false)
  })

  test.each([
    ['/setup/sync', 'The last sync failed'],
    ['/data-sync', 'The last sync to HubSpot failed'],
  ])('a failed push stays on %s with its reason until the next one succeeds', async (path, title) => {
    const person = await connected()
    const at = world.now()
    await ended(person, { id: 'push_f', kind: 'push', status: 'failed', at }, { error: 'HubSpot was away.' })
    const app = openApp(world, person, path)
    const alert = (await screen.findByText('HubSpot was away.')).closest<HTMLElement>('[role="alert"]')
    expect(alert && within(alert).getByText(title)).toBeTruthy()
    await screen.findByRole('button', { name: 'Open navigation, The last sync failed' })
    expect(screen.getByRole('link', { name: 'details in Sync History' })).toBeTruthy()
    const later = new Date(at.getTime() + 1_000)
    await ended(person, { id: 'push_g', kind: 'push', status: 'completed', at: later }, {})
    await app.poll()
    await waitFor(() => expect(screen.queryByText(title)).toBeNull())
  })

  test('a failed import stays on Data Sync with its reason', async () => {
    const person = await connected()
    await ended(
      person,
      { id: 'import_f', kind: 'import', status: 'failed', at: world.now() },
      { error: 'Stripe was away.' },
    )
    openApp(world, person, '/data-sync')
    expect(await screen.findByText('The last import from Stripe failed')).toBeTruthy()
    expect(screen.getByText('Stripe was away.')).toBeTruthy()
  })

  test('a run that nobody follows has another mark in the sidebar, until it has ended', async () => {
    const person = await connected()
    await inOrganization(world.deps.database, person.organizationId, (tenant) =>
      addRun(tenant, { id: 'push_r', kind: 'push', status: 'in_progress', at: world.now() }),
    )
    openApp(world, person, '/account-profile')
    const line = await screen.findByRole('link', { name: 'Sync in progress' })
    expect(line.querySelector('[data-state="running"]')).not.toBeNull()
    await inOrganization(world.deps.database, person.organizationId, ({ sql }) =>
      sql
        .updateTable('runs')
        .set({ status: 'completed', completed_at: world.now() })
        .where('id', '=', 'push_r')
        .execute(),
    )
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Sync in progress' })).toBeNull())
    expect(document.querySelector('[data-state="running"]')).toBeNull()
  })

  test('the details of a cancelled run say who cancelled it', async () => {
    const person = await connected()
    await ended(
      person,
      { id: 'push_c', kind: 'push', status: 'cancelled', at: world.now() },
      { message: 'Canceled by Pat.' },
    )
    openApp(world, person, '/sync-history')
    await screen.findByRole('table', { name: 'Sync History' })
    fireEvent.click(await screen.findByText('Canceled'))
    expect(await screen.findByText('Canceled by Pat.')).toBeTruthy()
    expect(screen.queryByText('No details available for this sync job.')).toBeNull()
  })
})

describe('the setup', () => {
  test('says of a step that was only passed that it is not done, and what is left before the end', async () => {
    const app = openApp(world, await world.person(), '/setup/finish')
    await heading('Setup Complete')
    const steps = within(screen.getByRole('list', { name: 'Setup steps' })).getAllByRole('listitem')
    expect(steps.map((step) => step.textContent.replace(/^\d/, ''))).toEqual([
      'Connect HubSpot not done',
      'Connect Stripe not done',
      'Import Data not done',
      'Sync to HubSpot not done',
      'Review & Finish',
    ])
    expect(steps[0]?.dataset['done']).toBe('true')
    expect((await screen.findByText(/^Still open: /)).textContent).toMatch(
      /^Still open: Connect HubSpot, Connect Stripe, Custom Objects, Import Data, Sync to HubSpot\./,
    )
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Finish Setup' }).disabled).toBe(true)
    fireEvent.click(screen.getByRole('link', { name: 'History imported' }))
    await heading('Import Stripe Data')
    expect(app.address()).toBe('/setup/import')
  })
})

describe('the Back button of a subscription', () => {
  test('leads to the list as it stood', async () => {
    const person = await world.person()
    await inOrganization(world.deps.database, person.organizationId, (tenant) =>
      addSubscription(tenant, { id: 'sub_1' }),
    )
    const list = '/subscriptions?sort=currentMrr&order=asc&perPage=25'
    const app = openApp(world, person, list)
    const table = await screen.findByRole('table', { name: 'Subscriptions' })
    const [link] = await within(table).findAllByRole('link')
    if (link === undefined) throw new Error('the row is no link')
    fireEvent.click(link)
    fireEvent.click(await screen.findByRole('link', { name: 'Back to Subscriptions' }))
    await screen.findByRole('table', { name: 'Subscriptions' })
    expect(app.address()).toBe(list)
  })

  test('leads to the whole list where the subscription was not opened from it', async () => {
    openApp(world, await world.person(), '/subscriptions/sub_unknown')
    const back = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Back to Subscriptions' })
    expect(back.getAttribute('href')).toBe('/subscriptions')
  })
})
