import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseRatesCsv } from '#domain/reporting/parse-rates.ts'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { createByHand } from '#test/push/hand-made-objects.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { inOrganization, type Tenant } from '../../../store/postgres/database.ts'
import { requestConversion } from '../../../store/reporting/conversions.ts'
import { recordRates } from '../../../store/reporting/rates.ts'
import { setReporting } from '../../../store/reporting/reporting.ts'
import { checkObjects, takeOverObjects } from '../../crm/take-over-objects.ts'
import { convertAtOnce } from '../../ledger/convert-anew.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  bench = await openBench(db, { seed: { companies: [], contacts: [] } })
})

const hour = 60 * 60_000
const within = <T>(work: (tenant: Tenant) => Promise<T>) =>
  inOrganization(bench.deps.database, bench.organizationId, work)
const customer = (id: string, currency: string) => ({
  ...{ id, name: `Firm ${id}`, email: null, mrrCents: 1_000, currency },
})
const several = [customer('usd', 'usd'), customer('eur', 'eur'), customer('gbp', 'gbp')]

/** Totals in this currency at these rates, and every row converted. */
async function convert(currency: string, rates: string, method: 'booked' | 'revalued' = 'booked') {
  await within(async (tenant) => {
    const rows = parseRatesCsv(`date,from,to,rate\n${rates}`, '2026-12-31')
    await recordRates(tenant, rows, bench.deps.now())
    await setReporting(tenant, { currency, method, source: 'csv' })
    await requestConversion(tenant)
  })
  await convertAtOnce(bench.deps, bench.organizationId)
}

/** The push of the schedule, an hour later, and what it wrote. */
async function hourly() {
  bench.clock.now += hour
  bench.simulator.requests.clear()
  const run = await bench.push()
  expect(run.status).toBe('completed')
  return { written: run.processed_records, requests: bench.simulator.requests.list('/crm').length, run }
}

const recordsOf = (kind: 'subscription' | 'event') =>
  dumpCrm(bench)[kind].map((text): Record<string, string> => JSON.parse(text))
const moneyOf = (id: string) => {
  const one = recordsOf('subscription').find((record) => record['stripe_subscription_id'] === `sub_${id}`)
  const change = recordsOf('event').find((record) => record['tributary_event_id'] === `ev_${id}`)
  return [
    one?.['mrr'],
    one?.['currency_code'],
    one?.['reporting_mrr'],
    one?.['reporting_currency_code'],
    one?.['reporting_rate'],
    change?.['reporting_mrr_change'],
  ]
}
const typeIds = () =>
  bench.simulator
    .portal(enterprise)
    .schemas()
    .map(({ typeId }) => typeId)
const propertiesOf = async () => {
  const lists = typeIds().map((type) => bench.ask('GET', `/crm/properties/2026-09/${type}`))
  return JSON.stringify(await Promise.all(lists)).match(/"name":"reporting_\w+"/g) ?? []
}

