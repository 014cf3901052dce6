import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getDashboardStats } from '#contract/dashboard.ts'
import { listTransactions, type Transaction } from '#contract/events.ts'
import { getMrrCohorts, getMrrMovements, getMrrRetention, getMrrSegments } from '#contract/mrr.ts'
import { lastDayOf } from '#domain/month.ts'
import { isSize, segmentKinds } from '#domain/segment.ts'
import { run } from '#test/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'
import { movementFaults } from '#test/store/kept-movements.ts'

let world: TestWorld
let person: Person
let events: Transaction[]
beforeAll(async () => {
  world = await newWorld({ account: generatedWorld(60) })
  person = await world.person()
  await person.connectStripe()
  await person.post('/api/import/historical', { restart: false })
  await world.drain()
  events = await readEvents()
})
afterAll(() => world.close())

const get = async (path: string, as: Person = person): Promise<unknown> => (await as.fetch(path)).json()
const movementsOf = async (query: string) =>
  getMrrMovements.response.parse(await get(`/api/mrr/movements${query}`))

async function readEvents(): Promise<Transaction[]> {
  const all: Transaction[] = []
  for (let page = 1; ; page += 1) {
    const answer = listTransactions.response.parse(
      await get(`/api/stripe/transactions?limit=100&page=${page}`),
    )
    all.push(...answer.transactions)
    if (all.length >= answer.totalCount) return all
  }
}

const dayOf = ({ transactionDate }: Transaction) => transactionDate.slice(0, 10)
const sum = (rows: readonly { mrrChange: number }[]) =>
  rows.reduce((all, { mrrChange }) => all + mrrChange, 0)
/** The events that the links of a figure list. */
const listed = (filter: { from?: string | undefined; to?: string | undefined; mrrStatus?: string }) =>
  events.filter(
    (event) =>
      event.currency === 'usd' &&
      (filter.from === undefined || dayOf(event) >= filter.from) &&
      (filter.to === undefined || dayOf(event) <= filter.to) &&
      (filter.mrrStatus === undefined || event.mrrStatus === filter.mrrStatus),
  )
const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

describe('the movements of an imported account', () => {
  it.each(['', '?interval=quarter', '?from=2026-01-10&to=2026-06-20', '?from=2026-03-05&to=2026-03-09'])(
    'add up, and each figure is the sum of the events that it leads to: %s',
    async (query) => {
      const { periods, total, from, to } = await movementsOf(query)
      expect(periods.length).toBeGreaterThan(0)
      for (const { start, moves, net, end, ...days } of [
        ...periods,
        { ...total, from: from ?? '', to: to ?? '' },
      ]) {
        expect(start).toBe(sum(listed({ to: dayBefore(days.from) })))
        expect(end).toBe(sum(listed({ to: days.to })))
        expect(net).toBe(end - start)
        for (const { movement, change, events: count } of moves) {
          const own = listed({ from: days.from, to: days.to, mrrStatus: movement })
          expect([change, count]).toEqual([sum(own), own.length])
        }
        expect(moves.reduce((all, { change }) => all + change, 0)).toBe(net)
      }
    },
  )

  it('end at current MRR, in every currency of its own', async () => {
    const { total, otherCurrencies, periods } = await movementsOf('')
    const stats = getDashboardStats.response.parse(await get('/api/dashboard/stats'))
    expect(total.end).toBe(stats.currentMrr)
    expect(periods.at(-1)).toMatchObject({ isRunning: true, to: world.now().toISOString().slice(0, 10) })
    expect(
      otherCurrencies.filter(({ end }) => end !== 0).map(({ currency, end }) => ({ currency, end })),
    ).toEqual(stats.otherCurrencies.map(({ currency, mrr }) => ({ currency, end: mrr })))
  })

  it('stay what a count of the events gives when the account is imported again', async () => {
    expect(await movementFaults(world.ownerUrl)).toEqual([])
    await person.post('/api/import/historical', { restart: true })
    await world.drain()
    expect(await movementFaults(world.ownerUrl)).toEqual([])
  })

  it('are none before the first event, in the future, and of another organization', async () => {
    const none = { from: null, to: null, periods: [], total: { start: 0, net: 0, end: 0 } }
    expect(await movementsOf('?to=2001-01-01')).toMatchObject(none)
    expect(await movementsOf('?from=2199-01-01')).toMatchObject({ periods: [] })
    const stranger = await world.person()
    expect(getMrrMovements.response.parse(await get('/api/mrr/movements', stranger))).toMatchObject(none)
  })

  it.each(['from=2026-02-30', 'to=soon', 'from=2026-02-02&to=2026-02-01', 'interval=week'])(
    'are refused for days that cannot be: %s',
    async (query) => {
      const answer = await person.fetch(`/api/mrr/movements?${query}`)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({
        error: { message: expect.stringMatching(/^(from|to|interval): /) },
      })
    },
  )
})

