import { PgBoss } from 'pg-boss'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { run as query } from '#test/database.ts'
import { stageAfterSetup } from '#test/import/imported-stage.ts'
import type { ImportStage } from '#test/import/stage-import.ts'
import { listTotalFaults, spoilTotals } from '#test/store/kept-totals.ts'
import { addReceivedChange } from '../store/payments/payment-changes.ts'
import { inOrganization } from '../store/postgres/database.ts'
import { startImport } from '../work/import/start-import.ts'
import { followRun } from './follow-run.ts'
import { queueSchema, type ScheduleName } from './queues.ts'
import { turnAt } from './schedule-turns.ts'
import { followClock } from './schedules.ts'

let stage: ImportStage
let boss: PgBoss
beforeEach(async () => {
  stage = await stageAfterSetup({ world: smallWorld() })
  boss = new PgBoss({
    connectionString: stage.db.url,
    schema: queueSchema,
    migrate: false,
    supervise: false,
    schedule: false,
  })
  boss.on('error', () => {})
  await boss.start()
})
afterEach(async () => {
  await boss.stop({ graceful: false })
  await stage.close()
})

/** Runs the schedule at a minute when it is the organization's turn. */
const follow = (name: ScheduleName, at = comingTurn(name)) =>
  followClock(stage.deps, boss, { name, at }, new AbortController().signal)
function comingTurn(name: ScheduleName): Date {
  const isTurn = (at: Date) => turnAt(name, stage.organizationId, at)?.getTime() === at.getTime()
  return comingMinutes().find(isTurn) ?? new Date(0)
}
function comingMinutes(): Date[] {
  const nextMinute = Math.ceil(stage.deps.now().getTime() / 60_000) + 1
  return Array.from({ length: 1440 }, (_, minute) => new Date((nextMinute + minute) * 60_000))
}
const runs = () => query(stage.db.ownerUrl, `select kind, options, status from runs order by created_at, id`)
const jobs = () => query(stage.db.ownerUrl, `select name, data ->> 'runId' as run from pgboss.job`)

