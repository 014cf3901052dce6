import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkMissingAssociations } from '#contract/diagnostics.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import { withCrm } from '#server/work/crm/with-crm.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { enterprise } from '#test/push/open-bench.ts'
import { openApp, press, rowsOf } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await person.connectHubspot()
  await person.connectStripe()
  await person.post('/api/import/historical')
  await world.drain()
  await person.post('/api/sync/push-all')
  await world.drain()
})
afterAll(() => world.close())

/** Removes some associations of events and subscriptions, as a person in HubSpot might. */
async function takeApart(count: number): Promise<void> {
  const portal = world.hubspot.portal(enterprise)
  const typeNamed = (name: string) => portal.schemas().find((schema) => schema.name === name)?.typeId ?? ''
  const [event, subscription] = [typeNamed('tributary_event'), typeNamed('tributary_subscription')]
  const pairs = portal.associations(event, subscription).slice(0, count)
  await withCrm(world.deps, person.organizationId, ({ access }) =>
    world.deps.crm.dissociate(
      access,
      event,
      { objectTypeId: subscription },
      pairs.map(({ fromId, toId }) => ({ fromId, toId })),
    ),
  )
}

const fixButton = () =>
  screen.getByRole<HTMLButtonElement>('button', { name: 'Fix Transaction-to-Subscription Associations' })

test('what is missing is found, listed, mended, and checked again', async () => {
  await takeApart(2)
  openApp(world, person, '/diagnostics')
  await screen.findByText('Nothing has been checked yet.')
  expect(fixButton().disabled).toBe(true)
  await press('Check Missing Associations')
  await screen.findByText(/^Found 2 missing associations out of [\d,]+ checked\.$/)
  expect(await missingByKind('2')).toEqual(['2', '0', '0', '0', '0'])
  await screen.findByText(/follows with the next sync/)
  const json = screen.getByRole('region', { name: 'Missing Transaction-to-Subscription Associations' })
  expect(JSON.parse(json.querySelector('pre')?.textContent ?? '')).toHaveLength(2)
  fireEvent.click(fixButton())
  expect(await missingByKind('0')).toEqual(['0', '0', '0', '0', '0'])
  expect(screen.queryByText(/follows with the next sync/)).toBeNull()
  expect(fixButton().disabled).toBe(true)
})

/** Returns the counts once the first of them has the expected value. */
async function missingByKind(first: string): Promise<string[]> {
  const table = await screen.findByRole('table', { name: 'Missing by Kind' })
  await within(table).findByRole('rowheader', { name: 'Transaction to subscription' })
  return waitFor(() => {
    const cells = within(table)
      .getAllByRole('cell')
      .map((cell) => cell.textContent)
    if (cells[0] !== first) throw new Error(`shows ${cells.join()}`)
    return cells
  })
}

test('a check that failed stays told on the page until the next one', async () => {
  let isAway = true
  const answer: typeof fetch = async (input, init) =>
    isAway && String(input).startsWith(checkMissingAssociations.path)
      ? Response.json(
          { error: { code: 'provider_unreachable', message: 'HubSpot is away.' } },
          { status: 502 },
        )
      : person.fetch(input, init)
  const app = openApp(world, { ...person, fetch: answer }, '/diagnostics')
  await press('Check Missing Associations')
  await app.told('HubSpot is away.')
  expect((await screen.findByRole('alert', { name: 'Error' })).textContent).toBe('ErrorHubSpot is away.')
  isAway = false
  await press('Check Missing Associations')
  await screen.findByRole('table', { name: 'Missing by Kind' })
  expect(screen.queryByRole('alert', { name: 'Error' })).toBeNull()
})

test('the samples belong together, and their test shows what HubSpot answered', async () => {
  openApp(world, person, '/diagnostics')
  fireEvent.click(await screen.findByRole('tab', { name: 'Manual Association Testing' }))
  const id = async (name: string) => screen.findByLabelText<HTMLInputElement>(name)
  await screen.findByRole('option', { name: /^Sample: sub_[^:]+$/ })
  const [transactionId, subscriptionId] = [await id('Transaction ID'), await id('Subscription ID')]
  // Each of the two samples has its own call.
  await waitFor(() => expect(transactionId.value).not.toBe(''))
  const owner = await inOrganization(world.deps.database, person.organizationId, ({ sql }) =>
    sql
      .selectFrom('events')
      .select('subscription_id')
      .where('id', '=', transactionId.value)
      .executeTakeFirst(),
  )
  expect(subscriptionId.value).toBe(owner?.subscription_id)
  await press('Test Association')
  await screen.findByRole('region', { name: 'Creation Result' })
  expect(
    screen.getAllByText('The association was there already, and nothing changed.').length,
  ).toBeGreaterThan(0)
  fireEvent.change(transactionId, { target: { value: '' } })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Test Association' }).disabled).toBe(true)
})

test('an unknown id is an error in words', async () => {
  openApp(world, person, '/diagnostics')
  fireEvent.click(await screen.findByRole('tab', { name: 'Manual Association Testing' }))
  await screen.findByRole('option', { name: /^Sample: sub_[^:]+$/ })
  fireEvent.change(screen.getByLabelText('Transaction ID'), { target: { value: 'ev_unknown' } })
  await press('Test Association')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('There is no transaction with this ID here.')
})

test('the repair stands in Sync History', async () => {
  openApp(world, person, '/sync-history')
  const rows = await rowsOf('Sync History', (found) => found.length >= 3)
  expect(rows[0]?.slice(0, 6)).toEqual([
    'Completed',
    'Data Sync',
    expect.any(String),
    expect.any(String),
    '2',
    '0',
  ])
})

test('a member is told whom it is for', async () => {
  const member = await world.person()
  await inOrganization(world.deps.database, member.organizationId, ({ sql }) =>
    sql
      .updateTable('member')
      .set({ role: 'member' })
      .where('organizationId', '=', member.organizationId)
      .execute(),
  )
  openApp(world, member, '/diagnostics')
  await screen.findByText('This is for owners and admins of the organization.')
})

test('a refusal that a check finds is told by the strip alone', async () => {
  const app = openApp(world, person, '/diagnostics')
  const body = JSON.stringify({ hubId: enterprise })
  const revoked = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  await world.hubspot.fetch(new Request('http://hubspot.example/_control/revoke-app', revoked))
  await press('Check Missing Associations')
  await app.told(/no longer accepts this connection/)
  await screen.findByRole('note', { name: 'HubSpot refuses the connection' })
  expect(screen.queryByRole('alert', { name: 'Error' })).toBeNull()
  expect(screen.queryByText('Nothing has been checked yet.')).toBeNull()
})
