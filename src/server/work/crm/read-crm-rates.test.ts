import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rateText } from '#domain/reporting/rate.ts'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { type Bench, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { isConverting, requestConversion } from '../../store/reporting/conversions.ts'
import { loadRates } from '../../store/reporting/rates.ts'
import { setReporting } from '../../store/reporting/reporting.ts'
import { convertAtOnce } from '../ledger/convert-anew.ts'
import { followCrmRates, readCrmRates } from './read-crm-rates.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  bench = await openBench(db)
  await bench.connect()
  bench.simulator.requests.clear()
})

const hour = 3_600_000
const path = '/settings/currencies'
const within = <T>(work: (tenant: Tenant) => Promise<T>) =>
  inOrganization(bench.deps.database, bench.organizationId, work)
const read = () => readCrmRates(bench.deps, bench.organizationId)
const requests = () => bench.simulator.requests.list(path)
const rate = (from: string, worth: number, effectiveAt: string, to = 'GBP') => ({
  ...{ from, to, rate: worth, effectiveAt },
})
const keep = (exchangeRates: object[], openAnswers: object = {}, companyCurrency = 'GBP') =>
  bench.control('/_control/settings', { hubId: enterprise, companyCurrency, exchangeRates, openAnswers })
const rateOn = (from: string, to: string, day: string) =>
  within(async (tenant) => {
    const find = await loadRates(tenant, { source: 'crm', to, wanted: [{ currency: from, day }] })
    const found = find(from, day)
    return found && rateText(found, from, to)
  })

describe("the account's own rates", () => {
  it.each(['numbers', 'texts'])(
    'are kept from every page, as %s, and each holds until the next of its currency',
    async (exchangeRates) => {
      const older = Array.from({ length: 150 }, (_, n) =>
        rate('EUR', 0.5 + n / 1_000, new Date(Date.UTC(2026, 0, 1 + n)).toISOString()),
      )
      await keep(
        [
          ...older,
          rate('USD', 0.75, '2026-03-01T08:00:00Z'),
          rate('USD', 0.8, '2026-03-01T18:00:00Z'),
          rate('IDR', 0.000046, '2026-02-01T00:00:00Z'),
          // Of the time when the account was in dollars, and of a day to come.
          rate('EUR', 1.1, '2026-09-01T00:00:00Z', 'USD'),
          rate('EUR', 0.9, '2027-01-01T00:00:00Z'),
        ],
        { exchangeRates },
      )
      await read()
      expect(requests()).toHaveLength(2)
      expect(await rateOn('usd', 'gbp', '2026-09-30')).toBe('at 0.8 GBP/USD of 2026-03-01, HubSpot')
      expect(await rateOn('gbp', 'usd', '2026-09-30')).toBe('at 1.25 USD/GBP of 2026-03-01, HubSpot')
      // Two that began on different days: the older day is told.
      expect(await rateOn('eur', 'usd', '2026-09-30')).toBe('at 0.81125 USD/EUR of 2026-03-01, HubSpot')
      expect(await rateOn('eur', 'gbp', '2026-01-02')).toBe('at 0.501 GBP/EUR of 2026-01-02, HubSpot')
      expect(await rateOn('idr', 'gbp', '2026-09-30')).toBe('at 0.000046 GBP/IDR of 2026-02-01, HubSpot')
      expect(await rateOn('usd', 'gbp', '2026-02-28')).toBeNull()
      expect(await rateOn('jpy', 'gbp', '2026-09-30')).toBeNull()
    },
  )

  it('are those to the company currency again that the account came back to', async () => {
    const inPounds = [rate('EUR', 0.8, '2026-03-01T00:00:00Z'), rate('EUR', 0.9, '2026-09-01T00:00:00Z')]
    const inEuros = rate('GBP', 2, '2026-02-01T00:00:00Z', 'EUR')
    await keep(inPounds)
    await read()
    bench.clock.now += 25 * hour
    await keep([...inPounds, inEuros], {}, 'EUR')
    await read()
    expect(await rateOn('eur', 'gbp', '2026-09-30')).toBe('at 0.5 GBP/EUR of 2026-02-01, HubSpot')
    bench.clock.now += 25 * hour
    await keep([...inPounds, inEuros])
    await read()
    expect(await rateOn('eur', 'gbp', '2026-09-30')).toBe('at 0.9 GBP/EUR of 2026-09-01, HubSpot')
    expect(await rateOn('eur', 'gbp', '2026-08-30')).toBe('at 0.8 GBP/EUR of 2026-03-01, HubSpot')
  })

  it('are read once a day by an organization that takes them, and amounts follow', async () => {
    await keep([rate('EUR', 0.8, '2026-09-01T00:00:00Z')])
    const follow = () => followCrmRates(bench.deps, bench.organizationId)
    await saveLedger(bench, [
      { id: 'a', name: 'Alpha', email: null, mrrCents: 1_000, currency: 'eur' },
      { id: 'b', name: 'Beta', email: null, mrrCents: 1_000, currency: 'gbp' },
    ])
    await within(async (tenant) => {
      await requestConversion(tenant)
      await setReporting(tenant, { currency: 'gbp' })
    })
    await follow()
    expect(requests()).toEqual([])
    await within((tenant) => setReporting(tenant, { currency: 'gbp', source: 'crm' }))
    await follow()
    await follow()
    expect(requests()).toHaveLength(1)
    await convertAtOnce(bench.deps, bench.organizationId)
    const worth = () =>
      within(async (tenant) => {
        const { rows } = await sql<{ cents: number }>`
          select reporting_mrr_cents as cents from subscriptions
           where organization_id = ${tenant.organizationId} and id = 'sub_a'`.execute(tenant.sql)
        return rows[0]?.cents
      })
    expect(await worth()).toBe(800)
    bench.clock.now += 25 * hour
    await follow()
    expect([requests().length, await within(isConverting)]).toEqual([2, false])
    await keep([rate('EUR', 0.8, '2026-09-01T00:00:00Z'), rate('EUR', 0.9, '2026-10-01T00:00:00Z')])
    bench.clock.now += 25 * hour
    await follow()
    await convertAtOnce(bench.deps, bench.organizationId)
    expect(await worth()).toBe(900)
  })

  it('are refused in one sentence where HubSpot did not grant them, and HubSpot is not asked', async () => {
    await within((tenant) =>
      sql`update connections set scopes = array_remove(scopes, 'settings.currencies.read')
           where organization_id = ${tenant.organizationId}`.execute(tenant.sql),
    )
    await expect(read()).rejects.toThrow(
      'HubSpot did not grant settings.currencies.read, which its rates need: disconnect and connect again to grant it.',
    )
    expect(requests()).toEqual([])
  })
})