describe('by the clock', () => {
  it('a run without a job gets one, and only one', async () => {
    const { runId } = await startImport(stage.deps, stage.organizationId, { mode: 'historical' })
    await follow('sweep')
    await follow('sweep')
    expect(await jobs()).toEqual([{ name: 'import', run: runId }])
  })

  it('a run gets its job although amounts cannot be converted', async () => {
    const { runId } = await startImport(stage.deps, stage.organizationId, { mode: 'historical' })
    await query(stage.db.ownerUrl, 'alter table conversions rename to conversions_of_another_release')
    await follow('sweep')
    expect(await jobs()).toEqual([{ name: 'import', run: runId }])
  })

  it('each night the activity log loses what is older than 400 days, however much it is', async () => {
    const add = (days: string, lines: number) =>
      query(
        stage.db.ownerUrl,
        `insert into audit_log (organization_id, action, happened_at)
           select $1, 'settings_changed', $2::timestamptz - interval '${days} days' from generate_series(1, $3)`,
        [stage.organizationId, stage.deps.now(), lines],
      )
    await query(stage.db.ownerUrl, 'delete from audit_log')
    await add('400.01', 2_345)
    await add('399.99', 7)
    await follow('retention')
    const [left] = await query<{ count: number }>(stage.db.ownerUrl, 'select count(*)::int from audit_log')
    expect(left).toEqual({ count: 7 })
  })

  it('each night the lists are counted, so that no wrong total lasts', async () => {
    await spoilTotals(stage.db.ownerUrl, stage.organizationId)
    expect(await listTotalFaults(stage.db.ownerUrl)).not.toEqual([])
    await follow('retention')
    expect(await listTotalFaults(stage.db.ownerUrl)).toEqual([])
  })

  it('each hour brings what changed since the last import, and a push after it', async () => {
    await follow('sync')
    const at = new Date(smallWorld().as_of).toISOString()
    expect(await runs()).toMatchObject([
      { kind: 'import', options: { mode: 'window', from: at, isScheduled: true }, status: 'in_progress' },
    ])
  })

  it('every few minutes brings what changed; where nothing did, no push follows and one line is left', async () => {
    for (let count = 0; count < 3; count += 1) {
      await follow('look')
      const [open] = await query<{ id: string }>(
        stage.db.ownerUrl,
        `select id from runs where status = 'in_progress' and options ->> 'isHint' = 'true'`,
      )
      stage.simulator.requests.clear()
      const ended = await stage.work(await stage.claim(open?.id ?? ''))
      await followRun(stage.deps, stage.organizationId, ended)
      expect(stage.simulator.requests.counters.total).toBe(2)
    }
    expect(await runs()).toMatchObject([{ kind: 'import', status: 'completed' }])
  })

  it('a look makes way for whoever asks for more', async () => {
    await follow('look')
    await follow('look')
    const { isNew } = await startImport(stage.deps, stage.organizationId, { mode: 'historical' })
    expect(isNew).toBe(true)
    const byStatus = (await runs()).toSorted((a, b) => String(a['status']).localeCompare(String(b['status'])))
    expect(byStatus).toMatchObject([
      { options: { isHint: true }, status: 'cancelled' },
      { options: { mode: 'historical', isHint: false }, status: 'in_progress' },
    ])
  })

  it.each([
    ['the key no longer works', `update connections set warning = 'refused' where provider = 'payments'`],
    [
      'the key may not read events',
      `update connections set details = details || '{"mayReadChanges": false}' where provider = 'payments'`,
    ],
    ['no import has ended yet', 'update payment_mirrors set refreshed_at = null'],
    ['the switch is off', 'update organization_settings set auto_sync_enabled = false'],
    [
      'the import before failed',
      `insert into runs (organization_id, id, kind, status, created_at, completed_at)
         values (1, 'failed', 'import', 'failed', 'epoch', 'epoch')`,
    ],
  ])('nobody looks while %s', async (_, statement) => {
    await query(stage.db.ownerUrl, statement.replace('(1,', `(${stage.organizationId},`))
    await follow('look')
    expect(await query(stage.db.ownerUrl, `select id from runs where status = 'in_progress'`)).toEqual([])
  })

  it('each organization whose ledger is behind the rules is counted anew, and no other', async () => {
    const other = await stage.another('Two')
    await other.importAll()
    const behind = `update payment_mirrors set rule_book_version = 0 where organization_id = $1`
    await query(stage.db.ownerUrl, `delete from runs`)
    await follow('sweep')
    expect(await runs()).toEqual([])
    await query(stage.db.ownerUrl, behind, [other.organizationId])
    await follow('sweep')
    await follow('sweep')
    const started = await query(stage.db.ownerUrl, 'select organization_id, id, kind, status from runs')
    expect(started).toEqual([
      {
        organization_id: other.organizationId,
        id: expect.any(String),
        kind: 'recount',
        status: 'in_progress',
      },
    ])
    // The fate of its job does not matter: the next sweep adds another.
    expect(await jobs()).toEqual([{ name: 'recount', run: started[0]?.['id'] }])
  })

  it('no more are counted anew at a time than 50, in turn', async () => {
    await query(
      stage.db.ownerUrl,
      `with more as (insert into "organization" (name, slug, "createdAt")
         select 'More', 'more-' || n, now() from generate_series(1, 60) n returning id)
       insert into payment_mirrors (organization_id, is_live, refreshed_at) select id, true, now() from more`,
    )
    const going = async () => (await runs()).filter(({ status }) => status === 'in_progress').length
    await follow('sweep')
    await follow('sweep')
    expect(await going()).toBe(50)
    await query(
      stage.db.ownerUrl,
      `update payment_mirrors set rule_book_version = 1000 where organization_id <= 8`,
    )
    await query(stage.db.ownerUrl, `delete from runs where organization_id <= 8`)
    await follow('sweep')
    expect(await going()).toBe(50)
  })

  it('hints that were left are followed by the next sweep', async () => {
    await inOrganization(stage.deps.database, stage.organizationId, (tenant) =>
      addReceivedChange(tenant, { id: 'evt_left', happenedAt: new Date(0), objects: [] }, new Date(0)),
    )
    await follow('sweep')
    expect(await runs()).toMatchObject([{ options: { isHint: true }, status: 'in_progress' }])
  })

  it('each night brings everything, once', async () => {
    const at = comingTurn('refresh')
    stage.simulator.setWorld({ ...smallWorld(), as_of: at.toISOString() })
    await follow('refresh', at)
    await query(stage.db.ownerUrl, `update runs set status = 'completed'`)
    await follow('refresh', new Date(at.getTime() + 10 * 60_000))
    expect(await runs()).toMatchObject([{ options: { mode: 'historical', isScheduled: true } }])
  })

  it('nothing waits for the time to which a clock was ahead before it was put back', async () => {
    const ahead = new Date(stage.deps.now().getTime() + 48 * 3_600_000)
    await query(stage.db.ownerUrl, 'update payment_mirrors set refreshed_at = $1', [ahead])
    await query(
      stage.db.ownerUrl,
      `insert into runs (organization_id, id, kind, status, options, processed_records, created_at, completed_at)
       values ($1, 'ahead', 'import', 'completed', '{"mode": "historical", "isScheduled": true}', 1, $2, $2)`,
      [stage.organizationId, ahead],
    )
    await inOrganization(stage.deps.database, stage.organizationId, (tenant) =>
      addReceivedChange(tenant, { id: 'evt_late', happenedAt: new Date(0), objects: [] }, new Date(0)),
    )
    for (const name of ['sweep', 'look', 'sync', 'refresh'] as const) {
      await follow(name)
      const started = await query(
        stage.db.ownerUrl,
        `delete from runs where status = 'in_progress' returning id`,
      )
      expect(started, name).toHaveLength(1)
    }
  })

  it('the next sync brings everything when the night did not, and tries that once', async () => {
    const hour = 3_600_000
    const startedAt = stage.deps.now().getTime()
    const add = (id: string, hoursAgo: number) =>
      query(
        stage.db.ownerUrl,
        `insert into runs (organization_id, id, kind, status, options, created_at, completed_at)
         values ($1, $2, 'import', 'failed', '{"mode": "historical"}', $3, $3)`,
        [stage.organizationId, id, new Date(startedAt - hoursAgo * hour)],
      )
    const modeOfSync = async () => {
      await follow('sync')
      const [run] = await query<{ mode: string }>(
        stage.db.ownerUrl,
        `delete from runs where status = 'in_progress' returning options ->> 'mode' as mode`,
      )
      return run?.mode
    }
    await add('two nights ago', 27)
    expect(await modeOfSync()).toBe('historical')
    await add('this hour', 1)
    expect(await modeOfSync()).toBe('window')
  })

  it('a push that waits for the CRM does not hold up what is new', async () => {
    await query(
      stage.db.ownerUrl,
      `insert into runs (organization_id, id, kind, phase) values ($1, 'waits', 'push', 'waiting')`,
      [stage.organizationId],
    )
    await follow('sync')
    expect(await query(stage.db.ownerUrl, 'select kind, status from runs order by kind')).toEqual([
      { kind: 'import', status: 'in_progress' },
      { kind: 'push', status: 'cancelled' },
    ])
  })

  it.each([
    ['the switch is off', 'update organization_settings set auto_sync_enabled = false'],
    ['the setup is not finished', 'update organization_settings set setup_complete = false'],
    ['the CRM is not connected', `delete from connections where provider = 'crm'`],
  ])('nothing is synced while %s', async (_, statement) => {
    await query(stage.db.ownerUrl, statement)
    await follow('sync')
    await follow('refresh')
    expect(await runs()).toEqual([])
  })

  it('the 1st of a month brings its snapshot', async () => {
    const before = await query(stage.db.ownerUrl, 'select * from snapshots')
    stage.simulator.setWorld({ ...smallWorld(), as_of: '2026-05-01T00:00:00Z' })
    await follow('snapshots')
    const months = await query(stage.db.ownerUrl, 'select month from snapshots order by 1')
    expect(months.length).toBeGreaterThan(before.length)
    expect(months.at(-1)).toEqual({ month: '2026-05' })
  })
})