describe('an organization with several currencies', () => {
  beforeEach(async () => {
    await bench.connect()
    await saveLedger(bench, [customer('usd', 'usd')])
    await convert('usd', '2026-09-30,EUR,USD,1.1')
    await bench.push()
    expect(await propertiesOf()).toEqual([])
    expect(JSON.stringify(dumpCrm(bench))).not.toContain('reporting_')
  })

  it('has in a portal that knew one: what each record is in the reporting currency, never one to one', async () => {
    await saveLedger(bench, several)
    await convert('usd', '2026-09-30,EUR,USD,1.1')
    expect((await hourly()).written).toBe(6)
    expect(await propertiesOf()).toHaveLength(6)
    expect(moneyOf('usd')).toEqual(['10.00', 'USD', '10.00', 'USD', undefined, '10.00'])
    const rate = 'at 1.1 USD/EUR of 2026-09-30, own file'
    expect(moneyOf('eur')).toEqual(['10.00', 'EUR', '11.00', 'USD', rate, '11.00'])
    expect(moneyOf('gbp')).toEqual(['10.00', 'GBP', undefined, undefined, undefined, undefined])
    const { written, requests } = await hourly()
    expect([written, requests <= 5]).toEqual([0, true])
  })

  it('gets what a rate, the method or the reporting currency changes, and nothing else', async () => {
    await saveLedger(bench, several)
    await convert('usd', '2026-09-30,EUR,USD,1.1')
    await hourly()
    await convert('usd', '2026-09-30,EUR,USD,1.2')
    expect((await hourly()).written).toBe(2)
    expect(moneyOf('eur')[2]).toBe('12.00')
    await convert('usd', '2026-10-01,EUR,USD,1.3', 'revalued')
    // The change keeps the rate of its day, which is that of the level today.
    expect((await hourly()).written).toBe(2)
    // The next day, but before everything is compared anyway.
    bench.clock.now += 10 * hour
    await convert('usd', '2026-10-02,EUR,USD,1.4', 'revalued')
    expect((await hourly()).written).toBe(1)
    expect(moneyOf('eur').slice(2)).toEqual([
      ...['14.00', 'USD', 'at 1.4 USD/EUR of 2026-10-02, own file', '13.00'],
    ])
    await convert('eur', '2026-10-02,USD,EUR,0.5')
    expect((await hourly()).written).toBe(4)
    expect(moneyOf('eur').slice(2)).toEqual(['10.00', 'EUR', undefined, '10.00'])
    expect((await hourly()).written).toBe(0)
  })

  it('waits for a conversion at work, so that no amount stands under another code', async () => {
    await saveLedger(bench, several)
    await convert('usd', '2026-09-30,EUR,USD,1.1')
    await hourly()
    await within(async (tenant) => {
      await requestConversion(tenant)
      await setReporting(tenant, { currency: 'eur' })
    })
    await hourly()
    expect(moneyOf('usd').slice(2, 4)).toEqual(['9.09', 'EUR'])
  })

  it('gets back what somebody edits or deletes in HubSpot, and keeps it true with one currency again', async () => {
    await saveLedger(bench, several)
    await convert('usd', '2026-09-30,EUR,USD,1.1')
    await hourly()
    const type = typeIds()[0] ?? ''
    const id = bench.simulator
      .portal(enterprise)
      .records(type)
      .find(({ properties }) => properties['stripe_subscription_id'] === 'sub_eur')?.id
    bench.clock.now += hour
    await bench.control('/_control/edit', { hubId: enterprise, type, id, properties: { reporting_mrr: '1' } })
    await hourly()
    expect(moneyOf('eur')[2]).toBe('11.00')
    await bench.ask('DELETE', `/crm/properties/2026-09/${type}/reporting_mrr`)
    await hourly()
    expect(moneyOf('eur')[2]).toBe('11.00')
    await within(({ sql }) => sql.deleteFrom('events').where('currency', '<>', 'usd').execute())
    await within(({ sql }) => sql.deleteFrom('subscriptions').where('currency', '<>', 'usd').execute())
    await saveLedger(bench, [{ ...customer('usd', 'usd'), mrrCents: 2_000 }])
    await hourly()
    expect(moneyOf('usd').slice(0, 4)).toEqual(['20.00', 'USD', '20.00', 'USD'])
  })
})

describe('objects that cannot show converted amounts', () => {
  it('are pushed to without them, which is told, until HubSpot lets us add them', async () => {
    await bench.connect()
    const type = typeIds()[0] ?? ''
    const foreign = { name: 'reporting_mrr', label: 'Theirs', type: 'string', fieldType: 'text' }
    await bench.ask('POST', `/crm/properties/2026-09/${type}`, {
      ...foreign,
      groupName: 'tributary_subscription_information',
    })
    await saveLedger(bench, several)
    await convert('usd', '2026-09-30,EUR,USD,1.1')
    const { run, written } = await hourly()
    expect(written).toBe(6)
    expect(await bench.errorsOf(run.id)).toEqual([
      expect.stringMatching(/^Stripe subscriptions in HubSpot cannot show every amount.*has another type/),
    ])
    expect(moneyOf('eur')).toEqual(['10.00', 'EUR', undefined, 'USD', expect.any(String), '11.00'])
    expect((await hourly()).written).toBe(0)
    await bench.ask('DELETE', `/crm/properties/2026-09/${type}/reporting_mrr`)
    const mended = await hourly()
    expect([mended.written, await bench.errorsOf(mended.run.id)]).toEqual([3, []])
    expect(moneyOf('eur')[2]).toBe('11.00')
  })

  it('made by hand with one currency: the check names what is missing, and nothing blocks', async () => {
    const refusal = { hubId: enterprise, schemaRefusals: { app: 'approval' } }
    await bench.control('/_control/settings', refusal)
    await bench.connect()
    const made = await createByHand(bench, enterprise)
    const match = { method: 'POST', pathPrefix: '/crm/properties', times: null }
    await bench.control('/_faults', { kind: 'status', status: 403, match })
    await saveLedger(bench, several)
    await convert('usd', '2026-09-30,EUR,USD,1.1')
    const differences = async () =>
      (await checkObjects(bench.deps, bench.organizationId)).flatMap((one) => one.differences)
    expect(await differences()).toHaveLength(6)
    expect(await differences()).toContainEqual({
      ...{ property: 'reporting_mrr', effect: 'missing', text: 'is missing. Create it as Number.' },
    })
    const confirmed = Object.entries(made).map(([name, objectTypeId]) => ({ name, objectTypeId }))
    await takeOverObjects(bench.deps, bench.organizationId, confirmed)
    const { run, written } = await hourly()
    expect([written, await bench.errorsOf(run.id)]).toEqual([6, [expect.anything(), expect.anything()]])
    expect(moneyOf('eur').slice(0, 3)).toEqual(['10.00', 'EUR', undefined])
    bench.simulator.faults.clear()
    await hourly()
    expect(await differences()).toEqual([])
    expect(moneyOf('eur')[2]).toBe('11.00')
  })
})
