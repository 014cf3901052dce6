import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { run as query } from '#test/database.ts'
import { stageAfterSetup } from '#test/import/imported-stage.ts'
import type { ImportStage } from '#test/import/stage-import.ts'
import { addReceivedChange } from '../../store/payments/payment-changes.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { followHints, gatherMsAfter } from './refresh-payments.ts'
import type { ImportRequest } from './start-import.ts'

let stage: ImportStage
beforeEach(async () => {
  stage = await stageAfterSetup({ world: smallWorld() })
  await inOrganization(stage.deps.database, stage.organizationId, (tenant) =>
    addReceivedChange(tenant, { id: 'evt_1', happenedAt: new Date(0), objects: [] }, new Date(0)),
  )
})
afterEach(() => stage.close())

/** A run that lasted some seconds and ended just now; it is in progress where `phase` is given. */
async function addRun(kind: string, { seconds = 1, processed = 0, phase = null as string | null } = {}) {
  const now = stage.deps.now()
  await query(
    stage.db.ownerUrl,
    `insert into runs (organization_id, id, kind, status, phase, processed_records, created_at, completed_at)
     values ($1, $2, $2, $3, $4, $5, $6, $7)`,
    [
      stage.organizationId,
      kind,
      phase === null ? 'completed' : 'in_progress',
      phase,
      processed,
      new Date(now.getTime() - seconds * 1_000),
      phase === null ? now : null,
    ],
  )
}
async function started(): Promise<unknown[]> {
  await followHints(stage.deps, stage.organizationId)
  return query(
    stage.db.ownerUrl,
    `select kind from runs where status = 'in_progress' and options ->> 'isHint' = 'true'`,
  )
}
function pass(seconds: number): void {
  const at = stage.deps.now().getTime() + seconds * 1_000
  stage.simulator.setWorld({ ...stage.simulator.world, as_of: new Date(at).toISOString() })
}

describe('what a webhook announced', () => {
  it('is imported at once after an import that read nothing', async () => {
    await addRun('import')
    expect(await started()).toEqual([{ kind: 'import' }])
  })

  it('waits as long as the import before it took', async () => {
    await addRun('import', { seconds: 4, processed: 1 })
    pass(3)
    expect(await started()).toEqual([])
    pass(1)
    expect(await started()).toEqual([{ kind: 'import' }])
  })

  it('waits for a run in progress, but not for a push that waits for the CRM', async () => {
    await addRun('push', { phase: 'matching' })
    expect(await started()).toEqual([])
    await query(stage.db.ownerUrl, `update runs set phase = 'waiting'`)
    expect(await started()).toEqual([{ kind: 'import' }])
  })
})

describe('after an import of changes that failed', () => {
  const window = (): ImportRequest => ({ mode: 'window', from: stage.deps.now(), until: stage.deps.now() })
  const whole = (): ImportRequest => ({ mode: 'historical' })

  it.each<[string, object, () => ImportRequest, number]>([
    ['since Stripe was away', { kind: 'html', status: 502 }, window, 1],
    ['since Stripe did not answer', { kind: 'reset' }, window, 1],
    ['since Stripe was too busy', { kind: 'rate_limit' }, window, 1],
    ['since an object was locked in Stripe', { kind: 'status', status: 409 }, window, 1],
    ['since Stripe refused', { kind: 'status', status: 400 }, window, 0],
    ['for the key', { kind: 'expired_key' }, window, 0],
    ['and was one of everything', { kind: 'html', status: 502 }, whole, 0],
  ])('%s: %o', async (_, fault, request, expected) => {
    const body = JSON.stringify({ ...fault, match: { times: null } })
    await stage.simulator.fetch(new Request('http://stripe.test/_faults', { method: 'POST', body }))
    expect(await stage.work(await stage.start(request()))).toMatchObject({ status: 'failed' })
    pass(20)
    expect(await started()).toHaveLength(expected)
  })
})

it.each([
  [0, 1, 0],
  [1, 0.2, 1_000],
  [1, 7, 7_000],
  [5_000, 600, 10_000],
])('after %i records in %d s, changes are gathered for %i ms', (processed, seconds, expected) => {
  const times = { created_at: new Date(0), completed_at: new Date(seconds * 1_000) }
  expect(gatherMsAfter({ ...times, processed_records: processed })).toBe(expected)
})
