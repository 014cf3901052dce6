import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseEcbFile, parseRatesCsv } from '#domain/reporting/parse-rates.ts'
import { run as query } from '#test/database.ts'
import { inManyCurrencies } from '#test/import/many-currencies.ts'
import { generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { listTotalFaults } from '#test/store/kept-totals.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { lockConversion, requestConversion } from '../../store/reporting/conversions.ts'
import { recordRates } from '../../store/reporting/rates.ts'
import { setReporting } from '../../store/reporting/reporting.ts'
import { convertAnew, convertAtOnce, finishConverting } from './convert-anew.ts'

/** Dollars, euros, yen, dinars and a currency that the bank does not have. */
const codes = ['usd', 'eur', 'jpy', 'kwd', 'ars']

const file = `Date,USD,JPY,KWD,
2026-11-18,1.2,160,0.33,
2026-10-30,1.1,150,0.32,
2025-01-02,1.05,140,0.31,
`

let stage: ImportStage
beforeAll(async () => {
  stage = await stageImport({ world: inManyCurrencies(generatedWorld(20), codes) })
  await stage.importAll()
})
afterAll(() => stage.close())

const rows = <T extends object>(text: string) => query<T>(stage.db.ownerUrl, text)
const within = <T>(work: (tenant: Tenant) => Promise<T>) =>
  inOrganization(stage.deps.database, stage.organizationId, work)
const at = (day: string) => ({ ...stage.deps, now: () => new Date(`${day}T12:00:00Z`) })

async function requestAndConvert(deps: ReturnType<typeof at>, organizationId: number) {
  await within(requestConversion)
  await convertAtOnce(deps, organizationId)
}

async function upload(text: string, day: string, source: 'ecb' | 'csv' = 'ecb') {
  const read = source === 'ecb' ? parseEcbFile : parseRatesCsv
  const recorded = await within(async (tenant) => {
    await setReporting(tenant, { currency: 'usd', source })
    return recordRates(tenant, read(text, day), new Date(`${day}T12:00:00Z`))
  })
  await requestAndConvert(at(day), stage.organizationId)
  return recorded
}

type Month = { month: string; cents: number }
const changesBy = () =>
  rows<Month>(`select to_char(occurred_at at time zone 'UTC', 'YYYY-MM') as month, sum(reporting_change_cents)::int as cents
                 from events group by 1 order by 1`)
const sums = async () =>
  (
    await rows<{
      events: number
      subscriptions: number
      customers: number
      totals: number
      apart: string[]
    }>(`
      select (select sum(reporting_change_cents)::int from events) as events,
             (select sum(reporting_mrr_cents)::int from subscriptions) as subscriptions,
             (select sum(reporting_mrr_cents)::int from customers) as customers,
             (select sum(reporting_cents)::int from list_totals where list = 'subscriptions') as totals,
             (select array_agg(distinct currency) from subscriptions
               where reporting_mrr_cents is null) as apart`)
  )[0]

describe('rates that are uploaded', () => {
  it('bring every currency that they have into the totals, which agree with their rows', async () => {
    const before = await sums()
    expect(before?.apart?.length).toBeGreaterThan(2)
    expect(await upload(file, '2026-11-20')).toEqual({ days: 3, added: 3, changed: 0, ignored: 0 })
    const after = await sums()
    expect(after?.apart).toEqual(['ars'])
    expect(after?.totals).toBeGreaterThan(before?.totals ?? 0)
    expect(after).toMatchObject({
      subscriptions: after?.events,
      customers: after?.events,
      totals: after?.events,
    })
    expect(await listTotalFaults(stage.db.ownerUrl)).toEqual([])
    const kept = await rows('select list, status, part from list_totals')
    expect(kept.length).toBe(new Set(kept.map((row) => JSON.stringify(row))).size)
    const [said] = await rows<{ rate: string }>(
      `select reporting_rate as rate from events where currency = 'eur' and occurred_at > '2026-11-18' and mrr_change_cents > 0
       union all select 'at 1.2 USD/EUR of 2026-11-18, ECB' limit 1`,
    )
    expect(said?.rate).toBe('at 1.2 USD/EUR of 2026-11-18, ECB')
  })

  it('are the same when they are uploaded again, and when a rebuild converts', async () => {
    const before = await stage.dump()
    expect(await upload(file, '2026-11-20')).toMatchObject({ added: 0, changed: 0 })
    await rows('update customers set is_rebuild_due = true')
    await stage.importAll()
    const after = await stage.dump()
    for (const table of ['events', 'subscriptions', 'customers', 'snapshots'])
      expect(after[table]).toEqual(before[table])
  })

  it('change open months only', async () => {
    const before = await changesBy()
    const corrected = file.replace('1.2,', '1.3,').replace('1.1,', '1.5,').replace('1.05,', '1.9,')
    const recorded = await upload(corrected, '2026-11-20')
    expect(recorded).toEqual({ days: 3, added: 0, changed: 1, ignored: 2 })
    const after = await changesBy()
    const closed = (months: Month[]) => months.filter(({ month }) => month < '2026-11')
    expect(closed(after)).toEqual(closed(before))
    await upload(file, '2026-11-20')
    expect(await changesBy()).toEqual(before)
  })
})

describe('another setting', () => {
  it('leaves customers due whose changes nobody has counted yet', async () => {
    await rows('update customers set is_rebuild_due = true')
    const due = () => rows('select id from customers where is_rebuild_due order by id')
    const before = await due()
    await within((tenant) => setReporting(tenant, { currency: 'eur' }))
    await requestAndConvert(at('2026-11-20'), stage.organizationId)
    expect(await due()).toEqual(before)
    await within((tenant) => setReporting(tenant, { currency: 'usd' }))
    await requestAndConvert(at('2026-11-20'), stage.organizationId)
    expect(await due()).toEqual(before)
    await rows('update customers set is_rebuild_due = false')
  })

  it('revalues levels on each day, and goes back to the same figures', async () => {
    const before = await stage.dump()
    const set = (method: 'booked' | 'revalued') =>
      within((tenant) => setReporting(tenant, { currency: 'usd', method }))
    await set('revalued')
    await requestAndConvert(at('2026-11-20'), stage.organizationId)
    const level = () =>
      rows<{ cents: number; own: number }>(
        `select reporting_mrr_cents::int as cents, current_mrr_cents::int as own from subscriptions
          where currency = 'eur' and current_mrr_cents > 0 order by id limit 1`,
      )
    const [one] = await level()
    expect(one?.cents).toBe(Math.floor((one?.own ?? 0) * 1.2 + 0.5))
    await upload(file.replace('2026-11-18', '2026-11-21,1.4,160,0.33,\n2026-11-18'), '2026-11-21')
    await convertAnew(at('2026-11-21'), stage.organizationId, 9)
    expect((await level())[0]?.cents).toBe(Math.floor((one?.own ?? 0) * 1.4 + 0.5))
    // Nobody asked for it: it is another day.
    await rows(
      `insert into organization_rates (organization_id, source, day, base, revision, rates, recorded_at)
       values (${stage.organizationId}, 'ecb', '2026-11-22', 'eur', 1, '{"usd": "1.5"}', now())`,
    )
    await convertAnew(at('2026-11-22'), stage.organizationId, 9)
    expect((await level())[0]?.cents).toBe(Math.floor((one?.own ?? 0) * 1.5 + 0.5))
    expect(await listTotalFaults(stage.db.ownerUrl)).toEqual([])
    await set('booked')
    await requestAndConvert(at('2026-11-20'), stage.organizationId)
    const after = await stage.dump()
    for (const table of ['events', 'subscriptions', 'customers', 'snapshots'])
      expect(after[table]).toEqual(before[table])
  })

  it('leaves to another process what that converts already', async () => {
    await within(requestConversion)
    const state = () => rows('select requested, done from conversions')
    const before = await state()
    await within(async (tenant) => {
      await lockConversion(tenant)
      await convertAnew(at('2026-11-20'), stage.organizationId, 9)
    })
    expect(await state()).toEqual(before)
    await convertAnew(at('2026-11-20'), stage.organizationId, 9)
  })

  it('waits for nothing where no subscription gives a currency yet', async () => {
    const { organizationId } = await stage.another('Two')
    await inOrganization(stage.deps.database, organizationId, requestConversion)
    let waits = 0
    const sleep = async () => void waits++
    await finishConverting({ ...stage.deps, sleep }, organizationId)
    expect(waits).toBe(0)
  })

  it('goes on where it was stopped', async () => {
    await within((tenant) => setReporting(tenant, { currency: 'eur' }))
    await within(requestConversion)
    await rows(
      `update conversions set after_id = (select id from subscriptions order by id offset 5 limit 1)`,
    )
    await convertAnew(at('2026-11-20'), stage.organizationId, 9)
    await requestAndConvert(at('2026-11-20'), stage.organizationId)
    const wrong = await rows(
      `select id from subscriptions where currency = 'eur' and reporting_mrr_cents <> current_mrr_cents`,
    )
    expect(wrong).toEqual([])
    expect((await sums())?.apart).toEqual(['ars'])
    expect(await listTotalFaults(stage.db.ownerUrl)).toEqual([])
    await within((tenant) => setReporting(tenant, { currency: 'usd' }))
    await requestAndConvert(at('2026-11-20'), stage.organizationId)
  })
})

describe('an own file', () => {
  it('is used instead, also for what the bank does not have', async () => {
    const own =
      'date,from,to,rate\n2024-01-01,EUR,USD,2\n2024-01-01,JPY,USD,0.01\n2024-01-01,KWD,USD,3\n2024-01-01,ARS,USD,0.001\n'
    await upload(own, '2026-11-20', 'csv')
    expect((await sums())?.apart).toBeNull()
    const wrong = await rows(
      `select id from subscriptions where currency = 'eur' and reporting_mrr_cents <> 2 * current_mrr_cents`,
    )
    expect(wrong).toEqual([])
    const [rate] = await rows(
      `select distinct reporting_rate as rate from subscriptions where currency = 'ars' and reporting_rate is not null`,
    )
    expect(rate).toEqual({ rate: 'at 0.001 USD/ARS of 2024-01-01, own file' })
  })
})
