import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger, starter } from '#test/push/open-bench.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { countSynced } from '../../store/crm/crm-links.ts'
import { findRecordStanding } from '../../store/crm/record-standing.ts'
import { findUntied, hasUntied } from '../../store/crm/untied.ts'
import { withRecords } from '../../store/lists/of-record.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { startRun } from '../../store/runs/runs.ts'
import { disconnectCrm } from '../connections/disconnect-crm.ts'
import { startPush } from './start-push.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const seed = {
  companies: [{ name: 'Alpha', domain: 'alpha.example' }],
  contacts: [{ email: 'pat@alpha.example', companyDomain: 'alpha.example' }],
}
const ledger = [
  { id: 'a', name: 'Alpha Ltd', email: 'Pat@Alpha.example', mrrCents: 1_000 },
  { id: 'b', name: 'Beta Ltd', email: 'kim@beta.example', mrrCents: 2_050 },
  { id: 'c', name: 'Kim Free', email: 'kim@gmail.com', mrrCents: 300 },
  { id: 'd', name: 'Nobody', email: null, mrrCents: 400 },
]

beforeEach(async () => {
  bench = await openBench(db, { seed })
  expect((await bench.connect()).outcome).toBe('connected')
  await saveLedger(bench, ledger)
})

const writes = () =>
  bench.simulator.requests
    .list('/crm/')
    .filter(({ method, path }) => method !== 'GET' && !/\/(read|search)$/.test(path))

