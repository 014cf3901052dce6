import { afterEach, describe, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import {
  demoKey,
  generatedWorld,
  type ImportStage,
  stageImport,
  withLongInvoice,
} from '#test/import/stage-import.ts'
import type { FetchStub } from '#test/providers/send-by.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { listOpenWindows, takeWindows } from '../../../store/runs/import-windows.ts'
import { type Claim, cancelRuns, RunLost } from '../../../store/runs/runs.ts'
import { connectPayments } from '../../connections/connect-payments.ts'
import { assistImport } from '../assist-import.ts'

const stages: ImportStage[] = []
afterEach(async () => {
  await Promise.all(stages.splice(0).map((stage) => stage.close()))
})

type Shared = ImportStage & { requests: string[] }

const world = generatedWorld(18)

/** An import that is about to begin, on a clock that only its waits move. */
async function staged(
  around: (fetch: FetchStub) => FetchStub = (fetch) => fetch,
  of = world,
): Promise<Shared> {
  const requests: string[] = []
  const stage = await stageImport({
    world: of,
    pageSize: 10,
    around: (fetch) =>
      around((request) => {
        requests.push(request.url)
        return fetch(request)
      }),
  })
  stages.push(stage)
  let aheadMs = 0
  const { now } = stage.deps
  stage.deps.now = () => new Date(now().getTime() + aheadMs)
  stage.deps.sleep = async (ms) => {
    aheadMs += ms
    await new Promise((next) => setTimeout(next, 1))
  }
  await connectPayments(stage.deps, stage.organizationId, demoKey)
  requests.length = 0
  return { ...stage, requests }
}

async function expectWhole(stage: ImportStage, of = world): Promise<void> {
  const alone = await stageImport({ world: of, pageSize: 10 })
  stages.push(alone)
  await alone.importAll()
  expect(listsOf(await stage.dump())).toEqual(listsOf(await alone.dump()))
}

/** The objects that were read. Derived rows contain read times, which differ between these clocks. */
function listsOf({
  events: _events,
  subscriptions = [],
  snapshots: _snapshots,
  ...lists
}: Record<string, unknown[]>) {
  const bodies = subscriptions.map((row) => (row as { body: unknown }).body)
  return { ...lists, bodies }
}

/** A gate that holds requests to a path from the moment it is shut. */
function createGate(path: string) {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  let isShut = false
  const around =
    (fetch: FetchStub): FetchStub =>
    async (request) => {
      if (isShut && request.url.includes(path)) {
        reached.resolve()
        await Promise.race([
          opened.promise,
          new Promise((_, reject) =>
            request.signal.addEventListener('abort', () => reject(request.signal.reason)),
          ),
        ])
      }
      return fetch(request)
    }
  return {
    around,
    reached: reached.promise,
    open: opened.resolve,
    shut: (to: boolean) => {
      isShut = to
    },
  }
}

const listed = async ({ db }: ImportStage) =>
  (await query<{ done: number }>(db.ownerUrl, 'select sum(done_count)::int as done from import_windows'))[0]
    ?.done
/** Objects of saved pages whose nested lists are still open. */
const openInvoices = ({ db }: ImportStage) =>
  query(
    db.ownerUrl,
    `select all_pages_read as "allPagesRead" from import_windows where not is_done and kind = 'invoices'`,
  )
const missing = ({ db }: ImportStage) =>
  query(db.ownerUrl, 'select id from (select unnest(incomplete_ids) as id from import_windows) as incomplete')
const inAll = () =>
  (
    ['customers', 'subscriptions', 'invoices', 'invoice_payments', 'products', 'prices', 'coupons'] as const
  ).reduce((sum, kind) => sum + world[kind].length, 0)
const untilPlanned = ({ db }: ImportStage) =>
  expect.poll(() => query(db.ownerUrl, 'select 1 from import_windows limit 1')).toHaveLength(1)

describe('an import that several processes read', () => {
  it('asks for each page once, counts each object once, and leaves what one alone leaves', async () => {
    const stage = await staged()
    // No lease may end here.
    stage.deps.sleep = () => new Promise((next) => setTimeout(next, 1))
    const begun = await stage.start()
    const done = stage.work(begun)
    await untilPlanned(stage)
    await Promise.all([helpWith(stage, begun.claim), helpWith(stage, begun.claim)])
    const ended = await done
    expect(ended.status).toBe('completed')
    const pages = stage.requests.filter((url) => /\/v1\/[a-z_]+\?/.test(url) && !url.includes('/v1/events'))
    expect(pages.length).toBe(new Set(pages).size)
    expect(await listed(stage)).toBe(ended.processed_records)
    await expectWhole(stage)
  })

  it('takes up the window of one that died when its lease ends, where it stands', async () => {
    const stage = await staged()
    const begun = await stage.start()
    const { deps, organizationId } = stage
    const leaseMs = 1_500
    let [taken, takenAt] = [0, 0]
    deps.enlist = async (tenant, runId) => {
      takenAt = performance.now()
      const ids = (await listOpenWindows(tenant, runId, 'dead')).slice(0, 3).map(({ id }) => id)
      taken = (await takeWindows(tenant, runId, { holder: 'dead', ms: leaseMs }, ids)).length
      expect(tenant.organizationId).toBe(organizationId)
    }
    expect(await stage.work(begun)).toMatchObject({ status: 'completed' })
    expect(taken).toBe(3)
    expect(performance.now() - takenAt).toBeGreaterThan(leaseMs)
    await expectWhole(stage)
  })

  it('fetches what is missing of a page when who saved it died before it came', async () => {
    const long = withLongInvoice(world)
    const gate = createGate(`/v1/invoices/${long.id}/lines`)
    const stage = await staged(gate.around, long.world)
    const begun = await stage.start()
    const killed = new AbortController()
    gate.shut(true)
    const dead = stage.work(begun, killed.signal).catch((error: unknown) => error)
    try {
      await gate.reached
      await expect.poll(() => missing(stage)).toEqual([{ id: long.id }])
      // The rest of the list is done, so no saved page renews the lease of the held window.
      await expect.poll(() => openInvoices(stage)).toEqual([{ allPagesRead: true }])
      // The held request stays held; the provider answers all others.
      gate.shut(false)
      stage.requests.length = 0
      await helpWhenLeasesEnd(stage, begun.claim)
      expect(await missing(stage)).toEqual([])
      const paths = stage.requests.map((url) => new URL(url).pathname)
      expect(paths.filter((path) => path.includes(long.id))).toEqual([
        `/v1/invoices/${long.id}`,
        `/v1/invoices/${long.id}/lines`,
      ])
    } finally {
      killed.abort(new Error('killed'))
    }
    expect(await dead).toBe(killed.signal.reason)
    expect(await stage.work(await stage.claim(begun.run.id))).toMatchObject({ status: 'completed' })
    await expectWhole(stage, long.world)
  })

  it('keeps nothing of who comes back after another has read its window', async () => {
    const gate = createGate('/v1/invoice_payments?')
    const stage = await staged(gate.around)
    const begun = await stage.start()
    gate.shut(true)
    const done = stage.work(begun)
    await gate.reached
    // The process pauses for longer than its lease, and another process continues.
    gate.shut(false)
    await helpWhenLeasesEnd(stage, begun.claim)
    gate.open()
    expect(await done).toMatchObject({ status: 'completed' })
    expect(await listed(stage)).toBe(inAll())
    await expectWhole(stage)
  })

  it.each<[string, (stage: Shared, claim: Claim) => Promise<unknown>]>([
    [
      'is cancelled',
      ({ deps, organizationId }) =>
        inOrganization(deps.database, organizationId, (tenant) =>
          cancelRuns(tenant, deps.now(), 'Cancelled.'),
        ),
    ],
    ['is taken over', (stage, { runId }) => stage.claim(runId)],
  ])('stops everywhere when it %s', async (_, stop) => {
    const gate = createGate('/v1/invoices?')
    const stage = await staged(gate.around)
    const begun = await stage.start()
    gate.shut(true)
    const ends = [stage.work(begun).catch((error: unknown) => error)]
    await gate.reached
    ends.push(helpWith(stage, begun.claim).catch((error: unknown) => error))
    await stop(stage, begun.claim)
    gate.shut(false)
    gate.open()
    expect(await Promise.all(ends)).toEqual([expect.any(RunLost), expect.any(RunLost)])
  })

  it('that is taken over frees what assistants of the attempt before held', async () => {
    const stage = await staged()
    const begun = await stage.start()
    const killed = new AbortController()
    stage.deps.enlist = async (tenant, runId) => {
      const lease = { holder: 'of the attempt before', ms: 1e9 }
      const open = await listOpenWindows(tenant, runId, lease.holder)
      await takeWindows(
        tenant,
        runId,
        lease,
        open.map(({ id }) => id),
      )
      killed.abort(new Error('killed'))
    }
    await stage.work(begun, killed.signal).catch(() => {})
    stage.deps.enlist = async () => {}
    expect(await stage.work(await stage.claim(begun.run.id))).toMatchObject({ status: 'completed' })
    await expectWhole(stage)
  })
})

function helpWith({ deps }: ImportStage, claim: Claim): Promise<void> {
  return assistImport(deps, claim, new AbortController().signal)
}

/** Helps once all leases have ended: their holders do not know it, so this worker takes their windows. */
async function helpWhenLeasesEnd(stage: ImportStage, claim: Claim): Promise<void> {
  await query(stage.db.ownerUrl, 'update import_windows set lease_until = now() where holder is not null')
  await helpWith(stage, claim)
}
