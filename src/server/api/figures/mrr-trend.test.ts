import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getDashboardStats, getMrrTrend } from '#contract/dashboard.ts'
import { getMrrMovements, listMrrSnapshots } from '#contract/mrr.ts'
import { getSubscription, listSubscriptions } from '#contract/subscriptions.ts'
import type { MrrEvent } from '#domain/event.ts'
import { snapshotsOf } from '#domain/mrr/ledger/snapshots.ts'
import type { SimulatedWorld as Account } from '#simulators/stripe/world/world.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { generatedWorld } from '#test/import/stage-import.ts'
import { loadChains } from '../../store/ledger/ledger-check.ts'
import { inOrganization } from '../../store/postgres/database.ts'

const unknownStatus = 'hibernating'

let account: Account
let world: TestWorld
let person: Person
beforeAll(async () => {
  account = generatedWorld(30)
  const [first] = account.subscriptions.filter((one) => one['status'] === 'active')
  if (first) first['status'] = unknownStatus
  world = await newWorld({ account })
  person = await world.person()
  await person.connectStripe()
  await person.post('/api/import/historical', { restart: false })
  await world.drain()
})
afterAll(() => world.close())

const get = async (path: string): Promise<unknown> => (await person.fetch(path)).json()

/** The whole ledger as the domain itself calculates it. */
function ledger(): Promise<MrrEvent[]> {
  return inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    const ids = account.subscriptions.map((one) => String(one['id']))
    return (await loadChains(tenant, ids)).events
  })
}

describe('after the first import', () => {
  it('snapshots fill every past month, ascending, with the state at 00:00 UTC of its 1st', async () => {
    const { snapshots } = listMrrSnapshots.response.parse(await get('/api/mrr/snapshots'))
    const events = await ledger()
    const asOf = Math.floor(world.now().getTime() / 1000)
    const right = snapshotsOf(events, events[0]?.occurredAt ?? 0, asOf)
    const months = [...new Set(right.map(({ month }) => month))].sort()
    expect(months.length).toBeGreaterThan(12)
    expect(snapshots.map(({ month }) => month)).toEqual(months)
    expect(months.at(-1)).toBe(world.now().toISOString().slice(0, 7))
    const usd = right.filter(({ currency }) => currency === 'usd')
    for (const { month, mrrCents, activeSubscriptions } of usd) {
      expect(snapshots.find((one) => one.month === month)).toMatchObject({
        mrr: mrrCents,
        activeSubscriptions,
      })
    }
  })

  it('the trend is those months in USD, and now', async () => {
    const { snapshots } = listMrrSnapshots.response.parse(await get('/api/mrr/snapshots'))
    const { mrrTrend, currentMrr } = getMrrTrend.response.parse(await get('/api/dashboard/mrr-trend'))
    const stats = getDashboardStats.response.parse(await get('/api/dashboard/stats'))
    expect(currentMrr).toBe(stats.currentMrr)
    expect(mrrTrend.at(-1)).toEqual({ date: world.now().toISOString().slice(0, 10), mrr: currentMrr })
    const months = new Map(snapshots.map(({ month, mrr }) => [`${month}-01`, mrr]))
    for (const { date, mrr } of mrrTrend.slice(0, -1)) expect(months.get(date)).toBe(mrr)
    expect(mrrTrend.map(({ date }) => date)).toEqual(mrrTrend.map(({ date }) => date).sort())
    expect(mrrTrend.length).toBeGreaterThan(12)
  })
})

it('the change of each month is the sum of its events, and the last leads to the current MRR', async () => {
  const today = world.now().toISOString().slice(0, 10)
  const { periods, currency } = getMrrMovements.response.parse(
    await get(`/api/mrr/movements?from=2025-01-01&to=${today}`),
  )
  const events = (await ledger()).filter((event) => event.currency === currency)
  const monthOf = (at: number) => new Date(at * 1_000).toISOString().slice(0, 7)
  expect(periods.filter(({ net }) => net !== 0).length).toBeGreaterThan(3)
  for (const { name, net } of periods) {
    const own = events.filter(({ occurredAt }) => monthOf(occurredAt) === name)
    expect(net, name).toBe(own.reduce((sum, event) => sum + event.mrrChangeCents, 0))
  }
  const stats = getDashboardStats.response.parse(await get('/api/dashboard/stats'))
  expect(periods.at(-1)).toMatchObject({ isRunning: true, end: stats.currentMrr })
})

it('the dashboard counts all active subscriptions as their list does, and those that pay', async () => {
  const stats = getDashboardStats.response.parse(await get('/api/dashboard/stats'))
  const active = listSubscriptions.response.parse(
    await get('/api/stripe/subscriptions?limit=100&status=active'),
  )
  expect(stats.activeInList).toBe(active.totalCount)
  const all = listSubscriptions.response.parse(await get('/api/stripe/subscriptions?limit=100'))
  expect(all.totalCount).toBe(all.subscriptions.length)
  const paying = all.subscriptions.filter(({ currency, currentMrr }) => currency === 'usd' && currentMrr > 0)
  expect(stats.payingSubscriptions).toBe(paying.length)
})

describe('a subscription that cannot be counted', () => {
  it('is counted on the dashboard, shown with its reason, and in no total', async () => {
    const stats = getDashboardStats.response.parse(await get('/api/dashboard/stats'))
    expect(stats.unsupportedSubscriptions).toBe(1)
    const { subscriptions } = listSubscriptions.response.parse(
      await get(`/api/stripe/subscriptions?limit=100&status=${unknownStatus}`),
    )
    expect(subscriptions).toMatchObject([
      { currentMrr: 0, unsupportedReason: expect.stringContaining(unknownStatus) },
    ])
    const id = subscriptions[0]?.subscriptionId ?? ''
    const one = getSubscription.response.parse(await get(`/api/stripe/subscriptions/${id}`))
    expect(one.unsupportedReason).toBe(subscriptions[0]?.unsupportedReason)
    const events = await ledger()
    expect(events.filter(({ subscriptionId }) => subscriptionId === id)).toEqual([])
    const usd = events.filter(({ currency }) => currency === 'usd')
    expect(stats.currentMrr).toBe(usd.reduce((sum, { mrrChangeCents }) => sum + mrrChangeCents, 0))
  })
})
