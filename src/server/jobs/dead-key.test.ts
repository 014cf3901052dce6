import { PgBoss } from 'pg-boss'
import { afterEach, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { run as query } from '#test/database.ts'
import { finishSetupOf } from '#test/import/finish-setup.ts'
import { type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { addReceivedChange } from '../store/payments/payment-changes.ts'
import { inOrganization } from '../store/postgres/database.ts'
import { followHints } from '../work/import/refresh-payments.ts'
import { followRun } from './follow-run.ts'
import { queueSchema, scheduleNames } from './queues.ts'
import { followClock } from './schedules.ts'

let stage: ImportStage
let boss: PgBoss
afterEach(async () => {
  await boss.stop({ graceful: false })
  await stage.close()
})

it('a key that no longer works costs one import an hour, however much webhooks announce, and says so', async () => {
  let isDead = false
  const refusal = () =>
    Response.json({ error: { type: 'invalid_request_error', message: 'no' } }, { status: 401 })
  stage = await stageImport({
    world: smallWorld(),
    around: (fetch) => async (request) => (isDead ? refusal() : fetch(request)),
  })
  const { db, deps, organizationId } = stage
  const options = { schema: queueSchema, migrate: false, supervise: false, schedule: false }
  boss = new PgBoss({ connectionString: db.url, ...options })
  boss.on('error', () => {})
  await boss.start()
  await finishSetupOf(stage)
  isDead = true
  const workOff = async () => {
    const [open] = await query<{ id: string }>(
      db.ownerUrl,
      `select id from runs where status = 'in_progress'`,
    )
    if (open) await followRun(deps, organizationId, await stage.work(await stage.claim(open.id)))
  }
  // The hour begins with the organization's own minute, in which the sync finds the key dead.
  const begin = Math.ceil(deps.now().getTime() / 3_600_000) * 60 + organizationId
  for (let minute = 0; minute < 60; minute += 1) {
    const at = new Date((begin + minute) * 60_000)
    const asOf = new Date(at.getTime()).toISOString()
    stage.simulator.setWorld({ ...stage.simulator.world, as_of: asOf })
    for (const name of scheduleNames.filter((one) => ['sync', 'sweep', 'look'].includes(one)).reverse()) {
      await followClock(deps, boss, { name, at }, new AbortController().signal)
      await workOff()
    }
    await inOrganization(deps.database, organizationId, (tenant) =>
      addReceivedChange(tenant, { id: `evt_${minute}`, happenedAt: at, objects: [] }, at),
    )
    await followHints(deps, organizationId)
    await workOff()
  }
  expect(await query(db.ownerUrl, 'select kind, status from runs')).toEqual([
    { kind: 'import', status: 'failed' },
  ])
  const [connection] = await query(db.ownerUrl, `select warning from connections where provider = 'payments'`)
  expect(connection).toEqual({ warning: expect.stringMatching(/refuses|API key/) })
})
