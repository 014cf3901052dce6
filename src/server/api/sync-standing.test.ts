import { afterAll, beforeAll, expect, it } from 'vitest'
import { getAttention } from '#contract/dashboard.ts'
import { getSyncState, getSyncStatus } from '#contract/sync.ts'
import { newWorld, type TestWorld } from '#test/harness.ts'
import { addConnections, addRun } from '#test/store/seed.ts'
import {
  type ConnectionProvider,
  deleteConnection,
  findConnection,
  type NewConnection,
  saveConnection,
  setConnectionWarning,
} from '../store/connections/connections.ts'
import { saveCrmObject } from '../store/crm/crm-objects.ts'
import { inOrganization, type Tenant } from '../store/postgres/database.ts'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

type Step = (tenant: Tenant, at: Date) => Promise<unknown>
type Kind = 'import' | 'push' | 'recount'
type Status = Parameters<typeof addRun>[1]['status']

/** A run that begins and ends when the step is taken. */
function run(kind: Kind, status: Status, options: object = {}): Step {
  return async (tenant, at) => {
    const id = `${kind} of ${at.getUTCHours()}`
    await addRun(tenant, { id, kind: kind === 'recount' ? 'import' : kind, status, at })
    const ended =
      status === 'in_progress' ? {} : { completed_at: at, error: status === 'failed' ? 'No.' : null }
    const set = { kind, options: JSON.stringify(options), ...ended }
    await tenant.sql.updateTable('runs').set(set).where('id', '=', id).execute()
  }
}

function refuse(provider: ConnectionProvider): Step {
  return async (tenant) => {
    const connection = await findConnection(tenant, provider)
    if (connection === undefined) throw new Error('not connected')
    await setConnectionWarning(tenant, connection, 'Refused.')
  }
}

const connectionOf = (provider: ConnectionProvider, at: Date): NewConnection => ({
  ...{ provider, accountId: provider === 'crm' ? '4711' : 'acct_1', isLive: false, at },
  ...{ sealedSecret: 'sealed', secretHint: null },
})

/** As a person connects, whether or not it was connected before. */
function connect(provider: ConnectionProvider): Step {
  return (tenant, at) => saveConnection(tenant, connectionOf(provider, at))
}

/** As tokens are renewed, which nobody notices. */
const renew: Step = (tenant, at) => saveConnection(tenant, connectionOf('crm', at), { isRenewal: true })
const disconnect: Step = (tenant) => deleteConnection(tenant, 'crm')

const loseObjects: Step = (tenant, at) =>
  saveCrmObject(
    tenant,
    '4711',
    { kind: 'event', objectTypeId: null, state: 'failed', reason: null, advice: null },
    at,
  )

const good = [run('import', 'completed'), run('push', 'completed')]
const nothing = { import: null, sync: null, dead: [], failed: [] }

