import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { parseRatesCsv } from '#domain/reporting/parse-rates.ts'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { type Bench, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { readSynced } from '../../../api/setup/setup-progress.ts'
import { saveLinkOutcomes } from '../../../store/crm/crm-links.ts'
import { listSubscriptionsToPush } from '../../../store/crm/push-sources.ts'
import { inOrganization, type Tenant } from '../../../store/postgres/database.ts'
import { requestConversion } from '../../../store/reporting/conversions.ts'
import { recordRates } from '../../../store/reporting/rates.ts'
import { setReporting } from '../../../store/reporting/reporting.ts'
import { convertAtOnce } from '../../ledger/convert-anew.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const portal = { companies: [], contacts: [] }
const within = <T>(work: (tenant: Tenant) => Promise<T>) =>
  inOrganization(bench.deps.database, bench.organizationId, work)
const customer = (id: string, currency: string) => ({
  ...{ id, name: `Firm ${id}`, email: null, mrrCents: 1_000, currency },
})
const usd = customer('usd', 'usd')
const eur = customer('eur', 'eur')
/** Zero is zero in every currency, but its record tells which one. */
const free = { ...customer('free', 'usd'), mrrCents: 0 }

async function convert(currency: string, rates: string, method: 'booked' | 'revalued' = 'booked') {
  await within(async (tenant) => {
    await recordRates(tenant, parseRatesCsv(`date,from,to,rate\n${rates}`, '2026-12-31'), bench.deps.now())
    await setReporting(tenant, { currency, method, source: 'csv' })
    await requestConversion(tenant)
  })
  await convertAtOnce(bench.deps, bench.organizationId)
}

const change = (id: string, values: { name: string } | { email: string }) =>
  within(({ sql }) => sql.updateTable('customers').set(values).where('id', '=', id).execute())

async function countWaiting(): Promise<number> {
  const { total, subscriptions, events } = await within((tenant) => readSynced(tenant, String(enterprise)))
  return total.subscriptions + total.events - subscriptions - events
}

beforeEach(async () => {
  bench = await openBench(db, { seed: portal })
  await bench.connect()
  await saveLedger(bench, [usd, eur, free])
  await convert('usd', '2026-09-30,EUR,USD,1.1')
  await bench.push()
  expect(await countWaiting()).toBe(0)
})

it.each<[string, () => Promise<unknown>, number]>([
  ['another rate of a booked day', () => convert('usd', '2026-09-30,EUR,USD,1.2'), 2],
  ['another reporting currency', () => convert('eur', '2026-09-30,EUR,USD,1.1'), 6],
  ['another name of a customer', () => change('cus_usd', { name: 'Firm of dollars' }), 2],
  ['another address of a customer', () => change('cus_eur', { email: 'euro@firm.example' }), 2],
  ['another price', () => saveLedger(bench, [{ ...usd, mrrCents: 2_000 }]), 1],
  ['no change', () => convert('usd', '2026-09-30,EUR,USD,1.1'), 0],
])('after %s, as many records wait as the next push writes', async (_, make, records) => {
  bench.clock.now += 60_000
  await make()
  expect(await countWaiting()).toBe(records)
  bench.clock.now += 60_000
  expect((await bench.push()).processed_records).toBe(records)
  expect(await countWaiting()).toBe(0)
})

it('what changes while a push writes a record stays to be written', async () => {
  await change('cus_usd', { name: 'Firm of dollars' })
  const place = { portalId: String(enterprise), kind: 'subscription' as const, runId: 'run' }
  const [read] = await within((tenant) =>
    listSubscriptionsToPush(tenant, place.portalId, { ids: ['sub_usd'] }),
  )
  await change('cus_usd', { name: 'Dollars' })
  const values = { hash: 'first', recordId: null, recordUpdatedAt: null, error: null, told: null }
  const save = (outdated = 0) =>
    within((tenant) => {
      const outcome = { sourceId: 'sub_usd', state: 'confirmed' as const, outdated, ...values }
      return saveLinkOutcomes(tenant, place, [outcome], bench.deps.now())
    })
  await save(read?.outdated)
  expect(await countWaiting()).toBe(2)
  await save(2)
  expect(await countWaiting()).toBe(1)
})

it('what is taken back before a push waits until one has compared it, and is not written', async () => {
  bench.clock.now += 60_000
  await convert('eur', '2026-09-30,EUR,USD,1.1')
  await convert('usd', '2026-09-30,EUR,USD,1.1')
  expect(await countWaiting()).toBe(6)
  bench.clock.now += 60_000
  expect((await bench.push()).processed_records).toBe(0)
  expect(await countWaiting()).toBe(0)
})
