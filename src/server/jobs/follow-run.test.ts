import { PgBoss } from 'pg-boss'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { run as query } from '#test/database.ts'
import { stageAfterSetup } from '#test/import/imported-stage.ts'
import type { ImportStage } from '#test/import/stage-import.ts'
import type { Run } from '../store/runs/runs.ts'
import { startImport } from '../work/import/start-import.ts'
import { startPush } from '../work/push/start-push.ts'
import { followRun } from './follow-run.ts'
import { queueSchema } from './queues.ts'
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

const follow = (name: 'sweep') =>
  followClock(stage.deps, boss, { name, at: stage.deps.now() }, new AbortController().signal)
const runs = () => query(stage.db.ownerUrl, `select kind, options, status from runs order by created_at, id`)
const inProgress = () => query(stage.db.ownerUrl, `select kind from runs where status = 'in_progress'`)

/** The clock was ahead then, and was put back since. */
const pushOfClockAhead = () =>
  query(
    stage.db.ownerUrl,
    `insert into runs (organization_id, id, kind, status, created_at, completed_at)
     values ($1, 'ahead', 'push', 'completed', $2, $2)`,
    [stage.organizationId, new Date(stage.deps.now().getTime() + 48 * 3_600_000)],
  )

describe('after an import', () => {
  it('a push follows every import of the hour, and of a look only one that read something', async () => {
    const pushAfter = async (options: object, processed: number, isAhead = false) => {
      await query(stage.db.ownerUrl, 'delete from runs')
      const [ended] = await query<Run>(
        stage.db.ownerUrl,
        `insert into runs (organization_id, id, kind, status, options, processed_records, created_at, completed_at)
         values ($1, 'ended', 'import', 'completed', $2, $3, $4, $4) returning *`,
        [
          ...[stage.organizationId, JSON.stringify({ isScheduled: true, ...options }), processed],
          stage.deps.now(),
        ],
      )
      if (isAhead) await pushOfClockAhead()
      if (ended) await followRun(stage.deps, stage.organizationId, ended)
      return (await runs()).filter(({ kind }) => kind === 'push')
    }
    const pushed = { options: { isScheduled: true, retriesFailed: false } }
    expect(await pushAfter({}, 0)).toMatchObject([pushed])
    expect(await pushAfter({ isHint: true }, 0)).toEqual([])
    expect(await pushAfter({ isHint: true }, 1)).toMatchObject([{ options: { isHint: true } }])
    expect(await pushAfter({ isHint: true }, 1, true)).toHaveLength(2)
    expect(await pushAfter({ isScheduled: false }, 1)).toEqual([])
  })

  it('a push is started for the person who asked for its import, and for nobody after one of the schedule', async () => {
    const [user] = await query<{ id: number }>(
      stage.db.ownerUrl,
      `insert into "user" (name, email, "emailVerified") values ('Pat', 'pat@yard.example', true) returning id`,
    )
    const starterAfter = async (asked: number | null) => {
      await query(stage.db.ownerUrl, 'delete from runs')
      await query(
        stage.db.ownerUrl,
        `insert into runs (organization_id, id, kind, status, processed_records, created_at, completed_at,
                           started_by, started_by_user_id)
         values ($1, 'asked for', 'import', 'completed', 3, $2, $2, 'person', $3)`,
        [stage.organizationId, stage.deps.now(), asked],
      )
      await follow('sweep')
      return query(
        stage.db.ownerUrl,
        `select started_by, started_by_user_id, follows_run_id from runs where kind = 'push'`,
      )
    }
    const start = { started_by: 'import', follows_run_id: 'asked for' }
    expect(await starterAfter(user?.id ?? 0)).toEqual([{ ...start, started_by_user_id: user?.id }])
    expect(await starterAfter(null)).toEqual([{ ...start, started_by_user_id: null }])
  })

  it('an import that lost its worker gets its push from the next sweep, also the import of a person', async () => {
    await query(
      stage.db.ownerUrl,
      `insert into runs (organization_id, id, kind, status, processed_records, created_at, completed_at)
       values ($1, 'asked for', 'import', 'completed', 3, $2, $2)`,
      [stage.organizationId, stage.deps.now()],
    )
    await follow('sweep')
    await follow('sweep')
    expect((await runs()).filter(({ kind }) => kind === 'push')).toMatchObject([
      { options: { isHint: true }, status: 'in_progress' },
    ])
  })

  it.each([
    ['the switch is off', 'update organization_settings set auto_sync_enabled = false'],
    ['the setup is not finished', 'update organization_settings set setup_complete = false'],
    [
      'the last push failed',
      `insert into runs (organization_id, id, kind, status, created_at) select id, 'no', 'push', 'failed', 'epoch' from "organization"`,
    ],
  ])('no push follows an import while %s', async (_, statement) => {
    await query(
      stage.db.ownerUrl,
      `insert into runs (organization_id, id, kind, status, processed_records, completed_at)
       values ($1, 'read', 'import', 'completed', 3, now())`,
      [stage.organizationId],
    )
    await query(stage.db.ownerUrl, statement)
    await follow('sweep')
    expect(await inProgress()).toEqual([])
  })

  it('a push that only a hint started makes way too, and is owed until another has been', async () => {
    await query(
      stage.db.ownerUrl,
      `insert into runs (organization_id, id, kind, status, processed_records, created_at, completed_at)
       values ($1, 'read', 'import', 'completed', 3, 'epoch', 'epoch')`,
      [stage.organizationId],
    )
    await follow('sweep')
    expect((await startImport(stage.deps, stage.organizationId, { mode: 'historical' })).isNew).toBe(true)
    await query(stage.db.ownerUrl, `update runs set status = 'failed' where status = 'in_progress'`)
    await follow('sweep')
    expect(await inProgress()).toEqual([{ kind: 'push' }])
    expect((await startPush(stage.deps, stage.organizationId)).isNew).toBe(true)
    await query(stage.db.ownerUrl, `update runs set status = 'completed' where status = 'in_progress'`)
    await follow('sweep')
    expect(await inProgress()).toEqual([])
  })
})
