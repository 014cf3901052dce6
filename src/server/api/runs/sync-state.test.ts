import { afterAll, beforeAll, expect, it } from 'vitest'
import { getSyncState } from '#contract/sync.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addConnections, addRun, addSubscription } from '#test/store/seed.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { updateSettings } from '../../store/setup/settings.ts'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
})
afterAll(() => world.close())

const within = (act: (tenant: Tenant) => Promise<unknown>) =>
  inOrganization(world.deps.database, person.organizationId, act)
const state = async () => getSyncState.response.parse(await (await person.fetch('/api/sync/state')).json())

/** Adds a run that began and ended in this hour of one day. */
async function add(id: string, kind: 'import' | 'push', status: Parameters<typeof addRun>[1]['status']) {
  const at = new Date(`2026-10-01T${id}:00:00Z`)
  await within(async (tenant) => {
    await addRun(tenant, { id, kind, status, at })
    if (status === 'in_progress') return
    await tenant.sql.updateTable('runs').set({ completed_at: at }).where('id', '=', id).execute()
  })
}

const nothing = { running: null, refused: [], lastCompletedAt: null, waitingRecords: 0, automatic: 'paused' }

it('says how the last import or push ended, and when the last one succeeded', async () => {
  expect(await state()).toEqual({ ...nothing, state: 'not_connected' })
  await within(addConnections)
  const connected_at = new Date('2026-10-01T00:00:00Z')
  await within((tenant) => tenant.sql.updateTable('connections').set({ connected_at }).execute())
  expect(await state()).toEqual({ ...nothing, state: 'never' })

  await add('01', 'import', 'completed')
  const first = { ...nothing, state: 'synced', lastCompletedAt: '2026-10-01T01:00:00.000Z' }
  expect(await state()).toEqual(first)
  await add('02', 'push', 'cancelled')
  expect(await state()).toEqual(first)
  await add('03', 'push', 'failed')
  expect(await state()).toEqual({ ...first, state: 'failed' })
  await add('04', 'push', 'completed')
  expect(await state()).toMatchObject({ state: 'synced', lastCompletedAt: '2026-10-01T04:00:00.000Z' })

  const alter = (set: { warning: string | null } | { earlier_account_id: string | null }) =>
    within((tenant) =>
      tenant.sql
        .updateTable('connections')
        .set(set)
        .where('organization_id', '=', person.organizationId)
        .where('provider', '=', 'crm')
        .execute(),
    )
  // A record that no portal holds, and then one in the connected portal.
  await within((tenant) => addSubscription(tenant, { id: 'sub_1' }))
  expect(await state()).toMatchObject({ state: 'imported' })
  await alter({ earlier_account_id: '7' })
  expect(await state()).toMatchObject({ state: 'undecided' })
  await alter({ earlier_account_id: null })
  const link = { organization_id: person.organizationId, kind: 'subscription', source_id: 'sub_1' }
  await within((tenant) =>
    tenant.sql
      .insertInto('crm_links')
      .values([
        { ...link, portal_id: '4711', state: 'failed' },
        { ...link, portal_id: '7', record_id: '1' },
      ])
      .execute(),
  )
  expect(await state()).toMatchObject({ state: 'imported' })
  await within((tenant) =>
    tenant.sql
      .updateTable('crm_links')
      .set({ record_id: '2', state: 'confirmed' })
      .where('portal_id', '=', '4711')
      .execute(),
  )
  expect(await state()).toMatchObject({ state: 'waiting', waitingRecords: 1 })
  const confirm = (confirmed_at: Date) =>
    within((tenant) =>
      tenant.sql.updateTable('crm_links').set({ confirmed_at }).where('portal_id', '=', '4711').execute(),
    )
  await confirm(new Date('2100-01-01T00:00:00Z'))
  expect(await state()).toMatchObject({ state: 'synced', waitingRecords: 0 })
  await confirm(new Date('2000-01-01T00:00:00Z'))
  expect(await state()).toMatchObject({ state: 'waiting', waitingRecords: 1 })

  const fail = (state: string) =>
    within((tenant) =>
      tenant.sql.updateTable('crm_links').set({ state }).where('portal_id', '=', '4711').execute(),
    )
  await fail('failed')
  expect(await state()).toMatchObject({ state: 'incomplete' })
  await fail('confirmed')

  await add('05', 'import', 'in_progress')
  const running = { state: 'running', running: 'import', lastCompletedAt: '2026-10-01T04:00:00.000Z' }
  expect(await state()).toMatchObject(running)

  await alter({ warning: 'Revoked.' })
  expect(await state()).toMatchObject({ state: 'refused', refused: ['hubspot'] })
  await alter({ warning: null })
  const disconnect = (provider: string) =>
    within((tenant) => tenant.sql.deleteFrom('connections').where('provider', '=', provider).execute())
  await disconnect('crm')
  // The first import goes on before HubSpot is connected.
  expect(await state()).toMatchObject(running)
  await within((tenant) =>
    tenant.sql.updateTable('runs').set({ status: 'cancelled' }).where('id', '=', '05').execute(),
  )
  for (const [provider, left] of [
    ['crm', 'no_hubspot'],
    ['payments', 'not_connected'],
  ] as const) {
    await disconnect(provider)
    expect(await state()).toMatchObject({ state: left })
  }
})

it('says whether changes are synced by themselves', async () => {
  const automatic = async (set: Parameters<typeof updateSettings>[1]) => {
    await within((tenant) => updateSettings(tenant, set))
    return (await state()).automatic
  }
  expect(await automatic({})).toBe('paused')
  expect(await automatic({ setupComplete: true })).toBe('on')
  expect(await automatic({ autoSyncEnabled: false })).toBe('off')
  expect(await automatic({ setupComplete: false })).toBe('off')
})
