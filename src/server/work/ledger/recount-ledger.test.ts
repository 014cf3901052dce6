import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ruleBookVersion } from '#domain/mrr/receipts/rule-book-version.ts'
import { run as query } from '#test/database.ts'
import { importedStage } from '#test/import/imported-stage.ts'
import { demoKey, generatedWorld, type ImportStage } from '#test/import/stage-import.ts'
import { countSteps, type Steps, stepFates } from '#test/import/steps.ts'
import { countByOlderRules, type Tampered } from '#test/recount/older-rules.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { updateMrrPolicy } from '../../store/recount/mrr-policy.ts'
import { isRecountDue } from '../../store/recount/recounts.ts'
import { type Run, RunLost } from '../../store/runs/runs.ts'
import { connectPayments } from '../connections/connect-payments.ts'
import { startImport } from '../import/start-import.ts'
import { recountLedger } from './recount-ledger.ts'
import { startRecount } from './start-recount.ts'

/**
 * `npm run prove -- crashes` strikes each step with every fate; otherwise every fourth step gets one, in turn.
 */
const every = process.env['CRASHES'] === 'all' ? 1 : 4 * stepFates.length
const testTimeoutMs = 300_000
const world = generatedWorld(40)

let steps: Steps
let stage: ImportStage
beforeEach(async () => {
  steps = countSteps()
  stage = await importedStage({ world, aroundDatabase: steps.aroundDatabase })
})
afterEach(() => stage.close())

type Row = Record<string, unknown>
const sql = <Result extends Row = Row>(text: string, values: unknown[] = []) =>
  query<Result>(stage.db.ownerUrl, text, values)
const isDue = (one = stage) => inOrganization(stage.db.database, one.organizationId, isRecountDue)

/** Works on the recount in progress, or on the rest of it. */
async function workOn(one: ImportStage, signal = new AbortController().signal): Promise<Run> {
  const [open] = await sql<{ id: string }>(
    `select id from runs where organization_id = $1 and kind = 'recount' and status = 'in_progress'`,
    [one.organizationId],
  )
  const { claim, run } = await one.claim(open?.id ?? '')
  await recountLedger(one.deps, claim, run, signal)
  const [ended] = await sql<Run>('select * from runs where id = $1', [run.id])
  if (!ended) throw new Error('the run is gone')
  return ended
}

async function recount(one = stage): Promise<Run> {
  expect(await startRecount(one.deps, one.organizationId)).toEqual({ isNew: true })
  return workOn(one)
}

/** The reports of an organization, without numbers and times. */
async function reports({ organizationId }: ImportStage): Promise<Row[][]> {
  const own = `organization_id = $1 order by to_jsonb(t)::text`
  const without = `- 'organization_id' - 'id' - 'recount_id' - 'started_at' - 'completed_at'`
  return Promise.all(
    ['recounts', 'recount_months', 'recount_customers', 'recount_records'].map(async (table) => {
      const rows = await sql<{ row: Row }>(
        `select to_jsonb(t) ${without} as row from ${table} t where ${own}`,
        [organizationId],
      )
      return rows.map(({ row }) => row).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    }),
  )
}

