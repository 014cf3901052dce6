import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sumCustomers } from '#contract/customers/customers.ts'
import { getAttention, getDashboardStats, getMrrTrend } from '#contract/dashboard.ts'
import { getMatchCoverage } from '#contract/lists/match-figures.ts'
import {
  getMrrCohorts,
  getMrrMovements,
  getMrrRetention,
  getMrrSegments,
  listMrrSnapshots,
} from '#contract/mrr.ts'
import { sumSubscriptions } from '#contract/subscriptions.ts'
import { addDays } from '#domain/date-range.ts'
import { lastDayOf } from '#domain/month.ts'
import { segmentKinds } from '#domain/segment.ts'
import { readCsv } from '#test/api/csv-file.ts'
import { run } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { inDollarsAlone, inManyCurrencies } from '#test/import/many-currencies.ts'
import { currencyCodes, perEuro, ratesFile } from '#test/import/rates-file.ts'
import { generatedWorld } from '#test/import/stage-import.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { recountTotals } from '../../store/totals/list-totals.ts'

const secondKey = 'sk_test_dollars_alone'

let world: TestWorld
let person: Person
let dollars: Person
let today: string
beforeAll(async () => {
  world = await newWorld({
    account: inManyCurrencies(generatedWorld(40), currencyCodes),
    accounts: { [secondKey]: inDollarsAlone(generatedWorld(12)) },
  })
  today = world.now().toISOString().slice(0, 10)
  person = await importBy(undefined)
  dollars = await importBy(secondKey)
})
afterAll(() => world.close())

async function importBy(key: string | undefined): Promise<Person> {
  const one = await world.person()
  await one.connectStripe(key)
  await one.post('/api/import/historical', { restart: false })
  await world.drain()
  await one.post('/api/settings/reporting/rates', { source: 'ecb', text: ratesFile(today), isLast: true })
  return one
}

/** What the changes of some events come to at the rates of one day, but for rounding. */
async function worthOn(day: string, which: string): Promise<number> {
  const rows = await run<{ currency: string; cents: number }>(
    world.ownerUrl,
    `select e.currency, sum(e.mrr_change_cents)::float8 as cents
       from events e join customers c on c.organization_id = e.organization_id and c.id = e.customer_id
      where e.organization_id = ${person.organizationId} and e.currency <> 'ars' and ${which} group by e.currency`,
  )
  const lines = ratesFile(today).split('\n').slice(1)
  const [, ...rates] = lines.map((line) => line.split(',')).find(([of = '']) => of <= day) ?? []
  const places = Object.keys(perEuro)
  const rateOf = (code: string) => (code === 'eur' ? 1 : Number(rates[places.indexOf(code)]))
  const digits: Record<string, number> = { jpy: 0, kwd: 3 }
  return rows.reduce(
    (sum, { currency, cents }) =>
      sum + Math.round((cents / 10 ** (digits[currency] ?? 2) / rateOf(currency)) * rateOf('usd') * 100),
    0,
  )
}

const get = async (path: string, as: Person = person): Promise<unknown> => (await as.fetch(path)).json()
const movementsOf = async (query: string, as: Person = person) =>
  getMrrMovements.response.parse(await get(`/api/mrr/movements${query}`, as))
async function count(method: 'booked' | 'revalued', as: Person = person) {
  const body = JSON.stringify({ reportingCurrency: 'usd', method, source: 'ecb' })
  const headers = { 'content-type': 'application/json' }
  const answer = await as.fetch('/api/settings/reporting', { method: 'PUT', headers, body })
  expect(answer.status).toBe(200)
}
const figures = [
  '/api/dashboard/stats',
  '/api/dashboard/mrr-trend',
  '/api/dashboard/attention',
  '/api/sync/health',
  '/api/matches/coverage',
  '/api/mrr/snapshots',
  '/api/mrr/movements',
  '/api/mrr/retention',
  '/api/mrr/cohorts',
  ...segmentKinds.map((by) => `/api/mrr/segments?by=${by}`),
  '/api/stripe/subscription-sums',
  '/api/customer-sums',
  '/api/stripe/subscriptions?limit=100&sort=currentMrr',
]
const allFigures = (as: Person) => Promise.all(figures.map((path) => get(path, as)))

