import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { addRunErrors, addRunLog, countRunErrors } from '#server/store/runs/run-lines.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addRun } from '#test/store/seed.ts'
import { openApp, press, rowsOf } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 8, minute))
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addRun(tenant, { id: 'run_bare', kind: 'push', status: 'completed', at: at(1) })
    await addRun(tenant, { id: 'run_failed', kind: 'import', status: 'failed', at: at(2) })
    await addRun(tenant, { id: 'run_going', kind: 'push', status: 'in_progress', at: at(3) })
    const ended = { completed_at: at(4), processed_records: 1_234, failed_records: 2 }
    const ofRun = tenant.sql.updateTable('runs').where('organization_id', '=', tenant.organizationId)
    await ofRun
      .set({ ...ended, error: 'Stripe was away.' })
      .where('id', '=', 'run_failed')
      .execute()
    await ofRun
      .set({ completed_at: new Date(Date.UTC(2026, 10, 1, 8, 1, 9)) })
      .where('id', '=', 'run_bare')
      .execute()
    const errors = [
      { sourceId: 'in_77', message: 'The invoice has no lines.' },
      { sourceId: null, message: '' },
    ]
    await addRunErrors(tenant, 'run_failed', errors, at(3))
    await addRunLog(tenant, 'run_failed', 'page 3 read again', at(3))
  })
})
afterAll(() => world.close())

const open = async (path = '/sync-history') => {
  const app = openApp(world, person, path)
  const rows = await rowsOf('Sync History', (found) => found.length === 3)
  return { app, rows }
}

/** Opens the details of the run in the row with this text. */
const openDetails = async (text: string) => {
  const row = screen.getAllByRole('row').find((candidate) => candidate.textContent?.includes(text))
  if (row === undefined) throw new Error(`There is no row with ${text}`)
  within(row).getAllByRole('link')[0]?.click()
  const dialog = within(await screen.findByRole('dialog', { name: 'Sync Details' }))
  await dialog.findByText('Records processed')
  return dialog
}

const factOf = (dialog: Awaited<ReturnType<typeof openDetails>>, name: string) =>
  dialog.queryByRole('rowheader', { name })?.nextElementSibling?.textContent

test.each(['/sync-history', '/sync-errors'])('%s lists imports and pushes, newest first', async (path) => {
  const { rows } = await open(path)
  expect(rows.map((row) => row.toSpliced(2, 1))).toEqual([
    ['In Progress', 'Data Sync', 'In progress', '0', '0', '-', '-'],
    ['Failed', 'Data Import', '2m 0s', '1,234', '2', '-Stripe was away.', '-'],
    ['Completed', 'Data Sync', '9s', '0', '0', '-', '-'],
  ])
})

test('an address leads to the details of one run, and back to the list with its filters', async () => {
  const app = openApp(world, person, '/sync-history/run_failed?type=import')
  const dialog = within(await screen.findByRole('dialog', { name: 'Sync Details' }))
  expect(await dialog.findByText('Stripe was away.')).toBeTruthy()
  dialog.getByRole('button', { name: 'Close' }).click()
  await waitFor(() => expect(app.address()).toBe('/sync-history?type=import'))
})

test('an unknown run is told in words, with a way back', async () => {
  const app = openApp(world, person, '/sync-history/run_nowhere')
  const dialog = within(await screen.findByRole('dialog', { name: 'Sync Details' }))
  expect(await dialog.findByText('There is no such run')).toBeTruthy()
  dialog.getByRole('button', { name: 'Back to Sync History' }).click()
  await waitFor(() => expect(app.address()).toBe('/sync-history'))
})

