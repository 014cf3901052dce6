import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '#domain/date-range.ts'
import { lastDayOf, monthBefore, monthsBetween } from '#domain/month.ts'
import { movements } from '#domain/movement.ts'
import { segmentKinds } from '#domain/segment.ts'
import { type GeneratedLedger, type GeneratedRow, newGeneratedLedger } from '#test/store/generated-ledger.ts'
import { movementFaults } from '#test/store/kept-movements.ts'
import { sumEvents } from '../../store/lists/list-sums.ts'
import { readMovements } from './movements.ts'
import { readCohorts, readRetention } from './retention.ts'
import { readSegments } from './segments.ts'

const accounts = Number(process.env['ACCOUNTS'] ?? 150)
const patience = 60_000 + accounts * 30
const now = new Date('2025-02-10T12:00:00Z')
const today = '2025-02-10'
const months = monthsBetween('2023-11', '2025-02')
const ranges: { from?: string; to?: string }[] = [
  {},
  ...months.map((month) => ({ from: `${month}-01`, to: lastDayOf(month) })),
  { from: '2024-03-10', to: '2024-09-20' },
  { to: '2024-07-04' },
]

let ledger: GeneratedLedger
let rows: GeneratedRow[]
beforeAll(async () => {
  ledger = await newGeneratedLedger(accounts)
}, patience)
afterAll(() => ledger.close())

type Part = { day: string; movement: string; change: number; row: GeneratedRow }
const parts = new Map<string | undefined, Part[]>()

/** What is in the totals, or in one currency beside them, as amounts of it. */
function partOf(currency?: string): Part[] {
  return parts.get(currency) ?? []
}

async function readRows() {
  rows = await ledger.rows()
  for (const part of [undefined, 'kwd'])
    parts.set(
      part,
      rows.flatMap((row) => {
        const { day, movement, reported } = row
        const isIn = part === undefined ? reported !== null : reported === null && row.currency === part
        return isIn ? [{ day, movement, change: reported ?? row.after - row.before, row }] : []
      }),
    )
}

type Sums = { start: number; end: number; moves: Record<string, { change: number; events: number }> }

/** What the events of some days come to, by whatever they are told apart, counted event by event. */
function sumsBy(
  part: readonly Part[],
  days: { from?: string; to?: string },
  nameOf: (row: GeneratedRow) => string,
) {
  const { from = '', to = '9999' } = days
  const found = new Map<string, Sums>()
  for (const { day, movement, change, row } of part) {
    if (day > to) continue
    const name = nameOf(row)
    const sums = found.get(name) ?? { start: 0, end: 0, moves: {} }
    found.set(name, sums)
    sums.end += change
    if (day < from) sums.start += change
    else {
      const { change: before, events } = sums.moves[movement] ?? { change: 0, events: 0 }
      sums.moves[movement] = { change: before + change, events: events + 1 }
    }
  }
  return found
}

const add = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

type Bridge = {
  start: number
  end: number
  net: number
  moves: readonly { movement: string; change: number; events: number }[]
}

/** The same of a bridge of the product; its own sums must add up. */
function sumsOf({ start, moves, net, end }: Bridge): Sums {
  expect(moves.map(({ movement }) => movement)).toEqual(movements)
  expect(start + moves.reduce((all, { change }) => all + change, 0)).toBe(end)
  expect(start + net).toBe(end)
  const some = moves.filter(({ events }) => events > 0)
  return {
    start,
    end,
    moves: Object.fromEntries(some.map(({ movement, ...sums }) => [movement, sums])),
  }
}

const attributes = {
  product: ({ product }: GeneratedRow) => product,
  plan: ({ plan }: GeneratedRow) => plan,
  currency: ({ currency }: GeneratedRow) => currency,
  interval: ({ interval }: GeneratedRow) => interval,
  size: ({ size }: GeneratedRow) => size,
}
const all = () => ''
const moved = ({ start, end, moves }: Sums) => start !== 0 || end !== 0 || Object.keys(moves).length > 0
const none: Sums = { start: 0, end: 0, moves: {} }

/** The month in which each customer first paid. */
function cohortsOfCustomers(): Map<string, string> {
  const first = new Map<string, string>()
  for (const { customer, day, before, after } of rows)
    if (after > before && !first.has(customer)) first.set(customer, day.slice(0, 7))
  return first
}

