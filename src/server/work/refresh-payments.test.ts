import { afterEach, describe, expect, it } from 'vitest'
import { readWorld } from '#simulators/stripe/world.ts'
import { createMachine } from '#simulators/worlds/machine.ts'
import { run as query } from '#test/database.ts'
import { type ImportStage, stageImport } from './import/test-support.ts'

const dayZero = Date.parse('2026-09-01T12:00:00Z') / 1000
const daySeconds = 24 * 3600

const stages: ImportStage[] = []
async function staged(...args: Parameters<typeof stageImport>): Promise<ImportStage> {
  const stage = await stageImport(...args)
  stages.push(stage)
  return stage
}
afterEach(async () => {
  await Promise.all(stages.splice(0).map((stage) => stage.close()))
})

function account(customers: number) {
  const machine = createMachine({ seed: 11, customers, months: 6, asOf: dayZero })
  return {
    worldAt: (at: number) => {
      machine.runTo(at)
      return readWorld(machine.snapshot().world)
    },
  }
}

function lastHour(at: number) {
  return { mode: 'window' as const, from: new Date((at - 3600) * 1000), until: new Date(at * 1000) }
}

describe('an import of a window', () => {
  it('leaves the same as a fresh import of everything, round after round', async () => {
    const { worldAt } = account(20)
    const refreshed = await staged({ world: worldAt(dayZero) })
    await refreshed.importAll()
    for (const days of [1, 3, 10, 24]) {
      const at = dayZero + days * daySeconds
      const world = worldAt(at)
      refreshed.simulator.setWorld(world)
      const ended = await refreshed.work(await refreshed.start(lastHour(at)))
      expect(ended.status).toBe('completed')
      const fresh = await staged({ world })
      await fresh.importAll()
      expect(await refreshed.dump(), `after ${days} days`).toEqual(await fresh.dump())
    }
  }, 60_000)

  it('costs an unchanged account ten requests at most, and changes nothing', async () => {
    const { worldAt } = account(8)
    const { importAll, simulator, start, work, dump } = await staged({ world: worldAt(dayZero) })
    await importAll()
    const first = await dump()
    const before = simulator.requests.counters.total
    const ended = await work(
      await start({ mode: 'window', from: new Date(dayZero * 1000), until: new Date(dayZero * 1000) }),
    )
    expect(ended.status).toBe('completed')
    expect(simulator.requests.counters.total - before).toBeLessThanOrEqual(10)
    expect(await dump()).toEqual(first)
  })

  it.each([
    [
      'after a gap of more than 25 days',
      `update payment_mirrors set refreshed_at = refreshed_at - interval '26 days'`,
    ],
    ['after no import before', `delete from payment_mirrors`],
  ])('reads everything %s', async (_, statement) => {
    const { worldAt } = account(8)
    const { importAll, simulator, start, work, db } = await staged({ world: worldAt(dayZero), pageSize: 20 })
    await importAll()
    await query(db.ownerUrl, statement)
    const before = simulator.requests.counters.byPath['/v1/invoices'] ?? 0
    await work(await start(lastHour(dayZero)))
    expect((simulator.requests.counters.byPath['/v1/invoices'] ?? 0) - before).toBeGreaterThan(1)
  })
})
