import { afterEach, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { demoKey, generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { saveSubscriptionFigures } from '../../../store/ledger/subscription-figures.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { connectPayments } from '../../connections/connect-payments.ts'
import type { ImportContext } from '../../runs/run-context.ts'
import { createRebuildWhileReading } from '../rebuild-while-reading.ts'

let stage: ImportStage
afterEach(() => stage.close())

it('the history is held back from the first look at current figures until all of them stand', async () => {
  stage = await stageImport({ world: generatedWorld(5) })
  await stage.importAll()
  const { claim } = await stage.start()
  let nowMs = 0
  Object.assign(stage.deps, { now: () => new Date(nowMs) })
  const context = { ...stage, claim, signal: new AbortController().signal } as unknown as ImportContext
  const { onLook, isHistoryHeldBack } = createRebuildWhileReading(
    context,
    { knownAt: 0, customersSince: 0 },
    async () => {},
  )
  const lookAt = (kinds: string[]) => onLook(new Map(kinds.map((kind) => [kind, { open: 1, unlisted: 1 }])))
  const reading = ['customers', 'current_subscriptions', 'invoices']
  expect(lookAt(reading)).toBeUndefined()
  expect([true, null, false].map(isHistoryHeldBack)).toEqual([true, true, false])
  nowMs = 10_000
  const some = lookAt(reading)
  expect(isHistoryHeldBack(false)).toBe(true)
  await some?.(context, () => {})
  expect(isHistoryHeldBack(false)).toBe(true)
  // When the customer lists are complete, completing the customers precedes the figures.
  const works = [lookAt(['invoices']), lookAt(['invoices'])]
  expect(isHistoryHeldBack(false)).toBe(true)
  expect(lookAt(['invoices'])).toBeUndefined()
  // Packing must not precede the figures.
  await works[0]?.(context, () => {})
  expect(lookAt(['invoices'])).toBeUndefined()
  await works[1]?.(context, () => {})
  expect(isHistoryHeldBack(false)).toBe(false)
  const [packing, rebuild] = [lookAt(['invoices']), lookAt(['invoices'])]
  expect([packing, rebuild]).toEqual([expect.any(Function), expect.any(Function)])
})

it('current figures of long lists are worked out two seconds on, and then one time after the other', async () => {
  stage = await stageImport({ world: generatedWorld(5) })
  await connectPayments(stage.deps, stage.organizationId, demoKey)
  const { claim } = await stage.start()
  let nowMs = 0
  Object.assign(stage.deps, { now: () => new Date(nowMs) })
  const context = { ...stage, claim, signal: new AbortController().signal } as unknown as ImportContext
  const times = { knownAt: 0, customersSince: 0 }
  const [long, short, unknown] = [true, false, null].map((isLong) => {
    const ahead = createRebuildWhileReading(context, times, async () => {})
    ahead.isHistoryHeldBack(isLong)
    return ahead
  })
  const open = new Map(['customers', 'invoices'].map((kind) => [kind, { open: 1, unlisted: 1 }]))
  nowMs = 1_999
  expect(long?.onLook(open)).toBeUndefined()
  nowMs = 2_000
  expect([short, unknown].map((ahead) => ahead?.onLook(open))).toEqual([undefined, undefined])
  const work = long?.onLook(open)
  expect(work).toBeDefined()
  nowMs = 2_999
  await work?.(context, () => {})
  expect(long?.onLook(open)).toBeUndefined()
  nowMs = 3_000
  expect(long?.onLook(open)).toBeDefined()
})

it('who takes an import over works out current figures at once, before any more of the history', async () => {
  stage = await stageImport({ world: generatedWorld(5) })
  await connectPayments(stage.deps, stage.organizationId, demoKey)
  const { claim } = await stage.start()
  const times = { knownAt: 0, customersSince: 0 }
  const contextOf = (attempt: number) =>
    ({ ...stage, claim: { ...claim, attempt } }) as unknown as ImportContext
  const begun = createRebuildWhileReading(contextOf(1), times, async () => {})
  expect(begun.isHistoryHeldBack(false)).toBe(false)
  const takenOver = createRebuildWhileReading(contextOf(2), times, async () => {})
  expect(takenOver.isHistoryHeldBack(false)).toBe(true)
  const open = new Map(['customers', 'invoices'].map((kind) => [kind, { open: 1, unlisted: 1 }]))
  expect(begun.onLook(open)).toBeUndefined()
  expect(takenOver.onLook(open)).toBeDefined()
})

it('figures that are computed first leave alone those that a rebuild has written meanwhile', async () => {
  stage = await stageImport({ world: generatedWorld(5) })
  await stage.importAll()
  const figuresOf = () =>
    query(stage.db.ownerUrl, 'select id, current_mrr_cents, quantity from subscriptions order by id')
  const rebuilt = await figuresOf()
  const id = String(rebuilt[0]?.['id'])
  const first = {
    ...{ id, currentMrrCents: 7, quantity: 7, productName: null, billingIntervalDays: null },
    ...{ periodStart: null, periodEnd: null, nextRenewalOn: null, unsupportedReason: null, receipt: null },
  }
  const saveFirst = () =>
    inOrganization(stage.deps.database, stage.organizationId, (tenant) =>
      saveSubscriptionFigures(tenant, [first], { at: stage.deps.now(), runId: 'none', areFirst: true }),
    )
  await saveFirst()
  expect(await figuresOf()).toEqual(rebuilt)
  await query(stage.db.ownerUrl, 'update subscriptions set quantity = null')
  await saveFirst()
  expect((await figuresOf())[0]).toEqual({ id, current_mrr_cents: '7', quantity: '7' })
})