/** How many of each cohort's customers began to pay in a month, less those that stopped. */
function payingBy(cohorts: Map<string, string>): Map<string, number> {
  const paying = new Map<string, number>()
  const counts = new Map<string, number>()
  for (const { customer, day, before, after } of rows) {
    const was = paying.get(customer) ?? 0
    const is = was + Number(after > 0) - Number(before > 0)
    paying.set(customer, is)
    const key = `${cohorts.get(customer)} ${day.slice(0, 7)}`
    counts.set(key, (counts.get(key) ?? 0) + Number(is > 0) - Number(was > 0))
  }
  return counts
}

/** How many subscriptions with a rate have MRR at the end of a day. */
function payingLater(day: string): number {
  const until = partOf().filter((one) => one.day <= day)
  return add(until.map(({ row }) => Number(row.after > 0) - Number(row.before > 0)))
}

async function checkMovements() {
  for (const interval of ['month', 'quarter'] as const) {
    const { periods, total, beside } = await ledger.within((tenant) =>
      readMovements(tenant, { interval }, today),
    )
    expect(beside.map(({ currency }) => currency)).toEqual(['kwd'])
    for (const figures of [{ currency: undefined, periods, total }, ...beside]) {
      const part = partOf(figures.currency)
      expect(sumsOf(figures.total)).toEqual(sumsBy(part, {}, all).get(''))
      let level = 0
      for (const { from, to, paying, ...period } of figures.periods) {
        if (figures.currency === undefined)
          expect(paying).toBe(payingLater(to) - payingLater(addDays(from, -1)))
        expect(period.start).toBe(level)
        level = period.end
        expect(sumsOf(period)).toEqual(sumsBy(part, { from, to }, all).get('') ?? none)
      }
      expect(level).toBe(figures.total.end)
    }
  }
}

async function checkSegments() {
  for (const by of segmentKinds)
    for (const days of ranges) {
      const found = await ledger.within((tenant) => readSegments(tenant, { by, ...days }, today))
      const whole = await ledger.within((tenant) =>
        readMovements(tenant, { interval: 'month', ...days }, today),
      )
      expect(sumsOf(found.total)).toEqual(sumsOf(whole.total))
      for (const { currency, segments, total } of [{ ...found, currency: undefined }, ...found.beside]) {
        const counted = [...sumsBy(partOf(currency), days, attributes[by])].filter(([, sums]) => moved(sums))
        expect(new Map(segments.map((one) => [one.value, sumsOf(one)]))).toEqual(new Map(counted))
        expect(add(segments.map(({ end }) => end))).toBe(total.end)
        expect(add(segments.map(({ net }) => net))).toBe(total.net)
      }
    }
}

async function checkCohorts() {
  const { cohorts } = await ledger.within((tenant) => readCohorts(tenant, {}, now))
  const firstPaid = cohortsOfCustomers()
  const customers = payingBy(firstPaid)
  const reported = partOf()
  for (const month of months) {
    const cells = cohorts.flatMap(({ cohort, cells: each }) =>
      each.filter((cell) => cell.month === month).map((cell) => ({ cohort, ...cell })),
    )
    const until = { to: lastDayOf(month) }
    const counted = sumsBy(reported, until, ({ customer }) => firstPaid.get(customer) ?? '')
    for (const { cohort, mrr, customers: paying } of cells) {
      const changes = [...customers].filter(([key]) => key >= `${cohort} ` && key <= `${cohort} ${month}`)
      expect([mrr, paying]).toEqual([counted.get(cohort)?.end ?? 0, add(changes.map(([, count]) => count))])
    }
    expect(cells.reduce((sum, { mrr }) => sum + mrr, 0)).toBe(sumsBy(reported, until, all).get('')?.end ?? 0)
  }
}

async function checkRetention() {
  const firstPaid = cohortsOfCustomers()
  for (const month of months.slice(0, -1)) {
    const { retention } = await ledger.within((tenant) => readRetention(tenant, lastDayOf(month), now))
    for (const { from, to, start, expansion, contraction, end, nrr, grr } of retention) {
      const known = partOf().filter(({ row }) => (firstPaid.get(row.customer) ?? '') < from)
      const sums = sumsBy(known, { from: `${from}-01`, to: lastDayOf(to) }, all).get('') ?? none
      const ofCustomers = sumsBy(known, { from: `${from}-01`, to: lastDayOf(to) }, ({ customer }) => customer)
      const nets = [...ofCustomers.values()].map((one) => one.end - one.start)
      expect({ start, expansion, contraction, end }).toEqual({
        start: sums.start,
        expansion: add(nets.filter((net) => net > 0)),
        contraction: add(nets.filter((net) => net < 0)),
        end: sums.end,
      })
      if (grr !== null) expect(grr >= 0 && grr <= 1).toBe(true)
      expect([nrr, grr]).toEqual(start > 0 ? [end / start, (start + contraction) / start] : [null, null])
      if (nrr !== null && grr !== null) expect(nrr - grr).toBeCloseTo(expansion / start, 9)
    }
  }
}

