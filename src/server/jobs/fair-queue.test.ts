import { afterEach, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { run as query } from '#test/database.ts'
import { type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { addReceivedChange } from '../store/payments/payment-changes.ts'
import { inOrganization } from '../store/postgres/database.ts'
import { followHints } from '../work/import/refresh-payments.ts'
import { startImport } from '../work/import/start-import.ts'
import { createEnqueue } from './enqueue.ts'
import { startWorker, type Worker } from './start-worker.ts'

let stage: ImportStage
let worker: Worker | undefined
/** While set, the provider answers no list of invoices. */
let hold: Promise<void> | undefined
const release = { now: () => {} }
afterEach(async () => {
  release.now()
  await worker?.stop()
  worker = undefined
  await stage.close()
})

/** Organizations whose history is imported, with nothing in the queue. */
async function openOrganizations(count: number): Promise<ImportStage[]> {
  hold = undefined
  stage = await stageImport({
    world: smallWorld(),
    around: (fetch) => async (request) => {
      if (request.url.includes('/v1/invoices')) await hold
      return fetch(request)
    },
  })
  const all = [stage]
  for (let number = 2; number <= count; number += 1) all.push(await stage.another(`Number ${number}`))
  for (const one of all) await one.importAll()
  await query(stage.db.ownerUrl, 'delete from runs')
  stage.deps.enqueue = createEnqueue()
  return all
}

async function work(more: { pollSeconds?: number } = {}): Promise<void> {
  worker = await startWorker(stage.deps, { url: stage.db.url, concurrency: 1, ...more })
}
const hint = ({ deps, organizationId }: ImportStage) => {
  const now = deps.now()
  return startImport(
    deps,
    organizationId,
    { mode: 'window', from: now, until: now },
    { isScheduled: true, isHint: true },
  )
}
const everything = ({ deps, organizationId }: ImportStage, isScheduled: boolean) =>
  startImport(deps, organizationId, { mode: 'historical' }, { isScheduled, askedBy: 'owner' })

/** The organizations in the order in which their jobs began. */
async function begun(): Promise<number[]> {
  const rows = await query<{ id: number }>(
    stage.db.ownerUrl,
    `select (data ->> 'organizationId')::integer as id from pgboss.job
      where name = 'import' and started_on is not null order by started_on`,
  )
  return rows.map(({ id }) => id)
}
const open = () =>
  query<{ id: number }>(
    stage.db.ownerUrl,
    `select organization_id as id from runs where status = 'in_progress' order by 1`,
  )
const within = { interval: 50 }

it('a slot takes the next job when it ends one, without waiting for a poll', async () => {
  const all = await openOrganizations(8)
  for (const one of all) await everything(one, true)
  // With polls alone, the second job would begin after a minute.
  await work({ pollSeconds: 60 })
  await expect.poll(open, within).toEqual([])
})

it('what is small begins first, then what a person asked for, then the nightly passes, each in turn', async () => {
  const [nightly, laterNight, asked, small, laterSmall] = await openOrganizations(5)
  if (!nightly || !laterNight || !asked || !small || !laterSmall) throw new Error('too few')
  for (const one of [nightly, laterNight]) await everything(one, true)
  await everything(asked, false)
  for (const one of [small, laterSmall]) await hint(one)
  await work()
  await expect.poll(open, within).toEqual([])
  const order = await begun()
  const idsOf = (some: ImportStage[]) => some.map(({ organizationId }) => organizationId)
  // Two slots take the small ones at the same moment.
  expect(order.slice(0, 2).sort()).toEqual(idsOf([small, laterSmall]))
  expect(order.slice(2)).toEqual(idsOf([asked, nightly, laterNight]))
})

it('a slot stays for what is small while big imports hold all others', async () => {
  const [big, waiting, small] = await openOrganizations(3)
  if (!big || !waiting || !small) throw new Error('too few')
  hold = new Promise((resolve) => {
    release.now = resolve
  })
  await everything(big, false)
  await everything(waiting, false)
  await work()
  await expect.poll(begun, within).toEqual([big.organizationId])
  await hint(small)
  await expect.poll(begun, within).toEqual([big.organizationId, small.organizationId])
  await expect.poll(open, within).toEqual([{ id: big.organizationId }, { id: waiting.organizationId }])
  release.now()
  await expect.poll(open, within).toEqual([])
})

it('a flood of changes of one organization puts one job into the queue, and delays no other', async () => {
  const [flooded, calm] = await openOrganizations(2)
  if (!flooded || !calm) throw new Error('too few')
  const announce = async (one: ImportStage, id: string) => {
    await inOrganization(one.deps.database, one.organizationId, (tenant) =>
      addReceivedChange(tenant, { id, happenedAt: new Date(0), objects: [] }, new Date(0)),
    )
    await followHints(one.deps, one.organizationId)
  }
  for (let number = 0; number < 50; number += 1) await announce(flooded, `evt_${number}`)
  await announce(calm, 'evt_calm')
  const waiting = await query(stage.db.ownerUrl, `select 1 from pgboss.job where state = 'created'`)
  expect(waiting).toHaveLength(2)
  await work()
  await expect.poll(open, within).toEqual([])
  // Two slots take both at the same moment, so either can be first.
  expect((await begun()).sort()).toEqual([flooded.organizationId, calm.organizationId])
  const unsettled = `select 1 from payment_changes where settled_at is null`
  expect(await query(stage.db.ownerUrl, unsettled)).toEqual([])
})