describe('an organization that was counted by older rules', () => {
  let whole: Record<string, unknown[]>
  let changed: Tampered
  beforeEach(async () => {
    whole = await stage.dump()
    changed = await countByOlderRules(stage.db.ownerUrl, stage.organizationId)
    stage.simulator.requests.clear()
  })
  /** A subscription's MRR at an instant according to the correct ledger. */
  const mrrBy = (subscriptionId: string, instant: string): number =>
    (whole['events'] as { subscription_id: string; occurred_at: string; mrr_change_cents: number }[])
      .filter(
        (event) =>
          event.subscription_id === subscriptionId && Date.parse(event.occurred_at) <= Date.parse(instant),
      )
      .reduce((sum, event) => sum + event.mrr_change_cents, 0)

  it('is counted anew, every receipt with it, without asking the provider', async () => {
    expect(await stage.dump()).not.toEqual(whole)
    expect(await recount()).toMatchObject({ status: 'completed', kind: 'recount', failed_records: 0 })
    expect(await stage.dump()).toEqual(whole)
    expect(stage.simulator.requests.counters.total).toBe(0)
    expect(await isDue()).toBe(false)
    expect(await startRecount(stage.deps, stage.organizationId)).toEqual({ isNew: false })
  })

  it('is told what changed: months, customers and records, before and after', async () => {
    await recount()
    const [[report] = [], months, customers, records] = await reports(stage)
    expect(report).toMatchObject({
      ...{ from_rules: 0, to_rules: ruleBookVersion, from_policy: 0, to_policy: 0, read_at: null },
      ...{
        customer_count: 3,
        month_count: months?.length,
        record_count: records?.length,
        crm_record_count: 0,
      },
    })
    expect(report?.['mrr_after']).toMatchObject({ usd: Number(Object(report?.['mrr_before']).usd) + 500 })
    expect(months?.length).toBeGreaterThan(0)
    for (const { month, mrr_before_cents: before, mrr_after_cents: after } of months ?? []) {
      const by = (id: string) => mrrBy(id, `${month}-01T00:00:00+00:00`)
      const added = by(changed.lost) + Math.min(by(changed.dearer), 500)
      expect(Number(after) - Number(before), String(month)).toBe(added)
    }
    expect(customers?.map((row) => row['customer_id']).sort()).toEqual(changed.customers)
    const of = (kind: string) => records?.filter((row) => row['kind'] === kind) ?? []
    const [subscription] = of('subscription')
    expect(of('subscription')).toHaveLength(1)
    expect(Object.keys({ ...(subscription?.['before'] as object) })).toEqual(['mrr'])
    expect(
      of('event')
        .filter((row) => row['after'] === null)
        .map((row) => row['source_id']),
    ).toEqual(['evt_invented'])
    expect(of('event').some((row) => row['before'] === null)).toBe(true)
    // An event that differs only in its wording has the same figure.
    expect(records?.some((row) => row['source_id'] === changed.silent)).toBe(false)
  })

  it('says in its history how many were counted and what came of it', async () => {
    const ended = await recount()
    const [count] = await sql<{ count: number }>('select count(*)::int from customers')
    expect(ended).toMatchObject({ processed_records: count?.count, total_records: count?.count, phase: null })
    expect(await sql('select line from run_logs where run_id = $1', [ended.id])).toEqual([
      { line: expect.stringMatching(/figures of \d+ months?, 3 customers and \d+ records changed/) },
    ])
  })

  it('keeps the times of what was merely named by its version', async () => {
    const times = () =>
      sql(`select id, updated_at from events union all select id, updated_at from subscriptions order by 1`)
    const before = new Map((await times()).map((row) => [row['id'], String(row['updated_at'])]))
    stage.simulator.setWorld({ ...world, as_of: '2026-11-21T12:00:00Z' })
    await recount()
    const moved = (await times()).filter((row) => before.get(row['id']) !== String(row['updated_at']))
    const [, , , records] = await reports(stage)
    const reworded = await sql('select id from events where subscription_id = $1', [changed.silent])
    const expected = [...(records ?? []).map((row) => row['source_id']), ...reworded.map((row) => row['id'])]
    expect(moved.map((row) => row['id']).sort()).toEqual(
      expected.filter((id) => id !== 'evt_invented').sort(),
    )
  })

  it('is counted first thing by an import, which a recount makes way for', async () => {
    await startRecount(stage.deps, stage.organizationId)
    const ended = await stage.work(await stage.start())
    expect(ended).toMatchObject({ kind: 'import', status: 'completed' })
    expect(await stage.dump()).toEqual(whole)
    expect((await reports(stage))[0]).toMatchObject([{ customer_count: 3 }])
    expect(await sql(`select status from runs where kind = 'recount'`)).toEqual([{ status: 'cancelled' }])
    expect(await isDue()).toBe(false)
  })

  it('is not counted while its import is under way, nor again soon after it failed', async () => {
    await startImport(stage.deps, stage.organizationId, { mode: 'historical' })
    expect(await startRecount(stage.deps, stage.organizationId)).toEqual({ isNew: false })
    await sql('delete from runs')
    const at = stage.deps.now()
    await sql(
      `insert into runs (organization_id, id, kind, status, completed_at) values ($1, 'failed', 'recount', 'failed', $2)`,
      [stage.organizationId, new Date(at.getTime() - 3_599_000)],
    )
    expect(await startRecount(stage.deps, stage.organizationId)).toEqual({ isNew: false })
    // An hour ago, and by a clock that was put back since.
    for (const agoMs of [3_601_000, -1_000]) {
      await sql(`delete from runs where status = 'in_progress'`)
      await sql('update runs set completed_at = $1', [new Date(at.getTime() - agoMs)])
      expect(await startRecount(stage.deps, stage.organizationId)).toEqual({ isNew: true })
    }
  })

  it('stops at once when it is taken away, and tells nothing of another organization', async () => {
    const other = await stage.another('Two')
    await other.importAll()
    const untouched = await other.dump()
    await startRecount(stage.deps, stage.organizationId)
    const [open] = await sql<{ id: string }>(`select id from runs where kind = 'recount'`)
    const lost = await stage.claim(open?.id ?? '')
    await stage.claim(open?.id ?? '')
    await expect(
      recountLedger(stage.deps, lost.claim, lost.run, new AbortController().signal),
    ).rejects.toThrow(RunLost)
    await workOn(stage)
    expect(await isDue(other)).toBe(false)
    expect(await other.dump()).toEqual(untouched)
    expect(await reports(other)).toEqual([[], [], [], []])
  })
})