test('the dialog tells what went wrong, record by record', async () => {
  await open()
  const dialog = await openDetails('Failed')
  const reason = dialog.getByText('Stripe was away.')
  const summary = dialog.getByText('Records processed')
  expect(reason.compareDocumentPosition(summary)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(within(reason).getByRole('link', { name: 'Data Sync' })).toBeTruthy()
  expect(dialog.getByText('1,232')).toBeTruthy()
  expect(factOf(dialog, 'Duration')).toBe('2m 0s')
  within(dialog.getByRole('cell', { name: '2 errors' }))
    .getByRole('button')
    .click()
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Error Details'))
  const [, ...errors] = within(dialog.getByRole('table', { name: 'Error Details' })).getAllByRole('row')
  const texts = errors.map((row) =>
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  )
  expect(texts.map((cells) => cells.slice(0, 2))).toEqual([
    ['in_77', 'The invoice has no lines.'],
    ['N/A', 'Unknown error'],
  ])
  expect(dialog.getByText(/page 3 read again/)).toBeTruthy()
  expect(dialog.queryByText('No details available for this sync job.')).toBeNull()
})

test('a failed run tells its step, the request with the id for support, and starts it again', async () => {
  const other = await world.person()
  await other.connectHubspot()
  await other.connectStripe()
  const ended = { completed_at: new Date(), error: 'HubSpot refused a request: No.' }
  const request = { method: 'POST', path: '/crm/objects/{id}/batch/read', status: 400, id: 'corr-4711' }
  await inOrganization(world.deps.database, other.organizationId, async (tenant) => {
    await addRun(tenant, { id: 'run_no', kind: 'push', status: 'failed' })
    const failed = { failed_phase: 'subscriptions', failed_request: JSON.stringify(request) }
    await tenant.sql
      .updateTable('runs')
      .set({ ...ended, ...failed })
      .where('id', '=', 'run_no')
      .execute()
  })
  openApp(world, other, '/sync-history/run_no')
  const dialog = within(await screen.findByRole('dialog', { name: 'Sync Details' }))
  const facts = await dialog.findAllByRole('listitem')
  expect(facts.map(({ textContent }) => textContent)).toEqual([
    'Step: Subscriptions to HubSpot',
    'Request: POST /crm/objects/{id}/batch/read',
    'Answer: 400',
    'Request id: corr-4711',
  ])
  expect(dialog.getByRole('button', { name: 'Copy for support' })).toBeTruthy()
  ;(await dialog.findByRole('button', { name: 'Sync to HubSpot' })).click()
  await waitFor(async () => {
    const { histories } = await (await other.fetch('/api/sync/history')).json()
    expect(histories.map(({ status }: { status: string }) => status)).toEqual(['in_progress', 'failed'])
  })
  await world.drain()
})

test('a run that failed as a whole has a dash for its errors, and says why', async () => {
  const other = await world.person()
  await inOrganization(world.deps.database, other.organizationId, async (tenant) => {
    await addRun(tenant, { id: 'run_whole', kind: 'push', status: 'failed' })
    await tenant.sql
      .updateTable('runs')
      .set({ completed_at: new Date(), error: 'HubSpot is away.' })
      .execute()
  })
  openApp(world, other, '/sync-history?errors=with')
  const [row] = await rowsOf('Sync History', (found) => found.length === 1)
  expect(row).toContain('-No record was refused: the run failed as a whole')
  expect(row).toContain('HubSpot is away.')
  const dialog = await openDetails('HubSpot is away.')
  expect(factOf(dialog, 'Errors')).toBe('-No record was refused: the run failed as a whole')
})

test('a failed import is started again from its details, and followed on Data Sync; an older one says how the last ended', async () => {
  const other = await world.person()
  await other.connectStripe()
  const ended = { completed_at: new Date(Date.UTC(2026, 10, 1, 9)), error: 'Stripe was away.' }
  await inOrganization(world.deps.database, other.organizationId, async (tenant) => {
    for (const [id, hour] of [
      ['run_old', 7],
      ['run_new', 8],
    ] as const)
      await addRun(tenant, {
        id,
        kind: 'import',
        status: 'failed',
        at: new Date(Date.UTC(2026, 10, 1, hour)),
      })
    await tenant.sql.updateTable('runs').set(ended).execute()
    const before = { completed_at: new Date(Date.UTC(2026, 10, 1, 8, 30)) }
    await tenant.sql.updateTable('runs').set(before).where('id', '=', 'run_old').execute()
    await tenant.sql
      .updateTable('connections')
      .set({ connected_at: new Date(0) })
      .execute()
  })
  const app = openApp(world, other, '/sync-history/run_old?type=import')
  const later = await screen.findByRole('link', { name: 'A later import has failed too' })
  expect(later.getAttribute('href')).toBe('/sync-history/run_new?type=import')
  // Nothing is left to be started.
  expect(screen.queryByText(/buttons that start it again/)).toBeNull()
  expect(screen.queryByRole('button', { name: 'Import from Stripe' })).toBeNull()
  later.click()
  await press('Import from Stripe')
  await waitFor(() => expect(app.address()).toBe('/data-sync'))
  await app.told('Import Started')
  await world.drain()
})

test('the dialog of a run without details says so', async () => {
  await open()
  const dialog = await openDetails('Completed')
  expect(dialog.getByText('No details available for this sync job.')).toBeTruthy()
})

test('a run that goes on has no duration yet', async () => {
  await open()
  const dialog = await openDetails('In Progress')
  expect(factOf(dialog, 'Completed at')).toBe('In progress')
  expect(factOf(dialog, 'Duration')).toBeUndefined()
})

test('Refresh shows what has come since', async () => {
  const { app } = await open()
  await inOrganization(world.deps.database, person.organizationId, (tenant) =>
    addRun(tenant, { id: 'run_late', kind: 'import', status: 'completed' }),
  )
  await press('Refresh')
  expect(await rowsOf('Sync History', (found) => found.length === 4)).toHaveLength(4)
  expect(app.address()).toBe('/sync-history')
})

test('an organization that never synced is told what will appear', async () => {
  openApp(world, await world.person(), '/sync-history')
  expect(await screen.findByText('No sync history found')).toBeTruthy()
  expect(screen.getByText('When you run data syncs, they will appear here.')).toBeTruthy()
  const way = screen.getByRole('link', { name: 'Start one under Data Sync' })
  expect(way.getAttribute('href')).toBe('/data-sync')
  expect(screen.getByRole('button', { name: 'Export CSV' }).hasAttribute('disabled')).toBe(true)
})

test('runs with errors and those of some days are found by filters', async () => {
  const app = openApp(world, person, '/sync-history?errors=with')
  const rows = await rowsOf('Sync History', (found) => found.length === 1)
  expect(rows[0]?.slice(0, 2)).toEqual(['Failed', 'Data Import'])
  screen.getByRole('button', { name: 'Remove the filter Errors: With errors' }).click()
  await waitFor(() => expect(app.address()).toBe('/sync-history'))
  await app.goTo('/sync-history?startedTo=2020-01-31')
  expect(
    await screen.findByRole('button', { name: 'Remove the filter Started until (UTC): 2020-01-31' }),
  ).toBeTruthy()
  expect(await screen.findByText('No sync history found')).toBeTruthy()
})

test('what cannot be fetched is said in words', async () => {
  const broken: typeof fetch = async (input, init) =>
    String(input).startsWith('/api/sync/history')
      ? new Response('upstream is away', { status: 502 })
      : person.fetch(input, init)
  openApp(world, { fetch: broken }, '/sync-history')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('An error occurred while fetching sync history.')
  expect(alert.textContent).toContain('502: upstream is away')
})

test('a push that was refused something offers to retry just that', async () => {
  const other = await world.person()
  await other.connectHubspot()
  await other.connectStripe()
  const at = new Date(Date.UTC(2026, 10, 1, 8))
  await inOrganization(world.deps.database, other.organizationId, async (tenant) => {
    await addRun(tenant, { id: 'run_refused', kind: 'push', status: 'completed', at })
    const ids = ['sub_1', 'sub_2', 'sub_3', 'sub_4', 'sub_4:2026-08-09T02:31:30Z:change']
    const message = 'The name is too long.'
    await countRunErrors(
      tenant,
      'run_refused',
      ids.map((sourceId) => ({ sourceId, message })),
      at,
    )
  })
  const app = openApp(world, other, '/sync-history')
  await rowsOf('Sync History', (found) => found.length === 1)
  const dialog = await openDetails('Completed')
  const table = within(dialog.getByRole('table', { name: 'Error Details' }))
  const [source, message] = table.getAllByRole('cell')
  expect([source?.textContent, message?.textContent]).toEqual([
    'sub_1, sub_2, sub_3 and 2 others',
    'The name is too long.',
  ])
  fireEvent.click(table.getByRole('button', { name: '2 others' }))
  // An event leads to its subscription, which marks it.
  expect(table.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    ...['sub_1', 'sub_2', 'sub_3', 'sub_4'].map((id) => `/subscriptions/${id}`),
    '/subscriptions/sub_4?event=sub_4%3A2026-08-09T02%3A31%3A30Z%3Achange',
  ])
  expect(dialog.getByRole('link', { name: 'Sync Health' }).getAttribute('href')).toBe('/sync-health')
  dialog.getByRole('button', { name: 'Retry Failed Records' }).click()
  expect(await rowsOf('Sync History', (found) => found.length === 2)).toHaveLength(2)
  await world.drain()
  await app.poll()
  await app.told(/^Retry complete.*is up to date\./)
  const [run] = await inOrganization(world.deps.database, other.organizationId, ({ sql }) =>
    sql.selectFrom('runs').select(['options', 'status']).where('id', '<>', 'run_refused').execute(),
  )
  expect(run).toMatchObject({ status: 'completed', options: { part: 'failed' } })
})