describe.each(['booked', 'revalued'] as const)('%s', (method) => {
  beforeAll(() => count(method))

  it.each(['', '?interval=quarter', '?from=2026-01-10&to=2026-04-20', '?from=2026-03-05&to=2026-03-09'])(
    'start, movements and exchange rates are the end, to the cent: %s',
    async (query) => {
      const { periods, total } = await movementsOf(query)
      expect(periods.length).toBeGreaterThan(0)
      for (const { start, moves, net, fx = 0, end } of [...periods, total]) {
        expect(moves.reduce((sum, { change }) => sum + change, 0)).toBe(net)
        expect(start + net + fx).toBe(end)
      }
      for (const [index, { start }] of periods.entries())
        if (index > 0) expect(start).toBe(periods[index - 1]?.end)
      expect([total.start, total.end]).toEqual([periods[0]?.start, periods.at(-1)?.end])
      expect(total.fx === undefined).toBe(method === 'booked')
    },
  )

  it('every total is the same amount', async () => {
    const { total, otherCurrencies } = await movementsOf('')
    const stats = getDashboardStats.response.parse(await get('/api/dashboard/stats'))
    const trend = getMrrTrend.response.parse(await get('/api/dashboard/mrr-trend'))
    const coverage = getMatchCoverage.response.parse(await get('/api/matches/coverage'))
    const sums = sumSubscriptions.response.parse(await get('/api/stripe/subscription-sums'))
    const customers = sumCustomers.response.parse(await get('/api/customer-sums'))
    // Those of a search are counted one by one, and each customer's id begins like this.
    const found = sumCustomers.response.parse(await get('/api/customer-sums?search=cus_'))
    expect(found).toEqual(customers)
    expect([stats.currentMrr, trend.currentMrr, coverage.currentMrr, sums.mrr, customers.mrr]).toEqual(
      Array(5).fill(total.end),
    )
    const beside = otherCurrencies.filter(({ end }) => end !== 0).map(({ currency }) => currency)
    expect(beside).toEqual(['ars'])
    for (const { otherCurrencies: others } of [stats, customers])
      expect(others.map(({ currency }) => currency)).toEqual(beside)
  })

  it.each(segmentKinds.flatMap((by) => ['', '&from=2026-01-10&to=2026-04-20'].map((days) => [by, days])))(
    'segments by %s%s add up to the total',
    async (by, days) => {
      const answer = getMrrSegments.response.parse(await get(`/api/mrr/segments?limit=100&by=${by}${days}`))
      expect(answer.total).toEqual((await movementsOf(`?${days}`)).total)
      const added = (pick: (one: (typeof answer.segments)[number]) => number) =>
        answer.segments.reduce((all, one) => all + pick(one), 0)
      expect([added(({ start }) => start), added(({ fx = 0 }) => fx), added(({ end }) => end)]).toEqual([
        answer.total.start,
        answer.total.fx ?? 0,
        answer.total.end,
      ])
      for (const { start, net, fx = 0, end } of answer.segments) expect(start + net + fx).toBe(end)
    },
  )

  it('the cohorts of a month add up to it, and the retention of a month starts at its start', async () => {
    const { cohorts } = getMrrCohorts.response.parse(await get('/api/mrr/cohorts'))
    const { periods } = await movementsOf('')
    for (const { name, end } of periods)
      expect(
        cohorts.reduce((all, { cells }) => all + (cells.find(({ month }) => month === name)?.mrr ?? 0), 0),
      ).toBe(end)
    const { retention } = getMrrRetention.response.parse(await get('/api/mrr/retention'))
    for (const { from, start, expansion, contraction, end, nrr, grr } of retention) {
      expect(start).toBe(periods.find(({ name }) => name === from)?.start)
      expect(start + expansion + contraction).toBe(end)
      if (nrr !== null && grr !== null) expect(nrr - grr).toBeCloseTo(expansion / start, 9)
    }
  })

  it('a snapshot is the end of the month before', async () => {
    const { snapshots } = listMrrSnapshots.response.parse(await get('/api/mrr/snapshots'))
    const { periods } = await movementsOf('')
    const isQuiet = async (day: string) =>
      (await run(world.ownerUrl, `select from events where occurred_at = '${day}T00:00:00Z'`)).length === 0
    let compared = 0
    for (const { month, mrr } of snapshots)
      if (await isQuiet(`${month}-01`)) {
        const before = periods.find(({ to }) => to === addDays(`${month}-01`, -1))
        if (before === undefined) continue
        expect([month, mrr]).toEqual([month, before.end])
        compared += 1
      }
    expect(compared).toBeGreaterThan(3)
  })
})