describe('segments', () => {
  const segmentsOf = async (query: string) =>
    getMrrSegments.response.parse(await get(`/api/mrr/segments?limit=100&${query}`))

  it.each(
    segmentKinds.flatMap((by) =>
      ['', 'from=2026-01-10&to=2026-06-20', 'from=2026-03-05&to=2026-03-09'].map((days) => [by, days]),
    ),
  )('by %s add up to the movements of the same days: %s', async (by, days) => {
    const { segments, total, totalCount } = await segmentsOf(`by=${by}&${days}`)
    const whole = await movementsOf(`?${days}`)
    expect(total).toEqual(whole.total)
    expect(totalCount).toBe(segments.length)
    const added = (pick: (one: (typeof segments)[number]) => number) =>
      segments.reduce((all, one) => all + pick(one), 0)
    expect([added((one) => one.start), added((one) => one.net), added((one) => one.end)]).toEqual([
      total.start,
      total.net,
      total.end,
    ])
    for (const [index, { change, events: count }] of total.moves.entries())
      expect([
        added(({ moves }) => moves[index]?.change ?? 0),
        added(({ moves }) => moves[index]?.events ?? 0),
      ]).toEqual([change, count])
    for (const { start, moves, end } of segments)
      expect(start + moves.reduce((all, { change }) => all + change, 0)).toBe(end)
    expect(added(({ share }) => share ?? 0)).toBeCloseTo(1, 9)
  })

  it('are the subscriptions of that kind, page by page, highest MRR first', async () => {
    const { segments } = await segmentsOf('by=product')
    const rows = await run<{ value: string; cents: number }>(
      world.ownerUrl,
      `select coalesce(product_name, '') as value, sum(current_mrr_cents)::float8 as cents from subscriptions
        where currency = 'usd' group by 1 having sum(current_mrr_cents) > 0 order by 2 desc, 1`,
    )
    expect(segments.filter(({ end }) => end > 0).map(({ value, end: cents }) => ({ value, cents }))).toEqual(
      rows,
    )
    const second = getMrrSegments.response.parse(await get('/api/mrr/segments?by=product&limit=1&page=2'))
    expect(second.segments).toEqual(segments.slice(1, 2))
    const plans = (await segmentsOf('by=plan')).segments.map(({ value }) => value)
    expect(plans.filter((value) => / \/ month$/.test(value)).length).toBeGreaterThan(2)
    const sizes = (await segmentsOf('by=size')).segments.map(({ value }) => value)
    const bands = sizes.filter((value) => isSize(value))
    expect(bands.length).toBeGreaterThan(1)
    expect(bands).toEqual((['xl', 'l', 'm', 's', 'xs'] as const).filter((band) => bands.includes(band)))
  })
})

describe('cohorts and retention', () => {
  it('have rows that add up to the MRR of each month, and cells that are the sum of their events', async () => {
    const { cohorts } = getMrrCohorts.response.parse(await get('/api/mrr/cohorts?from=2025-12-01'))
    const { periods } = await movementsOf('')
    const cohortRows = await run<{ id: string; month: string }>(
      world.ownerUrl,
      `select s.id, c.first_paid_month as month from subscriptions s
         join customers c on c.organization_id = s.organization_id and c.id = s.customer_id`,
    )
    const firstPaid = new Map(cohortRows.map(({ id, month }) => [id, month]))
    for (const { name, end } of periods.filter(({ name: month }) => month >= '2025-12'))
      expect(
        cohorts.reduce((all, { cells }) => all + (cells.find(({ month }) => month === name)?.mrr ?? 0), 0),
      ).toBe(end)
    const paying = await run<{ count: number }>(
      world.ownerUrl,
      'select count(distinct customer_id)::integer as count from subscriptions where current_mrr_cents > 0',
    )
    expect(cohorts.reduce((all, { cells }) => all + (cells.at(-1)?.customers ?? 0), 0)).toBe(paying[0]?.count)
    for (const { cohort, cells } of cohorts.filter((one) => one.cohort !== ''))
      for (const { month, mrr } of cells)
        expect(
          sum(
            listed({ to: lastDayOf(month) }).filter(
              ({ relatedSubscriptionId }) => firstPaid.get(relatedSubscriptionId ?? '') === cohort,
            ),
          ),
        ).toBe(mrr)
  })

  it('tell what is left of the MRR before 1, 3 and 12 months, from whole months', async () => {
    const { retention } = getMrrRetention.response.parse(await get('/api/mrr/retention?to=2026-03-30'))
    expect(retention.map(({ months, from, to }) => [months, from, to])).toEqual([
      [1, '2026-02', '2026-02'],
      [3, '2025-12', '2026-02'],
      [12, '2025-03', '2026-02'],
    ])
    for (const { from, start, expansion, contraction, end, nrr, grr } of retention) {
      expect(start).toBe(sum(listed({ to: dayBefore(`${from}-01`) })))
      expect(start + expansion + contraction).toBe(end)
      if (nrr !== null && grr !== null) expect(nrr - grr).toBeCloseTo(expansion / start, 9)
    }
    expect(retention[0]?.nrr).not.toBeNull()
  })
})
