import { afterEach, describe, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { recountLists } from '#test/store/kept-totals.ts'
import type { PaymentsKind } from '../../../providers/payments.ts'
import { saveSubscriptionFigures } from '../../../store/ledger/subscription-figures.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { savePlan } from '../../../store/runs/import-plans.ts'
import { saveWindows } from '../../../store/runs/import-windows.ts'
import type { ImportContext } from '../../runs/run-context.ts'
import { checkpointOf } from '../checkpoint.ts'
import { rebuildReady } from '../rebuild-ready.ts'
import { newWindow } from '../windows.ts'

let stage: ImportStage
afterEach(() => stage.close())

async function hide(): Promise<void> {
  await query(stage.db.ownerUrl, 'update subscriptions set quantity = null')
  await recountLists(stage.db.ownerUrl, stage.organizationId)
}

describe('current figures of a first import', () => {
  /** Rebuilds what is ready while these lists are open; `onPause` returns true when they are read. */
  async function rebuildBeside(
    kinds: readonly PaymentsKind[],
    onPause: (pause: number) => Promise<boolean>,
  ): Promise<void> {
    stage = await stageImport({ world: generatedWorld(5) })
    await stage.importAll()
    const { deps, organizationId } = stage
    const { claim, run } = await stage.start()
    const found = { isFull: true, areCustomersRead: true, eventsUntil: null, clockAt: null }
    const plan = { ...found, mode: 'first' as const, figuresStand: false }
    const bounds = { from: null, until: null, oldestAt: null }
    await inOrganization(deps.database, organizationId, async (tenant) => {
      await savePlan(tenant, run.id, plan)
      const windows = kinds.map((kind) => newWindow(kind, bounds))
      await saveWindows(tenant, run.id, windows)
    })
    await hide()
    const read = new AbortController()
    let pauses = 0
    const sleep = async () => {
      pauses += 1
      if (await onPause(pauses)) read.abort()
    }
    const context = { deps: Object.assign(deps, { sleep }), claim, signal: new AbortController().signal }
    const reading = { refresh: async () => {}, until: read.signal }
    await rebuildReady(context as unknown as ImportContext, checkpointOf(run, plan), reading)
  }

  const look = async () => {
    const [row] = await query<{ isShown: boolean; stand: boolean }>(
      stage.db.ownerUrl,
      `select (select bool_and(quantity is not null) from subscriptions where status <> 'canceled') as "isShown",
              (select bool_or(p.figures_stand) from import_plans p join runs r on r.id = p.run_id
                where r.status = 'in_progress') as stand`,
    )
    return row
  }
  it('are shown two seconds after the lists were begun, and again until their lists have ended', async () => {
    const seen: unknown[] = []
    let aheadMs = 0
    await rebuildBeside(['customers', 'invoices'], async (pause) => {
      seen.push(await look())
      if (pause === 1) {
        const { now } = stage.deps
        stage.deps.now = () => new Date(now().getTime() + aheadMs)
      }
      aheadMs = pause * 1_000
      if (pause > 2) await hide()
      return pause === 5
    })
    const [shown, not] = [
      { isShown: true, stand: false },
      { isShown: false, stand: false },
    ]
    expect(seen).toEqual([not, not, shown, shown, shown])
  })

  it('stand, and let the history go on at full pace, once those of the complete lists are saved', async () => {
    const seen: unknown[] = []
    await rebuildBeside(['customers', 'invoices'], async (pause) => {
      seen.push(await look())
      if (pause === 1)
        await query(stage.db.ownerUrl, "update import_windows set is_done = true where kind = 'customers'")
      return pause === 2
    })
    expect(seen).toEqual([
      { isShown: false, stand: false },
      { isShown: true, stand: true },
    ])
  })
})

it('figures that are computed first leave alone those that a rebuild has written meanwhile', async () => {
  stage = await stageImport({ world: generatedWorld(5) })
  await stage.importAll()
  const figuresOf = () =>
    query(stage.db.ownerUrl, 'select id, current_mrr_cents, quantity from subscriptions order by id')
  const rebuilt = await figuresOf()
  const id = String(rebuilt[0]?.['id'])
  const first = {
    ...{
      id,
      currentMrrCents: 7,
      reportingMrrCents: 7,
      reportingRate: null,
      quantity: 7,
      productName: null,
      billingIntervalDays: null,
    },
    ...{ periodStart: null, periodEnd: null, nextRenewalOn: null, unsupportedReason: null, receipt: null },
    changedAt: 1,
  }
  const saveFirst = () =>
    inOrganization(stage.deps.database, stage.organizationId, (tenant) =>
      saveSubscriptionFigures(tenant, [first], { at: stage.deps.now(), runId: 'none', mode: 'first' }),
    )
  await saveFirst()
  expect(await figuresOf()).toEqual(rebuilt)
  await hide()
  await saveFirst()
  expect((await figuresOf())[0]).toEqual({ id, current_mrr_cents: '7', quantity: '7' })
})
