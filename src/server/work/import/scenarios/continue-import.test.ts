import { afterEach, describe, expect, it } from 'vitest'
import { readWorld } from '#simulators/stripe/world/world.ts'
import { createMachine } from '#simulators/worlds/machine.ts'
import { run as query } from '#test/database.ts'
import { importedStage } from '#test/import/imported-stage.ts'
import { demoKey, type ImportStage, stageImport, withLongInvoice } from '#test/import/stage-import.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { countImportedObjects } from '../../../store/runs/import-counts.ts'
import { connectPayments } from '../../connections/connect-payments.ts'
import type { ImportRequest } from '../start-import.ts'

const dayZero = Date.parse('2026-09-01T12:00:00Z') / 1000
const hourSeconds = 3600

const stages: ImportStage[] = []
afterEach(async () => {
  await Promise.all(stages.splice(0).map((stage) => stage.close()))
})

function account(customers: number) {
  const machine = createMachine({ seed: 23, customers, months: 8, asOf: dayZero })
  return (at: number) => {
    machine.runTo(at)
    return readWorld(machine.snapshot().world)
  }
}

const otherLists = `select id from import_windows where not is_done and kind <> 'invoices'`

type Flaky = ImportStage & { answers: (count: number) => void; asked: string[] }

/** An account whose invoices return 503 once `left` pages are used up and all other lists are complete. */
async function staged(world: ReturnType<typeof readWorld>): Promise<Flaky> {
  let left = Number.POSITIVE_INFINITY
  const asked: string[] = []
  const stage = await stageImport({
    world,
    pageSize: 10,
    around: (fetch) => async (request) => {
      asked.push(request.url)
      if (!request.url.includes('/v1/invoices?') || left-- > 0) return fetch(request)
      await expect.poll(() => query(stage.db.ownerUrl, otherLists)).toEqual([])
      return new Response('', { status: 503 })
    },
  })
  stages.push(stage)
  return { ...stage, asked, answers: (count) => (left = count) }
}

async function failAfter(stage: Flaky, pages: number): Promise<void> {
  await connectPayments(stage.deps, stage.organizationId, demoKey)
  stage.answers(pages)
  expect(await stage.work(await stage.start())).toMatchObject({ status: 'failed' })
  stage.answers(Number.POSITIVE_INFINITY)
  stage.asked.length = 0
}

/** Requests for lists from their beginning, without a lower bound of creation. */
const wholeLists = (asked: readonly string[]) =>
  asked
    .map(decodeURIComponent)
    .filter((url) => /\/v1\/(?!events)[a-z_]+\?/.test(url) && !/created|starting_after/.test(url))

async function expectFresh(stage: ImportStage, world: ReturnType<typeof readWorld>): Promise<void> {
  const fresh = await importedStage({ world })
  stages.push(fresh)
  expect(await stage.dump()).toEqual(await fresh.dump())
}

