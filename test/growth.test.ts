import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ScheduleName } from '#server/jobs/queues.ts'
import { turnAt } from '#server/jobs/schedule-turns.ts'
import { followClock } from '#server/jobs/schedules.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import { updateSettings } from '#server/store/setup/settings.ts'
import { startPush } from '#server/work/push/start-push.ts'
import { run as query } from './database.ts'
import { newWorld, type Person, type TestWorld } from './harness.ts'
import { unused } from './unused.ts'

const stepHours = Number(process.env['GROWTH_STEP_HOURS'] ?? 1_080)
const hourMs = 3_600_000
const dayMs = 24 * hourMs

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await person.connectStripe()
  await person.connectHubspot()
  await person.post('/api/import/historical')
  await world.drain()
  await person.post('/api/sync/push-all')
  await world.drain()
  await inOrganization(world.deps.database, person.organizationId, (tenant) =>
    updateSettings(tenant, { setupComplete: true }),
  )
})
afterAll(() => world?.close())

/** Runs the schedule at the next minute that is the organization's turn. */
async function tick(name: ScheduleName): Promise<void> {
  const now = world.now().getTime()
  const minutes = Array.from({ length: 1440 }, (_, minute) => new Date(now + minute * 60_000))
  const at = minutes.find((minute) => turnAt(name, person.organizationId, minute))
  if (!at) throw new Error(`${name} has no turn within a day`)
  await followClock(world.deps, unused('boss'), { name, at }, new AbortController().signal)
  await world.drain()
}

async function push(): Promise<void> {
  await startPush(world.deps, person.organizationId, { retriesFailed: false, isScheduled: true })
  await world.drain()
}

/** A night and the hour after it, in which nothing changed. */
async function step(): Promise<void> {
  await world.deps.sleep((stepHours - 1) * hourMs)
  await tick('refresh')
  await push()
  await world.deps.sleep(hourMs)
  await tick('look')
  await tick('sync')
  await push()
  for (const name of ['snapshots', 'erase', 'retention'] as const) await tick(name)
}

async function live(days: number): Promise<void> {
  const until = world.now().getTime() + days * dayMs
  while (world.now().getTime() < until) await step()
}

async function rowsByTable(): Promise<Record<string, number>> {
  const tables = await query<{ name: string }>(
    world.ownerUrl,
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await query<{ count: number }>(
      world.ownerUrl,
      `select count(*)::int as count from public."${name}"`,
    )
    counts[name] = row?.count ?? -1
  }
  return counts
}

it('nothing grows by time alone: two years of runs that change nothing leave as many rows as one, but a line a day', async () => {
  await live(430)
  const first = await rowsByTable()
  const begun = world.now()
  await live(365)
  const second = await rowsByTable()
  const grown = Object.keys(second).filter((name) => second[name] !== first[name])
  expect(grown.filter((name) => name !== 'runs' && name !== 'snapshots')).toEqual([])
  // One line of each kind a day.
  const days = (world.now().getTime() - begun.getTime()) / dayMs
  expect((second['runs'] ?? 0) - (first['runs'] ?? 0)).toBeLessThanOrEqual(2 * Math.ceil(days))
  const lines = await query<{ kind: string; day: string; runs: number }>(
    world.ownerUrl,
    `select kind, (created_at at time zone 'UTC')::date::text as day, count(*)::int as runs from runs
        where created_at < $1 group by 1, 2`,
    [new Date(world.now().getTime() - 401 * dayMs)],
  )
  expect(lines.length).toBeGreaterThan(10)
  expect(lines.filter(({ runs }) => runs > 2)).toEqual([])
  expect(lines.filter(({ runs }) => runs === 1).length).toBeGreaterThan(lines.length - 3)
  // A month's figure of a currency is one row, however often it is worked out.
  const [currencies] = await query<{ count: number }>(
    world.ownerUrl,
    'select count(distinct currency)::int as count from snapshots',
  )
  const months = Math.ceil(days / 28)
  expect((second['snapshots'] ?? 0) - (first['snapshots'] ?? 0)).toBeLessThanOrEqual(
    months * (currencies?.count ?? 0),
  )
  // Logs stay for 30 days; a step has few runs that write any.
  const stepsKept = Math.floor((30 * 24) / stepHours)
  expect(first['run_logs']).toBeLessThanOrEqual(10 + 2 * stepsKept)
}, 1_800_000)
