import { afterAll, beforeAll, expect, it } from 'vitest'
import { api } from '#contract/api.ts'
import { getMrrTrend } from '#contract/dashboard.ts'
import {
  getMrrCohorts,
  getMrrMovements,
  getMrrRetention,
  getMrrSegments,
  listMrrSnapshots,
} from '#contract/mrr.ts'
import { matchStates } from '#domain/company.ts'
import { decimalOfCents } from '#domain/currency.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import { readCsv } from '#test/api/csv-file.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'
import { addCustomer, addMatch, addSubscription } from '#test/store/seed.ts'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld({ account: generatedWorld(20) })
  person = await world.person()
  await person.connectStripe()
  await person.post('/api/import/historical', { restart: false })
  await world.drain()
})
afterAll(() => world.close())

const get = async (path: string): Promise<unknown> => (await person.fetch(path)).json()
const usd = (cents: number) => decimalOfCents(cents, 'usd')

/** The lines of a file of the reporting currency, without its head. */
async function linesOf(path: string): Promise<string[][]> {
  const answer = await person.fetch(`/api/csv/${path}`)
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z0-9-]+\.csv"$/)
  return readCsv(await answer.text()).lines.filter((cells) => cells.includes('USD'))
}

type Bridge = { start: number; moves: { change: number }[]; net: number; end: number }
const bridgeCells = ({ start, moves, net, end }: Bridge) => [
  ...[start, ...moves.map(({ change }) => change), net, end].map(usd),
  'USD',
]

it.each(['interval=month', 'from=2026-02-10&to=2026-08-20&interval=quarter'])(
  'movements of %s are those of the chart',
  async (query) => {
    const { periods } = getMrrMovements.response.parse(await get(`/api/mrr/movements?${query}`))
    expect(periods.length).toBeGreaterThan(2)
    expect(await linesOf(`movements?${query}`)).toEqual(
      periods.map((period) => [period.name, period.from, period.to, ...bridgeCells(period)]),
    )
  },
)

it('what has no rate is in lines of its own', async () => {
  const text = await (await person.fetch('/api/csv/movements?interval=quarter')).text()
  const { otherCurrencies } = getMrrMovements.response.parse(await get('/api/mrr/movements'))
  expect(otherCurrencies.length).toBeGreaterThan(0)
  for (const { currency, end } of otherCurrencies)
    expect(text.trimEnd().split('\r\n')).toContainEqual(
      expect.stringMatching(`"${decimalOfCents(end, currency)}","${currency.toUpperCase()}"$`),
    )
})

it('segments are all of them, not one page', async () => {
  const query = 'from=2026-02-10&by=plan'
  const { segments } = getMrrSegments.response.parse(await get(`/api/mrr/segments?${query}&limit=100`))
  const lines = await linesOf(`segments?${query}`)
  expect(lines.map((cells) => cells.slice(1, -1))).toEqual(segments.map(bridgeCells))
  expect(lines.map((cells) => cells.at(-1))).toEqual(segments.map(({ share }) => share?.toFixed(4) ?? ''))
})

it('retention and cohorts are those of their cards', async () => {
  const { retention } = getMrrRetention.response.parse(await get('/api/mrr/retention?to=2026-06-30'))
  expect(await linesOf('retention?to=2026-06-30')).toEqual(
    retention.map(({ months, from, to, start, expansion, contraction, end, nrr, grr }) => [
      ...[String(months), from, to, ...[start, expansion, contraction, end].map(usd), 'USD'],
      ...[nrr, grr].map((ratio) => ratio?.toFixed(4) ?? ''),
    ]),
  )
  const { cohorts } = getMrrCohorts.response.parse(await get('/api/mrr/cohorts?from=2026-03-01'))
  expect(await linesOf('cohorts?from=2026-03-01')).toEqual(
    cohorts.flatMap(({ cohort, cells }) =>
      cells.map(({ month, mrr, customers }) => [
        ...[cohort === '' ? 'Before 2026-03' : cohort, month, usd(mrr), 'USD', String(customers)],
      ]),
    ),
  )
})

it('snapshots and the trend are those of the days asked for', async () => {
  const { snapshots } = listMrrSnapshots.response.parse(await get('/api/mrr/snapshots'))
  const asked = snapshots
    .filter(({ month }) => month >= '2026-03' && month <= '2026-07')
    .toSorted((one, other) => (one.month < other.month ? -1 : 1))
  expect(asked.length).toBeGreaterThan(2)
  expect(await linesOf('snapshots?from=2026-03-01&to=2026-07-31')).toEqual(
    asked.map(({ month, mrr, activeSubscriptions }) => [
      ...[month, usd(mrr), 'USD', String(activeSubscriptions), `${month}-01 00:00:00`],
    ]),
  )
  const { mrrTrend } = getMrrTrend.response.parse(await get('/api/dashboard/mrr-trend'))
  expect(await linesOf('mrr-trend?from=2026-03-02')).toEqual(
    mrrTrend
      .filter(({ date }) => date >= '2026-03-02')
      .map(({ date, mrr }) => [
        ...[date, usd(mrr), 'USD'],
        date.endsWith('-01') ? `${date} 00:00:00` : world.now().toISOString().slice(0, 19).replace('T', ' '),
      ]),
  )
})

it('days that cannot be are refused before a file begins', async () => {
  for (const path of ['movements', 'segments', 'cohorts', 'snapshots', 'mrr-trend'])
    expect((await person.fetch(`/api/csv/${path}?from=2026-02-02&to=2026-02-01`)).status).toBe(400)
})

it('no file has a code where the screens have words', async () => {
  const evidences = { linked: 'company_domain', pending: 'free_mail', ignored: 'no_candidate' } as const
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    const crm = { provider: 'crm', account_id: '4711', sealed_secret: 'sealed' }
    await tenant.sql
      .insertInto('connections')
      .values({ organization_id: tenant.organizationId, ...crm, is_live: null, secret_hint: null })
      .execute()
    for (const [at, state] of matchStates.entries()) {
      const customerId = `cus_${at}`
      await addCustomer(tenant, { id: customerId, name: 'Quay' })
      await addSubscription(tenant, { id: `sub_${at}`, customer_id: customerId, status: 'past_due' })
      await addMatch(tenant, { customerId, companyName: 'Quay', state, evidence: evidences[state] })
    }
  })
  const files = Object.values(api).filter(({ answers, path }) => answers === 'file' && !path.includes('{'))
  const reviewed = matchStates.map((state) => `/api/csv/matches?state=${state}`)
  const texts = await Promise.all(
    [...files.map(({ path }) => path), ...reviewed].map(async (path) => (await person.fetch(path)).text()),
  )
  const cells = new Set(
    texts.flatMap((text) => [...text.matchAll(/"([^"]*)"/g)].map(([, cell = '']) => cell)),
  )
  const words = ['Data Import', 'Completed', 'Person', 'Past Due', 'New Subscription']
  words.push('Matched', 'Not looked up yet', 'Needs review', 'Attached', 'Ignored', 'Personal email', 'Done')
  expect(words.filter((word) => !cells.has(word))).toEqual([])
  const codes = [...cells].filter((cell) => /^([a-z]+_)*[a-z]{3,}$|^[A-Z][a-z]+_[A-Z]/.test(cell))
  expect(codes).toEqual([])
})
