import { afterAll, beforeAll, expect, it } from 'vitest'
import { toldFields } from '#domain/crm-record.ts'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { recordIdOf } from '#test/match/matches.ts'
import { type Bench, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { rewriteRecords } from '../../../store/erasure/erase-rows.ts'
import { clearPaymentAccount } from '../../../store/payments/payment-account.ts'
import { inOrganization } from '../../../store/postgres/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const row = (id: string, mrrCents: number) => ({
  ...{ id, name: `Firm ${id}`, email: `kim@firm${id}.example`, mrrCents },
})

/** A bench whose two subscriptions stand in HubSpot. */
async function pushed(): Promise<Bench> {
  const bench = await openBench(db, { seed: { companies: [], contacts: [] } })
  await bench.connect()
  await saveLedger(bench, [row('1', 1_000), row('2', 2_000)])
  await bench.push()
  return bench
}

const toldOf = (bench: Bench) =>
  query<{ kind: string; source: string; told: Record<string, string> | null }>(
    db.ownerUrl,
    'select kind, source_id as source, told from crm_links where organization_id = $1 order by kind, source_id',
    [bench.organizationId],
  )

/** What the newest run noted of the record. */
async function noted(bench: Bench, source: string) {
  const rows = await query<{ change: string; before: string | null; after: string | null }>(
    db.ownerUrl,
    `select change, told_before ->> 'mrr' as before, told_after ->> 'mrr' as after
       from run_records join runs on runs.organization_id = run_records.organization_id and runs.id = run_id
      where run_records.organization_id = $1 and source_id = $2 order by runs.created_at desc limit 1`,
    [bench.organizationId, source],
  )
  return rows[0]
}

it('keeps the figures of subscriptions that HubSpot confirmed, and nothing of events', async () => {
  const bench = await pushed()
  for (const { kind, told } of await toldOf(bench))
    expect(told === null ? null : Object.keys(told).sort()).toEqual(
      kind === 'event' ? null : toldFields.toSorted(),
    )
  expect(await noted(bench, 'sub_1')).toEqual({ change: 'added', before: null, after: null })
})

it('says what it wrote over, also where HubSpot refused a write in between', async () => {
  const bench = await pushed()
  const change = async (mrrCents: number, name = 'Firm 1') => {
    await saveLedger(bench, [{ ...row('1', mrrCents), name }])
    bench.clock.now += 60_000
    await bench.push()
  }
  await change(1_500)
  expect(await noted(bench, 'sub_1')).toEqual({ change: 'changed', before: '10.00', after: '15.00' })
  // The simulator refuses what is called so.
  await change(2_000, 'Refused by HubSpot')
  expect(await noted(bench, 'sub_1')).toMatchObject({ after: '15.00' })
  await change(2_500)
  expect(await noted(bench, 'sub_1')).toEqual({ change: 'changed', before: '15.00', after: '25.00' })
})

it('does not say what stood in a record that somebody edited and that was mended', async () => {
  const bench = await pushed()
  bench.clock.now += 2 * 60 * 60_000
  await bench.push()
  const type = bench.simulator.portal(enterprise).schemas()[0]?.typeId ?? ''
  await bench.control('/_control/edit', {
    ...{ hubId: enterprise, type, id: recordIdOf(bench, type, 'stripe_subscription_id', 'sub_2') },
    properties: { mrr: '1' },
  })
  bench.clock.now += 10 * 60_000
  expect(await bench.push()).toMatchObject({ processed_records: 1 })
  expect(await noted(bench, 'sub_2')).toEqual({ change: 'changed', before: null, after: null })
})

it('forgets the figures with an erased customer, and with an account that is replaced', async () => {
  const bench = await pushed()
  await inOrganization(bench.deps.database, bench.organizationId, (tenant) =>
    rewriteRecords(tenant, ['cus_1']),
  )
  const told = (await toldOf(bench)).filter(({ kind }) => kind === 'subscription')
  expect(told.map(({ source, told: kept }) => [source, kept !== null])).toEqual([
    ['sub_1', false],
    ['sub_2', true],
  ])
  await inOrganization(bench.deps.database, bench.organizationId, clearPaymentAccount)
  expect((await toldOf(bench)).every((one) => one.told === null)).toBe(true)
})