/** The list that a figure opens, by its own filters, comes to the figure: cells of movements, segments and cohorts. */
async function checkLists() {
  const opened = async (filter: Omit<Parameters<typeof sumEvents>[1], 'search'>) => {
    const sums = await ledger.within((tenant) => sumEvents(tenant, { search: '', ...filter }))
    return sums.filter((sum) => sum.mrrStatus !== 'Planned_Cancellation')
  }
  const changeOf = (sums: Awaited<ReturnType<typeof opened>>) =>
    add(sums.map(({ reportingCents }) => reportingCents))
  const { periods } = await ledger.within((tenant) => readMovements(tenant, { interval: 'month' }, today))
  for (const { from, to, moves } of periods)
    for (const { movement, change } of moves)
      expect(changeOf(await opened({ from, to, mrrStatus: [movement] }))).toBe(change)
  for (const by of segmentKinds)
    for (const days of [{}, { from: '2024-03-10', to: '2024-09-20' }]) {
      const { segments } = await ledger.within((tenant) => readSegments(tenant, { by, ...days }, today))
      for (const { value, net } of segments.slice(0, 20)) {
        const own = value === '' ? null : by === 'interval' ? Number(value) : value
        expect(changeOf(await opened({ ...days, [by]: [own] })), `${by} ${value}`).toBe(net)
      }
    }
  const { cohorts } = await ledger.within((tenant) => readCohorts(tenant, {}, now))
  for (const { cohort, cells } of cohorts)
    for (const { month, mrr } of cells.filter((_, place) => place % 5 === 0)) {
      const ofCohort = cohort === '' ? {} : { firstPaidFrom: cohort, firstPaidTo: cohort }
      expect(changeOf(await opened({ ...ofCohort, to: lastDayOf(month) }))).toBe(mrr)
    }
}

/** So do the amounts of retention. */
async function checkRetentionLists() {
  for (const month of months.slice(3, -1).filter((_, place) => place % 4 === 0)) {
    const { retention } = await ledger.within((tenant) => readRetention(tenant, lastDayOf(month), now))
    for (const { from, to, expansion, contraction } of retention)
      for (const [customersPay, figure] of [
        ['more', expansion],
        ['less', contraction],
      ] as const) {
        const days = { from: `${from}-01`, to: lastDayOf(to) }
        const filter = { search: '', firstPaidTo: monthBefore(from), customersPay, ...days }
        const sums = await ledger.within((tenant) => sumEvents(tenant, filter))
        expect(add(sums.map(({ reportingCents }) => reportingCents))).toBe(figure)
      }
  }
}

const laws: Record<string, () => Promise<void>> = {
  'start + moves = end in each month and quarter, which begin where the last ended': checkMovements,
  'segments of each month and of other days lead from start to end, and add up to the total': checkSegments,
  'the cohorts of each month add up to its MRR': checkCohorts,
  'NRR exceeds GRR by the share of expansion': checkRetention,
  'the list that a cell opens comes to the cell': checkLists,
  'the list that an amount of retention opens comes to it': checkRetentionLists,
}

describe.each([
  ['counted once', async () => {}],
  ['of whose customers one in four has other events since', () => ledger.liveAgain(Math.ceil(accounts / 4))],
])(`in the ledgers of ${accounts} generated accounts, %s`, (_, change) => {
  beforeAll(async () => {
    await change()
    await readRows()
    expect(rows.length).toBeGreaterThan(accounts)
  }, patience)

  it.each(Object.entries(laws))('%s', (_, check) => check(), patience)

  it.each([
    ['2025-01-31T23:59:59Z', undefined, '2024-12'],
    ['2025-01-31T23:59:59Z', '2025-01-31', '2024-12'],
    ['2025-01-31T23:59:59Z', '2024-12-31', '2024-12'],
    ['2025-02-01T00:00:00Z', undefined, '2025-01'],
    ['2025-02-01T00:00:00Z', '2025-01-31', '2025-01'],
  ])('retention at %s up to %s knows whole months alone', async (at, day, last) => {
    const { retention } = await ledger.within((tenant) => readRetention(tenant, day, new Date(at)))
    expect(retention.map(({ to }) => to)).toEqual([last, last, last])
  })

  it('the kept totals are a plain count of the events', { timeout: patience }, async () => {
    expect(await movementFaults(ledger.db.ownerUrl)).toEqual([])
  })
})