/** What happened, an hour each, and what every call has to say of it. */
const situations: Record<string, [Step[], object]> = {
  'nothing ran yet': [[], { state: 'never', ...nothing }],
  'all went well': [good, { state: 'synced', ...nothing }],
  'a sync failed': [
    [...good, run('push', 'failed')],
    { ...nothing, state: 'failed', sync: 'failed', failed: ['sync failed'] },
  ],
  'a sync failed, and a later import found nothing new': [
    [...good, run('push', 'failed'), run('import', 'completed')],
    { ...nothing, state: 'failed', sync: 'failed', failed: ['sync failed'] },
  ],
  'a sync failed, and the next was canceled': [
    [...good, run('push', 'failed'), run('push', 'cancelled')],
    { ...nothing, state: 'failed', sync: 'failed', failed: ['sync failed'] },
  ],
  'a sync failed, and the retry of what was refused succeeded since': [
    [...good, run('push', 'failed'), run('push', 'completed', { part: 'failed' })],
    { ...nothing, state: 'synced' },
  ],
  'a sync failed, and a sync of what is due succeeded since': [
    [...good, run('push', 'failed'), run('push', 'completed', { part: 'due' })],
    { ...nothing, state: 'synced' },
  ],
  'a sync failed, and a repair of associations succeeded since': [
    [...good, run('push', 'failed'), run('push', 'completed', { part: 'associations' })],
    { ...nothing, state: 'failed', sync: 'failed', failed: ['sync failed'] },
  ],
  'a part of a sync failed, and succeeded since': [
    [...good, run('push', 'failed', { part: 'due' }), run('push', 'completed', { part: 'due' })],
    { ...nothing, state: 'synced' },
  ],
  'a sync failed, and a hint is being followed': [
    [...good, run('push', 'failed'), run('import', 'in_progress', { isHint: true })],
    { ...nothing, state: 'failed', sync: 'failed', failed: ['sync failed'] },
  ],
  'a sync failed, and the next is running': [
    [...good, run('push', 'failed'), run('push', 'in_progress')],
    { ...nothing, state: 'running', sync: 'failed', failed: ['sync failed'] },
  ],
  'a sync failed, and the next succeeded': [
    [...good, run('push', 'failed'), run('push', 'completed')],
    { ...nothing, state: 'synced' },
  ],
  'an import failed, and a sync succeeded since': [
    [...good, run('import', 'failed'), run('push', 'completed')],
    { ...nothing, state: 'failed', import: 'failed', failed: ['import failed'] },
  ],
  'HubSpot refuses the connection, so a sync failed': [
    [...good, refuse('crm'), run('push', 'failed')],
    { ...nothing, state: 'refused', dead: ['hubspot'] },
  ],
  'Stripe refuses the connection, so an import failed': [
    [...good, refuse('payments'), run('import', 'failed')],
    { ...nothing, state: 'refused', dead: ['stripe'] },
  ],
  'Stripe refuses the connection, and a sync failed for another reason': [
    [...good, run('push', 'failed'), refuse('payments')],
    { ...nothing, state: 'refused', dead: ['stripe'], sync: 'failed', failed: ['sync failed'] },
  ],
  'HubSpot was connected again since a sync failed': [
    [...good, refuse('crm'), run('push', 'failed'), connect('crm')],
    { ...nothing, state: 'reconnected', sync: 'reconnected', failed: ['sync reconnected'] },
  ],
  'Stripe was connected again since an import failed': [
    [...good, refuse('payments'), run('import', 'failed'), connect('payments')],
    { ...nothing, state: 'reconnected', import: 'reconnected', failed: ['import reconnected'] },
  ],
  'the tokens were renewed since a sync failed': [
    [...good, run('push', 'failed'), renew],
    { ...nothing, state: 'failed', sync: 'failed', failed: ['sync failed'] },
  ],
  'HubSpot was disconnected since a sync failed': [
    [...good, run('push', 'failed'), disconnect],
    { ...nothing, state: 'no_hubspot' },
  ],
  'HubSpot was disconnected and connected since a sync failed': [
    [...good, run('push', 'failed'), disconnect, connect('crm')],
    { ...nothing, state: 'reconnected', sync: 'reconnected', failed: ['sync reconnected'] },
  ],
  'HubSpot was connected again since a sync failed, and the custom objects could not be created': [
    [...good, refuse('crm'), run('push', 'failed'), connect('crm'), loseObjects],
    { ...nothing, state: 'objects_missing', sync: 'reconnected', failed: ['sync reconnected'] },
  ],
  'HubSpot was connected again, and a sync succeeded': [
    [...good, refuse('crm'), run('push', 'failed'), connect('crm'), run('push', 'completed')],
    { ...nothing, state: 'synced' },
  ],
  'HubSpot was connected again, and a sync failed again': [
    [...good, refuse('crm'), run('push', 'failed'), connect('crm'), run('push', 'failed')],
    { ...nothing, state: 'failed', sync: 'failed', failed: ['sync failed'] },
  ],
  'a recount failed': [
    [...good, run('recount', 'failed')],
    { ...nothing, state: 'synced', failed: ['recount failed'] },
  ],
}

it.each(Object.entries(situations))('every screen tells the same: %s', async (_, [steps, said]) => {
  const person = await world.person()
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addConnections(tenant)
    const connected_at = new Date('2026-10-01T00:00:00Z')
    await tenant.sql.updateTable('connections').set({ connected_at }).execute()
    for (const [index, step] of steps.entries()) await step(tenant, new Date(Date.UTC(2026, 9, 1, index + 1)))
  })
  const get = async (path: string): Promise<unknown> => (await person.fetch(path)).json()
  const { state, refused } = getSyncState.response.parse(await get('/api/sync/state'))
  const { lastImport, lastSync } = getSyncStatus.response.parse(await get('/api/sync/status'))
  const { deadConnections, failedRuns } = getAttention.response.parse(await get('/api/dashboard/attention'))
  const dead = deadConnections.map(({ provider }) => provider)
  expect({
    ...{ state, import: lastImport?.problem ?? null, sync: lastSync?.problem ?? null, dead },
    failed: failedRuns.map(({ type, problem }) => `${type} ${problem}`),
  }).toEqual(said)
  expect(refused).toEqual(dead)
})