describe('an import after one that failed', () => {
  it('asks for lines that had not come yet, of nothing else', async () => {
    const { world, id } = withLongInvoice(account(12)(dayZero))
    let isAway = true
    const asked: string[] = []
    const open = `select incomplete_ids[1] as id, cardinality(incomplete_ids) as count
                    from import_windows where not is_done`
    const stage = await stageImport({
      world,
      around: (fetch) => async (request) => {
        asked.push(request.url)
        if (!isAway || !request.url.includes(`/v1/invoices/${id}/lines`)) return fetch(request)
        // Every other list is saved by then.
        await expect.poll(() => query(stage.db.ownerUrl, open)).toEqual([{ id, count: 1 }])
        return new Response('', { status: 503 })
      },
    })
    stages.push(stage)
    await connectPayments(stage.deps, stage.organizationId, demoKey)
    expect(await stage.work(await stage.start())).toMatchObject({ status: 'failed' })
    const kept = `select count(*)::int as count, bool_or(id = '${id}') as is_there from invoices`
    expect(await query(stage.db.ownerUrl, kept)).toEqual([
      { count: world.invoices.length - 1, is_there: false },
    ])
    isAway = false
    asked.length = 0
    expect(await stage.work(await stage.start())).toMatchObject({ status: 'completed' })
    expect(wholeLists(asked)).toEqual([])
    await expectFresh(stage, world)
  })

  it.each<[string, ImportRequest]>([
    ['of everything', { mode: 'historical' }],
    [
      'of a window',
      { mode: 'window', from: new Date((dayZero - 60) * 1000), until: new Date(dayZero * 1000) },
    ],
  ])('%s goes on where that stopped', async (_, request) => {
    const world = account(12)(dayZero)
    const stage = await staged(world)
    await failAfter(stage, 4)
    expect(await stage.work(await stage.start(request))).toMatchObject({ status: 'completed' })
    expect(wholeLists(stage.asked)).toEqual([])
    await expectFresh(stage, world)
  })

  it('brings what came to be and what changed in between', async () => {
    const worldAt = account(12)
    const stage = await staged(worldAt(dayZero))
    await failAfter(stage, 3)
    const later = worldAt(dayZero + 20 * hourSeconds)
    stage.simulator.setWorld(later)
    await failAgain(stage)
    const last = worldAt(dayZero + 40 * hourSeconds)
    stage.simulator.setWorld(last)
    stage.asked.length = 0
    expect(await stage.work(await stage.start())).toMatchObject({ status: 'completed' })
    expect(wholeLists(stage.asked)).toEqual([])
    await expectFresh(stage, last)
  })

  it.each<[string, (stage: Flaky) => Promise<unknown> | unknown, ImportRequest]>([
    ['a person asks for it', () => undefined, { mode: 'historical', restart: true }],
    [
      'that is longer ago than a day',
      ({ db }) => query(db.ownerUrl, `update runs set completed_at = completed_at - interval '25 hours'`),
      { mode: 'historical' },
    ],
    [
      'the other was cancelled',
      ({ db }) => query(db.ownerUrl, `update runs set status = 'cancelled'`),
      { mode: 'historical' },
    ],
  ])('starts anew when %s', async (_, prepare, request) => {
    const world = account(12)(dayZero)
    const stage = await staged(world)
    await failAfter(stage, 2)
    await prepare(stage)
    expect(await stage.work(await stage.start(request))).toMatchObject({ status: 'completed' })
    expect(wholeLists(stage.asked).length).toBeGreaterThanOrEqual(7)
    await expectFresh(stage, world)
  })
})

async function failAgain(stage: Flaky): Promise<void> {
  stage.answers(1)
  expect(await stage.work(await stage.start())).toMatchObject({ status: 'failed' })
  stage.answers(Number.POSITIVE_INFINITY)
}

describe('the progress of an import', () => {
  it('says about how many there are, and in the end exactly', async () => {
    const world = account(16)(dayZero)
    const stage = await staged(world)
    await failAfter(stage, 6)
    const read = async () => {
      const [run] = await query<{ id: string }>(stage.db.ownerUrl, 'select id from runs order by id')
      const counts = await inOrganization(stage.deps.database, stage.organizationId, (tenant) =>
        countImportedObjects(tenant, run?.id ?? ''),
      )
      return counts.find(({ kind }) => kind === 'invoices')
    }
    const about = await read()
    const exact = world.invoices.length
    expect(about?.done).toBeGreaterThanOrEqual(30)
    expect(about?.total).toBeGreaterThan(exact * 0.4)
    expect(about?.total).toBeLessThan(exact * 2.5)
  })

  it('counts on while it reads, and never more than there are in all', async () => {
    const world = account(16)(dayZero)
    let at = 0
    const seen: { processed: number; total: number }[] = []
    const stage = await stageImport({
      world,
      pageSize: 10,
      around: (fetch) => async (request) => {
        const rows = await query<{ processed: number; total: number }>(
          stage.db.ownerUrl,
          'select processed_records as processed, total_records as total from runs',
        )
        seen.push(...rows)
        return fetch(request)
      },
    })
    stages.push(stage)
    // Progress is only reported while the clock moves.
    const { now } = stage.deps
    stage.deps.now = () => new Date(now().getTime() + 2_000 * at++)
    const ended = await stage.importAll()
    expect(ended.total_records).toBe(ended.processed_records)
    expect(seen.some(({ total, processed }) => total > processed && processed > 0)).toBe(true)
    expect(seen.every(({ total, processed }) => total === 0 || total >= processed)).toBe(true)
  })
})