describe('a recount of an organization', () => {
  it('that was imported by these rules is not due, and its first import reports nothing', async () => {
    const fresh = await stage.another('Fresh')
    await connectPayments(fresh.deps, fresh.organizationId, demoKey)
    expect(await isDue(fresh)).toBe(false)
    const claimed = await fresh.start()
    expect(await isDue(fresh)).toBe(false)
    await fresh.work(claimed)
    expect(await isDue(fresh)).toBe(false)
    expect(await sql('select * from recounts')).toEqual([])
  })

  it('goes on counting what was shown before it as before when the policy changes in the middle', async () => {
    const total = async () =>
      (await sql<{ cents: number }>('select sum(current_mrr_cents)::int as cents from subscriptions'))[0]
        ?.cents ?? 0
    const before = await total()
    const choose = (patch: Parameters<typeof updateMrrPolicy>[1]) =>
      inOrganization(stage.db.database, stage.organizationId, (tenant) =>
        updateMrrPolicy(tenant, patch, stage.deps.now()),
      )
    await choose({ discounts: 'lasting' })
    await recount()
    const after = await total()
    expect(after).toBeGreaterThan(before)
    const [[first] = []] = await reports(stage)
    expect(first).toMatchObject({ from_policy: 0, to_policy: 1 })
    const [firstCustomers] = (await reports(stage)).slice(2)

    // The policy changes there and back within one recount; no report mentions the figures between.
    await choose({ discounts: 'all' })
    await startRecount(stage.deps, stage.organizationId)
    const noted = () =>
      sql(`select 1 as one from recount_records join recounts on id = recount_id where completed_at is null`)
    for (let step = 1; (await noted()).length === 0; step += 1) {
      steps.begin({ step, fate: 'after' })
      await workOn(stage).catch(() => undefined)
      steps.begin()
    }
    await choose({ discounts: 'lasting' })
    await workOn(stage)
    expect(await total()).toBe(after)
    const [all] = await reports(stage)
    expect(all).toContainEqual(expect.objectContaining({ from_policy: 1, to_policy: 3, customer_count: 0 }))
    expect((await reports(stage))[2]).toEqual(firstCustomers)
  })
})

describe('a recount that is struck at one step', () => {
  it(
    'ends as one that was not, and tells the same',
    async () => {
      const whole = await stage.dump()
      const begin = async () => {
        await sql('delete from recounts')
        await sql('delete from runs')
        await countByOlderRules(stage.db.ownerUrl, stage.organizationId)
        await startRecount(stage.deps, stage.organizationId)
      }
      await begin()
      steps.begin()
      await workOn(stage)
      const count = steps.names.length
      const expected = await reports(stage)
      expect(count).toBeGreaterThan(8)
      for (const [index, fate] of stepFates.entries()) {
        for (let step = 1 + ((2 * index) % every); step <= count; step += every) {
          steps.begin()
          await begin()
          steps.begin({ step, fate })
          await workOn(stage).catch(() => undefined)
          steps.begin()
          const [open] = await sql(`select id from runs where status = 'in_progress'`)
          if (open) expect(await workOn(stage)).toMatchObject({ status: 'completed' })
          expect(await reports(stage), `${fate} ${step}`).toEqual(expected)
          expect(await stage.dump(), `${fate} ${step}`).toEqual(whole)
        }
      }
    },
    testTimeoutMs,
  )
})
