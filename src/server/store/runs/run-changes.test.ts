import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ChangedRecord, runRecordsMax } from '#domain/crm-record.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addRun } from '#test/store/seed.ts'
import { inOrganization, type Tenant } from '../postgres/database.ts'
import { addLinkChanges, addRunChanges } from './run-changes.ts'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
})
afterAll(() => world.close())

const runId = 'run_of_links'
const idsOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => `sub_${String(from + n).padStart(4, '0')}`)
const work = <T>(of: (tenant: Tenant) => Promise<T>) =>
  inOrganization(world.deps.database, person.organizationId, of)
const link = (change: 'linked' | 'unlinked', sourceIds: string[]) =>
  work((tenant) => addLinkChanges(tenant, runId, { kind: 'subscription', change, sourceIds }))
const write = (change: ChangedRecord['change'], ids: string[]) =>
  work((tenant) => {
    const records = ids.map((id) => ({ id, subscriptionId: id, change }))
    return addRunChanges(tenant, runId, { subscriptions: ids.length }, { kind: 'subscription', records })
  })
const kept = () =>
  work(async ({ sql }) => {
    const rows = await sql.selectFrom('run_records').select(['source_id', 'change']).execute()
    return new Map(rows.map((row) => [row.source_id, row.change]))
  })

it('keeps as many linked records as the changed ones leave room for, and what else a run did with them', async () => {
  await work(async (tenant) => {
    await addRun(tenant, { id: runId, kind: 'push', status: 'in_progress' })
    const none = { changed_subscriptions: 0, changed_events: 0, changed_links: 0 }
    await tenant.sql.updateTable('runs').set(none).where('id', '=', runId).execute()
  })
  const [created = ''] = idsOf(0, 1)
  await write('added', [created])
  await link('unlinked', idsOf(5, 6))
  await link('linked', idsOf(5, 12))
  await Promise.all([link('linked', idsOf(0, 150)), link('linked', idsOf(100, 400))])
  expect((await kept()).size).toBe(runRecordsMax)
  await link('unlinked', idsOf(0, 20))
  await write('changed', idsOf(10, 11))
  await write('added', idsOf(500, 501))
  const now = await kept()
  expect(now.size).toBe(runRecordsMax + 1)
  expect([created, ...idsOf(5, 6), ...idsOf(10, 12), ...idsOf(500, 501)].map((id) => now.get(id))).toEqual([
    'added',
    'linked',
    'changed',
    'linked',
    'added',
  ])
  const run = await work(({ sql }) =>
    sql.selectFrom('runs').select(['changed_links', 'changed_subscriptions']).executeTakeFirstOrThrow(),
  )
  expect(run).toEqual({ changed_links: 478, changed_subscriptions: 3 })
})
