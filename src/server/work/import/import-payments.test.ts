import { afterEach, describe, expect, it } from 'vitest'
import { replayDocument } from '#cli/replay.ts'
import { readReplayDocument } from '#cli/replay-document.ts'
import { invoice, line } from '#simulators/stripe/testing/billing-objects.ts'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { listOf, worldStart } from '#simulators/stripe/testing/stripe-objects.ts'
import type { SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { demoKey, generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { inRun, RunLost } from '../../store/runs/runs.ts'
import { connectPayments } from '../connections/connect-payments.ts'
import { disconnectPayments } from '../connections/disconnect-payments.ts'
import { createImportProgress } from './progress.ts'
import { startImport } from './start-import.ts'

let stage: ImportStage | undefined
async function staged(...args: Parameters<typeof stageImport>): Promise<ImportStage> {
  stage = await stageImport(...args)
  return stage
}
afterEach(async () => {
  await stage?.close()
  stage = undefined
})

describe('an import of the whole history', () => {
  it('keeps every object once, nested lists whole, canceled, deleted and test-clock ones too', async () => {
    const { importAll, dump, simulator } = await staged({ world: smallWorld() })
    const ended = await importAll()
    expect(ended).toMatchObject({ status: 'completed', error: null, failed_records: 0 })
    const { customers, prices, subscriptions, invoices } = (await dump()) as Record<string, Row[]>
    expect(subscriptions?.map(({ id }) => id)).toEqual([
      'sub_clock',
      'sub_ended',
      'sub_expired',
      'sub_inline',
      'sub_many',
      'sub_one',
    ])
    expect(invoices?.find(({ id }) => id === 'in_many')?.['lines']).toHaveLength(25)
    expect(customers?.find(({ id }) => id === 'cus_gone')).toMatchObject({ is_deleted: true })
    // The wizard counts customers the same way.
    const living = customers?.filter((row) => row['is_deleted'] === false).length
    expect(ended.message).toMatch(new RegExp(`^Imported ${living} customers and `))
    expect(customers?.find(({ id }) => id === 'cus_clock')).toMatchObject({ is_deleted: false })
    expect(customers?.every(({ is_rebuild_due }) => is_rebuild_due === false)).toBe(true)
    expect(prices?.map(({ id }) => id)).toEqual([
      'price_archived',
      'price_inline',
      'price_monthly',
      'price_tiered',
    ])
    expect(simulator.requests.writes).toEqual([])
  })

  it('goes on to show its progress after the clock was put back', async () => {
    const { start, db, deps, organizationId } = await staged({ world: smallWorld() })
    await connectPayments(deps, organizationId, demoKey)
    const { claim } = await start()
    let ms = 3_600_000
    const progress = createImportProgress({ database: deps.database, now: () => new Date(ms) }, claim)
    for (const id of ['one', 'two']) {
      await query(
        db.ownerUrl,
        `insert into import_objects (organization_id, run_id, kind, id, is_found) values ($1, $2, 'invoices', $3, true)`,
        [organizationId, claim.runId, id],
      )
      progress.note()
      await progress.settle()
      ms = 0
    }
    expect(await query(db.ownerUrl, 'select processed_records from runs')).toEqual([{ processed_records: 2 }])
  })

  it('makes the events that a replay of the same file makes', async () => {
    const world = generatedWorld(40)
    const { importAll, dump } = await staged({ world })
    await importAll()
    const { events, subscriptions } = (await dump()) as Record<string, Row[]>
    const replayed = replayDocument(readReplayDocument(JSON.stringify(world)), false) as {
      events: Record<string, unknown>[]
      currentMrr: Record<string, number>
    }
    const key = (one: Row) => [one['occurredAt'], one['subscriptionId'], one['mrrStatus']].join()
    expect(replayed.events.length).toBeGreaterThan(40)
    expect(events?.map(asReplayed).sort((a, b) => (key(a) < key(b) ? -1 : 1))).toEqual(
      replayed.events.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)),
    )
    const usd = subscriptions?.filter(({ currency }) => currency === 'usd') ?? []
    expect(usd.reduce((sum, row) => sum + Number(row['current_mrr_cents']), 0)).toBe(
      replayed.currentMrr['usd'],
    )
  })

  it('keeps a paid invoice of no subscription, which is no MRR and no fault', async () => {
    const world = smallWorld()
    const ofNone = {
      ...{ quantity: 5, amount: 5000, subscription: null },
      parent: {
        type: 'invoice_item_details',
        invoice_item_details: { invoice_item: 'ii_setup', proration: false, subscription: null },
        subscription_item_details: null,
      },
    }
    const setup = invoice('in_setup', {
      created: worldStart + 200,
      parent: null,
      billing_reason: 'manual',
      lines: listOf('/v1/invoices/in_setup/lines', [line('il_setup', ofNone)]),
    })
    const quoted = {
      ...setup,
      id: 'in_quoted',
      parent: { type: 'quote_details', quote_details: { quote: 'qt' } },
    }
    const own = await staged({ world: { ...world, invoices: [...world.invoices, setup, quoted] } })
    expect(await own.importAll()).toMatchObject({ status: 'completed', error: null, failed_records: 0 })
    own.simulator.setWorld(world)
    const without = await own.another('Without')
    await without.importAll()
    const { invoices = [], ...made } = (await own.dump()) as Record<string, Row[]>
    const { invoices: others, ...expected } = await without.dump()
    const isOfNone = ({ id }: Row) => id === 'in_setup' || id === 'in_quoted'
    expect(invoices.filter(isOfNone)).toMatchObject(
      Array.from({ length: 2 }, () => ({ status: 'paid', subscription_id: null })),
    )
    expect(invoices.filter((row) => !isOfNone(row))).toEqual(others)
    expect(made).toEqual(expected)
    expect(made['events']?.length).toBeGreaterThan(0)
  })

  it('says so when the account is empty', async () => {
    const empty: SimulatedWorld = {
      as_of: '2026-11-20T12:00:00Z',
      customers: [],
      products: [],
      prices: [],
      coupons: [],
      subscriptions: [],
      invoices: [],
      invoice_payments: [],
    }
    const { importAll } = await staged({ world: empty })
    const ended = await importAll()
    expect(ended.status).toBe('completed')
    expect(ended.message).toMatch(/returned no customers/)
  })
})

