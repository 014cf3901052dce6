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
const toFirm = { portalId: '7', kind: { kind: 'subscription', target: 'company' } } as const
const tie = (sourceId: string) => ({ sourceId, toRecordId: 'firm' })
const link = (change: 'linked' | 'unlinked', sourceIds: string[]) =>
  work((tenant) => addLinkChanges(tenant, runId, { ...toFirm, change, rows: sourceIds.map(tie) }))
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

it('keeps what became of each link of a record at last, also of one that was written before or after', async () => {
  const id = 'run_of_each_link'
  await work(async (tenant) => {
    await addRun(tenant, { id, kind: 'push', status: 'completed' })
    const none = { changed_subscriptions: 0, changed_events: 0, changed_links: 0 }
    await tenant.sql.updateTable('runs').set(none).where('id', '=', id).execute()
    const records = [{ id: 'sub_written', subscriptionId: 'sub_written', change: 'changed' as const }]
    await addRunChanges(tenant, id, { subscriptions: 1 }, { kind: 'subscription', records })
    const to = (toRecordId: string, sourceIds: string[]) =>
      sourceIds.map((sourceId) => ({ sourceId, toRecordId }))
    const both = ['sub_linked', 'sub_written']
    await addLinkChanges(tenant, id, { ...toFirm, change: 'linked', rows: to('new', both) })
    await addLinkChanges(tenant, id, {
      ...{ ...toFirm, change: 'unlinked' },
      rows: [...to('old', both), ...to('new', ['sub_written'])],
    })
    await addRunChanges(
      tenant,
      id,
      { subscriptions: 1 },
      {
        kind: 'subscription',
        records: [{ id: 'sub_linked', subscriptionId: 'sub_linked', change: 'added' }],
      },
    )
  })
  const rows = await work(({ sql }) =>
    sql
      .selectFrom('run_records')
      .select(['source_id', 'change', 'links'])
      .where('run_id', '=', id)
      .orderBy('source_id')
      .execute(),
  )
  expect(rows).toEqual([
    {
      ...{ source_id: 'sub_linked', change: 'added' },
      links: { '7/company/new': 'linked', '7/company/old': 'unlinked' },
    },
    {
      ...{ source_id: 'sub_written', change: 'changed' },
      links: { '7/company/new': 'unlinked', '7/company/old': 'unlinked' },
    },
  ])
})

it('keeps what a record was before the first write of a run, and what it is after the last', async () => {
  const id = 'run_of_writes'
  await work(async (tenant) => {
    await addRun(tenant, { id, kind: 'push', status: 'completed' })
    const none = { changed_subscriptions: 0, changed_events: 0, changed_links: 0 }
    await tenant.sql.updateTable('runs').set(none).where('id', '=', id).execute()
  })
  const mrr = (value: string) => ({ mrr: value })
  const record = (
    source: string,
    change: ChangedRecord['change'],
    told: ChangedRecord['told'],
  ): ChangedRecord => ({
    ...{ id: source, subscriptionId: source, change },
    ...(told === undefined ? {} : { told }),
  })
  const writeAll = (records: ChangedRecord[]) =>
    work((tenant) =>
      addRunChanges(tenant, id, { subscriptions: records.length }, { kind: 'subscription', records }),
    )
  await work((tenant) =>
    addLinkChanges(tenant, id, { ...toFirm, change: 'linked', rows: [tie('sub_linked')] }),
  )
  await writeAll([
    record('sub_twice', 'changed', { before: mrr('10.00'), after: mrr('20.00') }),
    record('sub_new', 'added', null),
    record('sub_unknown', 'changed', null),
  ])
  await writeAll([
    ...['sub_twice', 'sub_new', 'sub_unknown'].map((source) =>
      record(source, 'changed', { before: mrr('20.00'), after: mrr('30.00') }),
    ),
    record('sub_linked', 'changed', { before: mrr('1.00'), after: mrr('2.00') }),
  ])
  const rows = await work(({ sql }) =>
    sql
      .selectFrom('run_records')
      .select(['source_id', 'change', 'told_before', 'told_after'])
      .where('run_id', '=', id)
      .orderBy('source_id')
      .execute(),
  )
  expect(rows).toEqual([
    { source_id: 'sub_linked', change: 'changed', told_before: mrr('1.00'), told_after: mrr('2.00') },
    { source_id: 'sub_new', change: 'added', told_before: null, told_after: mrr('30.00') },
    { source_id: 'sub_twice', change: 'changed', told_before: mrr('10.00'), told_after: mrr('30.00') },
    { source_id: 'sub_unknown', change: 'changed', told_before: null, told_after: mrr('30.00') },
  ])
})
