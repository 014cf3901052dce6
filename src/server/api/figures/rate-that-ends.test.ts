import { afterAll, beforeAll, expect, it } from 'vitest'
import { getDashboardStats } from '#contract/dashboard.ts'
import { getMrrMovements, getMrrSegments } from '#contract/mrr.ts'
import { addDays } from '#domain/date-range.ts'
import { readCsv } from '#test/api/csv-file.ts'
import { run } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { inManyCurrencies } from '#test/import/many-currencies.ts'
import { currencyCodes, ratesFileUntil } from '#test/import/rates-file.ts'
import { generatedWorld } from '#test/import/stage-import.ts'

// Totals are revalued, and there is no rate of sterling in the last hundred days.

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld({ account: inManyCurrencies(generatedWorld(20), currencyCodes) })
  const today = world.now().toISOString().slice(0, 10)
  person = await world.person()
  await person.connectStripe()
  await person.post('/api/import/historical', { restart: false })
  await world.drain()
  const text = ratesFileUntil(today, 'gbp', addDays(today, -100))
  await person.post('/api/settings/reporting/rates', { source: 'ecb', text, isLast: true })
  const body = JSON.stringify({ reportingCurrency: 'usd', method: 'revalued', source: 'ecb' })
  const headers = { 'content-type': 'application/json' }
  const answer = await person.fetch('/api/settings/reporting', { method: 'PUT', headers, body })
  expect(answer.status).toBe(200)
})
afterAll(() => world.close())

const get = async (path: string): Promise<unknown> => (await person.fetch(path)).json()

/** How many events in sterling there are, and what they come to. */
async function poundsOf(which: string): Promise<{ events: number; cents: number } | undefined> {
  const [sums] = await run<{ events: number; cents: number }>(
    world.ownerUrl,
    `select count(*)::int as events, coalesce(sum(mrr_change_cents), 0)::float8 as cents from events
      where organization_id = ${person.organizationId} and currency = 'gbp' and mrr_status <> 'Planned_Cancellation'
        and ${which}`,
  )
  return sums
}

it.each(['', '2026-01-10'])(
  'a currency whose rate ends has each event in the totals or beside them: from %s',
  async (from) => {
    const query = from === '' ? '' : `from=${from}`
    const { total, otherCurrencies } = getMrrMovements.response.parse(
      await get(`/api/mrr/movements?${query}`),
    )
    const pounds = otherCurrencies.find(({ currency }) => currency === 'gbp')
    const [all, unconverted, converted] = await Promise.all([
      poundsOf('true'),
      poundsOf(`reporting_change_cents is null and occurred_at >= '${from || '2000-01-01'}T00:00:00Z'`),
      poundsOf('reporting_change_cents is not null'),
    ])
    expect(converted?.events).toBeGreaterThan(0)
    expect(pounds?.moves.reduce((sum, { events }) => sum + events, 0)).toBe(unconverted?.events)
    expect(pounds).toMatchObject({ start: 0, net: unconverted?.cents, end: all?.cents })
    expect((pounds?.start ?? 0) + (pounds?.net ?? 0) + (pounds?.fx ?? 0)).toBe(pounds?.end)
    const segments = getMrrSegments.response.parse(await get(`/api/mrr/segments?${query}`))
    expect([segments.total, segments.otherCurrencies]).toEqual([total, otherCurrencies])
    const stats = getDashboardStats.response.parse(await get('/api/dashboard/stats'))
    expect(stats.otherCurrencies.find(({ currency }) => currency === 'gbp')?.mrr).toBe(pounds?.end)
  },
)

it.each(['movements', 'segments'])(
  'a currency whose rate ends has lines in the file of %s that lead to its MRR',
  async (name) => {
    const { lines, centsOf } = readCsv(await (await person.fetch(`/api/csv/${name}`)).text())
    const own = lines.filter((cells) => cells.includes('GBP'))
    const [starts, nets, rates, ends] = ['Start', 'Net', 'Exchange Rates', 'End'].map((column) =>
      centsOf(own, column),
    )
    expect(ends).toEqual(starts?.map((start, at) => start + (nets?.[at] ?? 0) + (rates?.[at] ?? 0)))
    const mrr = name === 'movements' ? ends?.at(-1) : ends?.reduce((sum, end) => sum + end, 0)
    expect(mrr).toBe((await poundsOf('true'))?.cents)
  },
)
