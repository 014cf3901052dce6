import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'
import { type AssociationKind, associationKinds } from '../../store/crm/crm-associations.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { cancelRuns, claimRun, findRun } from '../../store/runs/runs.ts'
import { getRunFacts } from '../../store/setup/setup-facts.ts'
import { checkAssociations } from './check-associations.ts'
import { repairAssociations, repairNow } from './repair-associations.ts'
import { startPart } from './run-part.ts'
import { startPush } from './start-push.ts'

let db: TestDatabase
let bench: Bench
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  bench = await openBench(db)
  await bench.connect()
  await saveLedger(
    bench,
    ['a', 'b'].map((id) => ({ id, name: id, email: `kim@${id}.example`, mrrCents: 100 })),
  )
  await bench.push()
})

const missing = async () =>
  (await checkAssociations(bench.deps, bench.organizationId)).map((check) => check.missing)
const repair = (kinds: readonly AssociationKind[]) => repairNow(bench.deps, bench.organizationId, kinds)
const eventToSubscription: AssociationKind = { kind: 'event', target: 'subscription' }

/** Removes all associations of our records directly in the CRM, without the product's knowledge. */
async function takeApart(): Promise<void> {
  const { crm } = bench.deps
  const portal = bench.simulator.portal(enterprise)
  const [subscription = '', event = ''] = ['tributary_subscription', 'tributary_event'].map(
    (name) => portal.schemas().find((schema) => schema.name === name)?.typeId,
  )
  const access = { portalId: String(enterprise), token: async () => 'unused' }
  const tokens = crm.listCompanies
  let taken = false
  await bench.push({
    crm: {
      ...crm,
      listCompanies: async (real, after) => {
        if (!taken) {
          taken = true
          for (const [from, to, target] of [
            [event, subscription, { objectTypeId: subscription }],
            [subscription, '0-2', 'company'],
            [subscription, '0-1', 'contact'],
            [event, '0-2', 'company'],
            [event, '0-1', 'contact'],
          ] as const) {
            const pairs = portal.associations(from, to).map(({ fromId, toId }) => ({ fromId, toId }))
            await crm.dissociate({ ...access, ...real }, from, target, pairs)
          }
        }
        return tokens(real, after)
      },
    },
  })
}

describe('a check', () => {
  it('reads each of the five kinds in bulk, and writes nothing', async () => {
    await saveLedger(
      bench,
      Array.from({ length: 40 }, (_, n) => ({
        ...{ id: `many-${n}`, name: `Many ${n}`, email: `p${n}@many.example`, mrrCents: 100 },
      })),
    )
    await bench.push()
    bench.simulator.requests.clear()
    const checks = await checkAssociations(bench.deps, bench.organizationId)
    expect(checks.map(({ checked, missing }) => [checked, missing])).toEqual(Array(5).fill([42, 0]))
    const asked = bench.simulator.requests.list('/crm')
    expect(asked).toHaveLength(5)
    for (const { path, inputs } of asked)
      expect([path, inputs]).toEqual([expect.stringMatching(/^\/crm\/associations\/.*\/batch\/read$/), 42])
  })
})

describe('a repair', () => {
  // HubSpot's documents contradict each other, or do not say.
  it.each([
    ['ids are texts', { associatedIds: 'texts', reportsUnassociated: true }],
    [
      'ids are numbers and what has none is left out',
      { associatedIds: 'numbers', reportsUnassociated: false },
    ],
  ])('makes the associations of one kind that are missing, and of all, where %s', async (_, openAnswers) => {
    await bench.control('/_control/settings', { hubId: enterprise, openAnswers })
    const before = dumpCrm(bench)
    await takeApart()
    expect(await missing()).toEqual([2, 2, 2, 2, 2])
    expect(await repair([eventToSubscription])).toEqual({ attempted: 2, successful: 2 })
    expect(await missing()).toEqual([0, 2, 2, 2, 2])
    expect(await repair(associationKinds)).toEqual({ attempted: 8, successful: 8 })
    expect(await missing()).toEqual([0, 0, 0, 0, 0])
    expect(dumpCrm(bench)).toEqual(before)
  })

  it('stands in Sync History, but does not count as a push', async () => {
    const other = await openBench(db)
    await other.connect()
    await repairNow(other.deps, other.organizationId, associationKinds)
    const facts = await inOrganization(other.deps.database, other.organizationId, getRunFacts)
    expect(facts.push).toBe('none')
  })

  it('waits for what is running', async () => {
    await startPush(bench.deps, bench.organizationId)
    await expect(repair(associationKinds)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('writes nothing any more once it was cancelled', async () => {
    await takeApart()
    const { database, crm } = bench.deps
    const cancelling = {
      ...bench.deps,
      crm: {
        ...crm,
        listAssociated: async (...given: Parameters<typeof crm.listAssociated>) => {
          const found = await crm.listAssociated(...given)
          await inOrganization(database, bench.organizationId, (tenant) =>
            cancelRuns(tenant, bench.deps.now(), 'Cancelled.'),
          )
          return found
        },
      },
    }
    await expect(repairNow(cancelling, bench.organizationId, associationKinds)).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await missing()).toEqual([2, 2, 2, 2, 2])
  })

  it('is brought to its end by the next worker when its process died', async () => {
    await takeApart()
    const { database } = bench.deps
    const kinds = ['event/subscription']
    const runId = await startPart(bench.deps, bench.organizationId, { part: 'associations', kinds })
    const claimed = await claimRun(database, bench.organizationId, runId, bench.deps.now())
    if (!claimed) throw new Error('the run is gone')
    await repairAssociations(bench.deps, claimed.claim, claimed.run, new AbortController().signal)
    expect(await missing()).toEqual([0, 2, 2, 2, 2])
    const run = await inOrganization(database, bench.organizationId, (tenant) => findRun(tenant, runId))
    expect(run).toMatchObject({ status: 'completed', processed_records: 2, failed_records: 0 })
  })
})