type Row = Record<string, unknown>

function asReplayed(row: Row): Row {
  return {
    subscriptionId: row['subscription_id'],
    invoiceId: row['invoice_id'],
    occurredAt: new Date(String(row['occurred_at'])).toISOString().replace('.000Z', 'Z'),
    mrrStatus: row['mrr_status'],
    changeType: row['change_type'],
    previousMrr: row['previous_mrr_cents'],
    currentMrr: row['current_mrr_cents'],
    mrrChange: row['mrr_change_cents'],
    previousQuantity: row['previous_quantity'],
    currentQuantity: row['current_quantity'],
    currency: row['currency'],
  }
}

describe('the first import', () => {
  it('shows current figures while the history is still being read', async () => {
    const shown = Promise.withResolvers<void>()
    const { importAll, db } = await staged({
      world: generatedWorld(12),
      around: (fetch) => async (request) => {
        if (request.url.includes('/v1/invoice_payments?limit=100')) await shown.promise
        return fetch(request)
      },
    })
    const done = importAll()
    const open = () => query(db.ownerUrl, 'select distinct kind from import_windows where not is_done')
    await expect.poll(open).toEqual([{ kind: 'invoice_payments' }])
    const current = () =>
      query(db.ownerUrl, 'select count(*)::int as count from subscriptions where current_mrr_cents > 0')
    await expect.poll(async () => (await current())[0]?.['count']).toBeGreaterThan(4)
    expect(await query(db.ownerUrl, 'select 1 from events')).toEqual([])
    shown.resolve()
    expect((await done).status).toBe('completed')
  })
})

describe('one run at a time, and one worker', () => {
  it('answers two starts with one run', async () => {
    const { deps, organizationId, enqueued } = await staged({ world: smallWorld() })
    await connectPayments(deps, organizationId, demoKey)
    const [a, b] = await Promise.all([
      startImport(deps, organizationId, { mode: 'historical' }),
      startImport(deps, organizationId, { mode: 'historical' }),
    ])
    expect(a.runId).toBe(b.runId)
    expect([a.isNew, b.isNew].filter(Boolean)).toHaveLength(1)
    expect(enqueued).toEqual([a.runId])
  })

  it('fences the attempt that was taken over', async () => {
    const { deps, organizationId, start, claim, work, db } = await staged({ world: smallWorld() })
    await connectPayments(deps, organizationId, demoKey)
    const old = await start()
    const next = await claim(old.run.id)
    let sent = 0
    const late = inRun(db.database, old.claim, async ({ sql: transaction }) => {
      await transaction.deleteFrom('import_windows').execute()
      sent += 1
    })
    await expect(late).rejects.toThrow(RunLost)
    expect(sent).toBe(0)
    await expect(work(old)).rejects.toThrow(RunLost)
    expect((await work(next)).status).toBe('completed')
  })

  it('stops when Stripe is disconnected', async () => {
    const ref: { disconnect?: () => Promise<void> } = {}
    const { deps, organizationId, start, work, db } = await staged({
      world: smallWorld(),
      around: (fetch) => async (request) => {
        if (request.url.includes('/v1/invoices')) await ref.disconnect?.()
        return fetch(request)
      },
    })
    await connectPayments(deps, organizationId, demoKey)
    ref.disconnect = () => disconnectPayments(deps, organizationId)
    await expect(work(await start())).rejects.toThrow(RunLost)
    expect(await query(db.ownerUrl, 'select status from runs')).toEqual([{ status: 'cancelled' }])
    expect(await query(db.ownerUrl, 'select 1 from connections')).toEqual([])
  })
})
