import type { ChangedRecord } from '#domain/crm-record.ts'
import { type Instant, instantOfDate } from '#domain/instant.ts'
import type { MrrPolicy } from '#domain/mrr/exact/policy.ts'
import { type DueCustomer, takeCustomersDue } from '../../store/ledger/due-customers.ts'
import { type EventRow, replaceEvents } from '../../store/ledger/events.ts'
import { saveSubscriptionFigures } from '../../store/ledger/subscription-figures.ts'
import {
  type Catalog,
  type CustomerObjects,
  loadCatalog,
  loadCustomerObjects,
  loadPaymentMethods,
} from '../../store/payments/customer-objects.ts'
import { settleCustomers } from '../../store/payments/customers.ts'
import { saveObservations } from '../../store/payments/observations.ts'
import { markPastDueRebuildDue, markWithoutCustomer } from '../../store/payments/subscriptions.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { getMrrPolicy, holdMrrPolicy } from '../../store/recount/mrr-policy.ts'
import { noteChanges } from '../../store/recount/note-changes.ts'
import { findOpenRecount } from '../../store/recount/recounts.ts'
import { holdReporting, type Reporting } from '../../store/reporting/reporting.ts'
import { addRunChanges } from '../../store/runs/run-changes.ts'
import { writeMovements } from '../../store/totals/movement-totals.ts'
import { type RunContext, write } from '../runs/run-context.ts'
import { together } from '../runs/task-group.ts'
import { type BatchSize, createBatchSize, invoicesMax } from './batch-size.ts'
import { convertRebuilt, type RebuiltCustomer } from './convert-rebuilt.ts'
import { findChanges } from './find-changes.ts'
import { isAllIn } from './is-all-in.ts'
import { paymentMethodText } from './payment-method-text.ts'
import { type CountedCustomer, rebuildOne } from './rebuild-one.ts'

/** The phase of a run in which any number of processes rebuild customers. */
export const rebuildingPhase = 'rebuilding'

/** After this number of customers a batch yields, so that reading of lists continues. */
const customersAtOnce = 20
/** One process runs this number of batches at once: one reads or writes while the other computes. */
const lanesMax = 2

/**
 * Rebuilds the ledger of every due customer. The stored objects were true at `knownAt` or later. Each
 * customer's mark is cleared with its rows, so that a crash repeats a few batches at most.
 */
export async function rebuildEvents(
  context: RunContext,
  knownAt: Instant,
  onRebuilt?: OnRebuilt,
): Promise<void> {
  await write(context, async (tenant) => {
    await markWithoutCustomer(tenant)
    const { pastDueChurnAfterDays } = await getMrrPolicy(tenant)
    if (pastDueChurnAfterDays !== null) await markPastDueRebuildDue(tenant)
  })
  await rebuildDue(context, knownAt, onRebuilt)
}

/** Receives the number of rebuilt customers of each batch after its commit. */
type OnRebuilt = (customers: number) => Promise<void>

/** When everything that an import read was true. The provider's clock may be ahead, if it is simulated. */
export function knownAtOf(run: { created_at: Date }, plan: { clockAt: Instant | null }): Instant {
  return Math.max(instantOfDate(run.created_at), plan.clockAt ?? 0)
}

/**
 * Rebuilds due customers until none is left, beside any number of processes. Each batch is a transaction that
 * locks its customers: other processes skip them, and find them again if the batch fails.
 */
export async function rebuildDue(
  context: RunContext,
  knownAt: Instant,
  onRebuilt?: OnRebuilt,
): Promise<void> {
  const asOf = asOfFrom(knownAt, context.deps.now())
  const batchSize = createBatchSize()
  let after: DueCustomer | null = null
  const lane = async (own: RunContext): Promise<void> => {
    for (;;) {
      const last = await rebuildBatch(own, { after, waits: false, batchSize, onRebuilt }, asOf)
      if (last === undefined) break
      after = further(last, after)
    }
    // Take customers that other processes locked or released, and those a policy change made due again.
    while ((await rebuildBatch(own, { after: null, waits: true, batchSize, onRebuilt }, asOf)) !== undefined);
  }
  await together(
    context,
    Array.from({ length: lanesMax }, () => lane),
  )
}

/** Returns the one that comes later in the order of due customers. */
export function further(one: DueCustomer, other: DueCustomer | null): DueCustomer {
  if (other === null) return one
  const newer = other.createdAt.getTime() - one.createdAt.getTime()
  return newer > 0 || (newer === 0 && one.id > other.id) ? one : other
}

/**
 * Rebuilds a batch of customers with a complete history, while lists are read: made at `since` or later, since no
 * invoice predates its customer, and not among the incomplete ones. Returns the last customer visited, undefined
 * if none.
 */
export function rebuildAhead(
  context: RunContext,
  knownAt: Instant,
  {
    incompleteCustomers,
    ...take
  }: {
    since: Instant
    incompleteCustomers: ReadonlySet<string>
    after: DueCustomer | null
    batchSize: BatchSize
  },
): Promise<DueCustomer | undefined> {
  const asOf = asOfFrom(knownAt, context.deps.now())
  return rebuildBatch(
    context,
    { ...take, waits: false },
    asOf,
    (customer, catalog) => !incompleteCustomers.has(customer.id) && isAllIn(customer, catalog),
  )
}