describe('revalued', () => {
  beforeAll(() => count('revalued'))

  it('a level is each currency times the rate of the day', async () => {
    const { periods } = await movementsOf('')
    const [first] = periods.filter(({ to }) => to < today).slice(-3)
    const day = first?.to ?? ''
    const expected = await worthOn(day, `e.occurred_at < '${addDays(day, 1)}T00:00:00Z'`)
    expect(first?.end).toBeGreaterThan(0)
    expect(Math.abs((first?.end ?? 0) - expected)).toBeLessThanOrEqual(3)
    expect(periods.some(({ fx }) => fx !== 0)).toBe(true)
  })

  it('retention is at the rates of its start alone, so that it leaves out what they do later', async () => {
    const { retention } = getMrrRetention.response.parse(await get('/api/mrr/retention'))
    for (const { from, to, ...figures } of retention) {
      const [start, end] = [`${from}-01`, addDays(lastDayOf(to), 1)].map((day) => `'${day}T00:00:00Z'`)
      const known = `c.first_paid_month < '${from}'`
      const worthAtStart = (which: string) => worthOn(addDays(`${from}-01`, -1), `${known} and ${which}`)
      const within = `e.occurred_at >= ${start} and e.occurred_at < ${end}`
      const moved = (how: string) => `${within} and (select sum(m.mrr_change_cents) from events m
        where m.customer_id = e.customer_id and ${within.replaceAll('e.', 'm.')}) ${how} 0`
      const expected = {
        start: await worthAtStart(`e.occurred_at < ${start}`),
        expansion: await worthAtStart(moved('>')),
        contraction: await worthAtStart(moved('<')),
        end: await worthAtStart(`e.occurred_at < ${end}`),
      }
      for (const name of ['start', 'expansion', 'contraction', 'end'] as const)
        expect(Math.abs(figures[name] - expected[name]), `${name} of ${from}`).toBeLessThanOrEqual(6)
    }
    expect(retention.at(-1)?.contraction).toBeLessThan(-1_000)
  })

  const fileOf = async (name: string) => readCsv(await (await person.fetch(`/api/csv/${name}`)).text())

  it('the file of movements has the figures of its card, with exchange rates', async () => {
    const { periods } = await movementsOf('')
    const { lines, centsOf } = await fileOf('movements?interval=month')
    const own = lines.filter((cells) => cells.includes('USD'))
    expect(centsOf(own, 'Exchange Rates')).toEqual(periods.map(({ fx = 0 }) => fx))
    expect(centsOf(own, 'End')).toEqual(periods.map(({ end }) => end))
  })

  it.each([
    ['subscriptions', 'MRR in Reporting Currency', 'reportingMrr'],
    ['transactions', 'MRR Change in Reporting Currency', 'reportingMrrChange'],
  ])('the file of %s has the amounts of its list', async (name, column, field) => {
    type Listed = Record<string, Record<string, number | null>[]>
    const { [name]: rows } = (await get(`/api/stripe/${name}?limit=10`)) as Listed
    const { lines, centsOf } = await fileOf(name)
    expect(centsOf(lines.slice(0, 10), column)).toEqual(rows?.map((row) => row[field] ?? 0))
  })

  it('the customers to match have the MRR of the total if they are all', async () => {
    await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
      const { organizationId } = tenant
      await tenant.sql
        .insertInto('connections')
        .values({
          ...{
            organization_id: organizationId,
            provider: 'crm',
            sealed_secret: 'sealed',
            account_id: '4711',
          },
          ...{ is_live: null, secret_hint: null },
        })
        .execute()
      await sql`insert into matches (organization_id, customer_id, portal_id, state, evidence)
                select ${organizationId}, id, '4711', 'pending', 'no_candidate' from customers
                 where organization_id = ${organizationId}`.execute(tenant.sql)
      await recountTotals(tenant)
    })
    const { customersToMatch } = getAttention.response.parse(await get('/api/dashboard/attention'))
    expect(customersToMatch.count).toBeGreaterThan(30)
    expect(customersToMatch.mrr).toBe((await movementsOf('')).total.end)
  })

  it('a rate that is corrected afterwards changes open months only', async () => {
    const open = today.slice(0, 7)
    const before = await movementsOf('')
    const snapshots = await get('/api/mrr/snapshots')
    await person.post('/api/settings/reporting/rates', {
      ...{ source: 'ecb', isLast: true },
      text: ratesFile(today, (day) => 1.5 + Number(day.slice(8)) / 100),
    })
    const after = await movementsOf('')
    const closed = ({ periods }: typeof before) => periods.filter(({ name }) => name < open)
    expect(closed(after)).toEqual(closed(before))
    expect(after.total.end).not.toBe(before.total.end)
    expect(await get('/api/mrr/snapshots')).toEqual(snapshots)
    await person.post('/api/settings/reporting/rates', {
      source: 'ecb',
      text: ratesFile(today),
      isLast: true,
    })
    expect(await movementsOf('')).toEqual(before)
  })

  it('is nothing to an organization with dollars alone, whose answers stay as they are', async () => {
    await count('booked', dollars)
    const before = await allFigures(dollars)
    await count('revalued', dollars)
    expect(await allFigures(dollars)).toEqual(before)
    expect(JSON.stringify(before)).not.toMatch(/"fx"/)
  })

  it('goes back to what was booked', async () => {
    await count('booked')
    const before = await allFigures(person)
    await count('revalued')
    expect(await allFigures(person)).not.toEqual(before)
    await count('booked')
    expect(await allFigures(person)).toEqual(before)
  })
})