describe('a push', () => {
  it('writes every record once and associates it with company and contact', async () => {
    const run = await bench.push()
    expect(run).toMatchObject({
      status: 'completed',
      total_records: 8,
      processed_records: 8,
      failed_records: 0,
      message: 'Synced 8 records to HubSpot.',
    })
    const crm = dumpCrm(bench)
    expect(crm.subscription).toHaveLength(4)
    expect(crm.event).toHaveLength(4)
    expect(crm.company).toHaveLength(2)
    expect(crm.associations).toEqual(
      expect.arrayContaining([
        'subscription sub_a -> company alpha.example',
        'subscription sub_a -> contact pat@alpha.example',
        'event ev_a -> subscription sub_a',
        'event ev_a -> company alpha.example',
        'event ev_a -> contact pat@alpha.example',
        'subscription sub_b -> company beta.example',
        'contact kim@beta.example -> company beta.example',
        'event ev_c -> contact kim@gmail.com',
        'event ev_d -> subscription sub_d',
      ]),
    )
    expect(crm.associations.filter((tie) => /^subscription sub_[cd] -> company/.test(tie))).toEqual([])
    expect(crm.subscription[0]).toContain('"mrr":"10.00"')
  })

  it('asks next to nothing when nothing changed, and writes only the record that did', async () => {
    await bench.push()
    const before = dumpCrm(bench)
    bench.simulator.requests.clear()
    const second = await bench.push()
    expect(second).toMatchObject({ status: 'completed', total_records: 0, processed_records: 0 })
    expect(second.message).toBe('Everything in HubSpot is up to date.')
    expect(writes()).toEqual([])
    expect(dumpCrm(bench)).toEqual(before)

    await saveLedger(bench, [{ id: 'a', name: 'Alpha Ltd', email: 'Pat@Alpha.example', mrrCents: 1_500 }])
    bench.simulator.requests.clear()
    expect(await bench.push()).toMatchObject({ total_records: 1, processed_records: 1 })
    expect(writes()).toMatchObject([{ route: '/crm/objects/2026-09/{type}/batch/upsert', inputs: 1 }])
    expect(dumpCrm(bench).subscription[0]).toContain('"mrr":"15.00"')
  })

  it('reports the record HubSpot refuses, lets its neighbours through, and does not try it again unasked', async () => {
    await saveLedger(bench, [{ id: 'b', name: 'Refused by HubSpot', email: null, mrrCents: 1 }])
    const run = await bench.push()
    expect(run).toMatchObject({ status: 'completed', processed_records: 8, failed_records: 1 })
    expect(await bench.errorsOf(run.id)).toEqual([expect.stringContaining('breaks a rule of this account')])
    expect(dumpCrm(bench).subscription).toHaveLength(3)
    expect(await bench.push()).toMatchObject({ total_records: 0 })
    expect(await bench.push({ retriesFailed: true })).toMatchObject({ total_records: 1, failed_records: 1 })
    await saveLedger(bench, [{ id: 'b', name: 'Accepted', email: null, mrrCents: 1 }])
    expect(await bench.push()).toMatchObject({ failed_records: 0 })
    expect(dumpCrm(bench).subscription).toHaveLength(4)
  })

  it.each([
    ['refused as a whole', { kind: 'status', status: 400, category: 'VALIDATION_ERROR', message: 'no' }],
    ['refused by a conflict', { kind: 'status', status: 409, category: 'CONFLICT', message: 'no' }],
    ['written and unanswered', { kind: 'lost_answer' }],
    ['written and answered with 504', { kind: 'lost_answer', status: 504 }],
    ['answered with HTML', { kind: 'html' }],
    ['answered by a gateway', { kind: 'html', status: 404 }],
    ['answered with half a body', { kind: 'truncate' }],
    ['answered with nothing', { kind: 'empty' }],
    ['told to wait', { kind: 'rate_limit', policyName: 'TEN_SECONDLY_ROLLING' }],
    ['locked', { kind: 'status', status: 423 }],
    ['cut off', { kind: 'reset' }],
  ])('comes to the same end when a batch is %s', async (_, fault) => {
    const type = bench.simulator.portal(enterprise).schemas()[0]?.typeId
    await bench.control('/_faults', {
      ...fault,
      match: { pathPrefix: `/crm/objects/2026-09/${type}/batch/upsert` },
    })
    const run = await bench.push()
    expect(run).toMatchObject({ status: 'completed', processed_records: 8, failed_records: 0 })
    expect(dumpCrm(bench).subscription).toHaveLength(4)
    expect(dumpCrm(bench).event).toHaveLength(4)
  })

  it('moves every association of ours when a person chooses another company, and until then it waits', async () => {
    await bench.push()
    const within = <T>(work: (tenant: Tenant) => Promise<T>) =>
      inOrganization(bench.deps.database, bench.organizationId, work)
    const waiting = () =>
      within(async (tenant) => [
        await countSynced(tenant, String(enterprise)),
        ...((await withRecords(tenant, 'subscription', { isBehind: true })).ofRecords ?? []),
        ...(await findUntied(tenant, String(enterprise), 'event')),
        (await findRecordStanding(tenant, String(enterprise), 'sub_a')).state,
        await hasUntied(tenant, String(enterprise), 'cus_a'),
      ])
    const ties = () => dumpCrm(bench).associations.filter((tie) => /_a -> company/.test(tie))
    expect(await waiting()).toEqual([{ subscriptions: 4, events: 4 }, 'synced', false])
    await within(async ({ sql }) => {
      const beta = await sql
        .selectFrom('crm_companies')
        .select('record_id')
        .where('name', '=', 'Beta Ltd')
        .executeTakeFirstOrThrow()
      await sql
        .updateTable('matches')
        .set({ company_record_id: beta.record_id, evidence: 'person' })
        .where('customer_id', '=', 'cus_a')
        .execute()
    })
    expect(await waiting()).toEqual([{ subscriptions: 3, events: 3 }, 'sub_a', 'ev_a', 'waiting', true])
    await bench.push()
    expect(await waiting()).toEqual([{ subscriptions: 4, events: 4 }, 'synced', false])
    expect(ties()).toEqual([
      'event ev_a -> company beta.example',
      'subscription sub_a -> company beta.example',
    ])
    await within(({ sql }) =>
      sql.updateTable('matches').set({ state: 'ignored' }).where('customer_id', '=', 'cus_a').execute(),
    )
    expect(await waiting()).toEqual([{ subscriptions: 3, events: 3 }, 'sub_a', 'ev_a', 'waiting', true])
    await bench.push()
    expect(await waiting()).toEqual([{ subscriptions: 4, events: 4 }, 'synced', false])
    expect(ties()).toEqual([])
  })

  it('takes records of events out that a rebuild took back', async () => {
    await bench.push()
    await inOrganization(bench.deps.database, bench.organizationId, ({ sql }) =>
      sql.deleteFrom('events').where('id', '=', 'ev_b').execute(),
    )
    await bench.push()
    expect(dumpCrm(bench).event.filter((record) => record.includes('"ev_b"'))).toEqual([])
    expect(dumpCrm(bench).event).toHaveLength(3)
  })

  it('lets no record that HubSpot does not let go keep the others, nor their associations', async () => {
    await bench.push()
    await inOrganization(bench.deps.database, bench.organizationId, ({ sql }) =>
      sql.deleteFrom('events').where('id', 'in', ['ev_a', 'ev_b', 'ev_c']).execute(),
    )
    await saveLedger(bench, [{ id: 'z', name: 'Zeta', email: 'pat@alpha.example', mrrCents: 900 }])
    const type = bench.simulator.portal(enterprise).schemas()[1]?.typeId
    // The whole batch, its first half, and the first record alone.
    await bench.control('/_faults', {
      ...{
        kind: 'status',
        status: 400,
        category: 'VALIDATION_ERROR',
        message: 'It is locked by a workflow.',
      },
      match: { pathPrefix: `/crm/objects/2026-09/${type}/batch/archive`, times: 3 },
    })
    const run = await bench.push()
    expect(run).toMatchObject({ status: 'completed', failed_records: 0 })
    const events = () =>
      dumpCrm(bench)
        .event.flatMap((record) => /ev_\w/.exec(record) ?? [])
        .sort()
    expect(events()).toEqual(['ev_a', 'ev_d', 'ev_z'])
    expect(dumpCrm(bench).associations).toContain('event ev_z -> company alpha.example')
    expect(await bench.errorsOf(run.id)).toEqual([expect.stringContaining('It is locked by a workflow.')])

    bench.simulator.requests.clear()
    expect(await bench.push()).toMatchObject({ status: 'completed' })
    expect(writes()).toEqual([])
    expect(await bench.push({ retriesFailed: true })).toMatchObject({ status: 'completed' })
    expect(events()).toEqual(['ev_d', 'ev_z'])
  })

  it('fills a record that a user deleted again as soon as it changes', async () => {
    await bench.push()
    const [record] = bench.simulator
      .portal(enterprise)
      .records(bench.simulator.portal(enterprise).schemas()[0]?.typeId ?? '')
    await bench.control('/_control/archive', {
      hubId: enterprise,
      type: bench.simulator.portal(enterprise).schemas()[0]?.typeId,
      id: record?.id,
    })
    await saveLedger(
      bench,
      ledger.map((row) => ({ ...row, mrrCents: 7_700 })),
    )
    await bench.push()
    expect(dumpCrm(bench).subscription).toHaveLength(4)
    expect(
      dumpCrm(bench)
        .associations.filter((tie) => tie.startsWith('event ev_'))
        .sort(),
    ).toEqual(
      expect.arrayContaining(['a', 'b', 'c', 'd'].map((id) => `event ev_${id} -> subscription sub_${id}`)),
    )
  })

  it.each([
    ['subscriptions', 0],
    ['events', 1],
  ])('waits for a CRM that is away for half a minute, and loses nothing: %s', async (_, place) => {
    const type = bench.simulator.portal(enterprise).schemas()[place]?.typeId
    await bench.control('/_faults', {
      kind: 'status',
      status: 503,
      match: { pathPrefix: `/crm/objects/2026-09/${type}/batch/upsert`, times: 8 },
    })
    expect(await bench.push()).toMatchObject({ status: 'completed', processed_records: 8, failed_records: 0 })
  })

  it.each([
    ['refuses good tokens for six seconds', '/crm/'],
    ['refuses their renewal as well', '/'],
  ])('waits for a CRM that %s, and keeps the connection', async (_, pathPrefix) => {
    const until = bench.clock.now + 7_000
    const fault = { kind: 'status', status: 401, match: { pathPrefix, times: null } }
    await bench.control('/_faults', fault)
    const answer = bench.simulator.fetch
    const refused: string[] = []
    vi.spyOn(bench.simulator, 'fetch').mockImplementation(async (request, ...rest) => {
      if (bench.clock.now >= until) bench.simulator.faults.clear()
      const answered = await answer(request, ...rest)
      if (answered.status === 401) refused.push(new URL(request.url).pathname)
      return answered
    })
    expect(await bench.push()).toMatchObject({ status: 'completed', failed_records: 0, error: null })
    const connection = await inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
      findConnection(tenant, 'crm'),
    )
    expect(connection).toMatchObject({ warning: null })
    expect(refused.includes('/oauth/2026-09/token')).toBe(pathPrefix === '/')
    expect(refused.length).toBeGreaterThan(1)
  })

  it('ends as failed, with the reason, where the objects cannot be made', async () => {
    const poor = await openBench(db)
    await poor.connect({ hubId: starter })
    await saveLedger(poor, ledger)
    const run = await poor.push()
    expect(run).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('crm.schemas.custom.write'),
    })
  })

  it('does not begin without both connections, nor beside an import', async () => {
    const { deps, organizationId } = bench
    await inOrganization(deps.database, organizationId, (tenant) =>
      startRun(tenant, { id: 'import', kind: 'import', options: {}, at: deps.now() }),
    )
    await expect(startPush(deps, organizationId)).rejects.toMatchObject({ code: 'conflict' })
    await disconnectCrm(deps, organizationId)
    await expect(startPush(deps, organizationId)).rejects.toMatchObject({ code: 'not_connected' })
  })
})