/** Rebuilds the next batch. Returns the last customer it visited; undefined if none is due. */
async function rebuildBatch(
  context: RunContext,
  take: {
    after: DueCustomer | null
    since?: Instant
    waits: boolean
    batchSize: BatchSize
    onRebuilt?: OnRebuilt | undefined
  },
  asOf: (customer: CustomerObjects) => Instant,
  isReady?: IsReady,
): Promise<DueCustomer | undefined> {
  const batch = await write(context, async (tenant) => {
    const limit = take.batchSize.size()
    // Hold the policy before any read, so that no other policy comes into force before the writes.
    const policy = await holdMrrPolicy(tenant)
    const reporting = await holdReporting(tenant)
    const at = context.deps.now()
    const due = await takeCustomersDue(tenant, { ...take, limit })
    if (due.length === 0) return undefined
    const recount = await findOpenRecount(tenant)
    const dueIds = due.map(({ id }) => id)
    const customers = await loadCustomerObjects(tenant, dueIds, { invoicesMax })
    take.batchSize.follow({
      wasCut: customers.length < due.length,
      customers: customers.length,
      invoices: customers.reduce((sum, { invoices }) => sum + invoices.length, 0),
    })
    const rebuilt = await rebuildThese(tenant, customers, { policy, reporting, now: at }, asOf, isReady)
    const ids = rebuilt.map(({ id }) => id)
    const figures = rebuilt.flatMap((customer) => customer.figures)
    const sightings = rebuilt.flatMap((customer) => customer.newObservations)
    const events = await withPaymentMethods(
      tenant,
      rebuilt.flatMap((customer) => customer.events),
    )
    const changes = recount && (await findChanges(tenant, ids, { events, figures }))
    let records: ChangedRecord[] = []
    await writeMovements(tenant, ids, async () => {
      records = newestFirst(await replaceEvents(tenant, ids, events, at), events)
      await saveSubscriptionFigures(tenant, figures, { at, runId: context.claim.runId })
    })
    await saveObservations(tenant, sightings)
    // This adds up the figures that an earlier statement saved.
    await settleCustomers(tenant, ids)
    if (changes) await noteChanges(tenant, recount.id, changes)
    const counts = { customers: ids.length, events: records.length }
    await addRunChanges(tenant, context.claim.runId, counts, { kind: 'event', records })
    return { last: due.at(customers.length - 1), rebuiltCount: ids.length }
  })
  if (batch && batch.rebuiltCount > 0) await take.onRebuilt?.(batch.rebuiltCount)
  return batch?.last
}

/** A run keeps the newest of them. Those that are gone come last. */
function newestFirst(records: readonly ChangedRecord[], events: readonly EventRow[]): ChangedRecord[] {
  const times = new Map(events.map(({ id, occurredAt }) => [id, occurredAt]))
  return records.toSorted((a, b) => (times.get(b.id) ?? 0) - (times.get(a.id) ?? 0))
}

/** Adds how an event's invoice was paid, if known. Most invoices have no event, so we look up only the others. */
async function withPaymentMethods(tenant: Tenant, events: readonly EventRow[]): Promise<EventRow[]> {
  const methods = await loadPaymentMethods(
    tenant,
    events.flatMap(({ invoiceId }) => invoiceId ?? []),
  )
  return events.map((event) => {
    const method = methods.get(event.invoiceId ?? '')
    return method ? { ...event, paymentMethod: paymentMethodText(method) } : event
  })
}

type IsReady = (customer: CustomerObjects, catalog: Catalog) => boolean

/** Computes customers from their stored objects; skips those that are not ready. */
export async function rebuildThese(
  tenant: Tenant,
  customers: readonly CustomerObjects[],
  { policy, reporting, now }: { policy: MrrPolicy; reporting: Reporting; now: Date },
  asOf: (customer: CustomerObjects) => Instant,
  isReady: IsReady = () => true,
): Promise<RebuiltCustomer[]> {
  const catalog = await loadCatalog(tenant, customers)
  const rebuilt: CountedCustomer[] = []
  for (const [index, customer] of customers.entries()) {
    if (isReady(customer, catalog)) rebuilt.push(rebuildOne(customer, catalog, policy, asOf(customer)))
    if (index % customersAtOnce === customersAtOnce - 1) await new Promise((goOn) => setImmediate(goOn))
  }
  return convertRebuilt(tenant, rebuilt, reporting, now)
}

/**
 * When everything stored about a customer was true: when we requested the first of its subscriptions, or
 * `knownAt`. Observations get this date, so none is later than its request or earlier than what the
 * subscriptions state.
 */
function asOfFrom(knownAt: Instant, clock: Date): (customer: CustomerObjects) => Instant {
  const now = Math.max(knownAt, instantOfDate(clock))
  return ({ subscriptions, readAt, askedAfter }) => {
    const living = subscriptions.filter(({ endedAt }) => endedAt === null)
    const asked = living.map(({ id, isOnTestClock }) => {
      const byProvider = isOnTestClock ? knownAt : (askedAfter.get(id) ?? knownAt)
      return Math.max(readAt.get(id) ?? knownAt, byProvider, knownAt)
    })
    const told = subscriptions.flatMap(({ createdAt, endedAt }) => [createdAt, endedAt ?? createdAt])
    const first = asked.length > 0 ? Math.min(...asked) : knownAt
    return told.filter((at) => at <= now).reduce((latest, at) => Math.max(latest, at), first)
  }
}
