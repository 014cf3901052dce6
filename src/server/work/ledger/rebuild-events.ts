import { type Instant, instantOfDate } from '#domain/instant.ts'
import type { MrrPolicy } from '#domain/mrr/exact/policy.ts'
import {
  type DueCustomer,
  listCustomersWithoutFigures,
  listKeptCustomers,
  takeCustomersDue,
} from '../../store/ledger/due-customers.ts'
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
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { getMrrPolicy, holdMrrPolicy } from '../../store/recount/mrr-policy.ts'
import { noteChanges } from '../../store/recount/note-changes.ts'
import { findOpenRecount } from '../../store/recount/recounts.ts'
import type { HistoryWatermark } from '../../store/runs/slice-leases.ts'
import { type RunContext, write } from '../runs/run-context.ts'
import { beside } from '../runs/task-group.ts'
import { type BatchSize, createBatchSize, invoicesMax } from './batch-size.ts'
import { findChanges } from './find-changes.ts'
import { isAllIn } from './is-all-in.ts'
import { paymentMethodText } from './payment-method-text.ts'
import { type RebuiltCustomer, rebuildOne } from './rebuild-one.ts'

/** The phase of a run in which customers are rebuilt, by any number of processes. */
export const rebuildingPhase = 'rebuilding'

/** Customers that are computed in one go: in between, the lists that are being read go on. */
const customersAtOnce = 20
/** Customers in memory where their invoices are left out. */
const previewMax = 250
/** Batches of one process beside each other, whatever they are for: one is read or written while another is computed. */
export const lanesMax = 2

/**
 * Rebuilds the ledger of every customer that is due. What is kept was true at `knownAt`, or later where it was read
 * later. Only what changed is written, and a customer's mark goes with its rows, so that a crash repeats a few batches
 * at most.
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

/** Told of each batch how many customers were rebuilt, once that is kept. */
type OnRebuilt = (customers: number) => Promise<void>

/** When all that an import has read was true. The provider's clock may be ahead of ours, as a simulated one can be. */
export function knownAtOf(run: { created_at: Date }, plan: { clockAt: Instant | null }): Instant {
  return Math.max(instantOfDate(run.created_at), plan.clockAt ?? 0)
}

/**
 * Rebuilds customers that are due until none is left, beside any number of processes that do the same: each batch is a
 * transaction that holds its customers, so that others pass over them, and find them again where it fails.
 */
export async function rebuildDue(
  context: RunContext,
  knownAt: Instant,
  onRebuilt?: OnRebuilt,
): Promise<void> {
  const asOf = asOfFrom(knownAt, context.deps.now())
  const portion = createBatchSize()
  const pass = createPass(asOf, portion, { onRebuilt })
  const lane = async (own: RunContext): Promise<void> => {
    await pass(own)
    // What others hold, or let go of, and what a change of the policy has made due once more.
    while ((await rebuildBatch(own, { after: null, waits: true, portion, onRebuilt }, asOf)) !== undefined);
  }
  await beside(context, lanesOf(lane))
}

/**
 * Rebuilds whoever of those that are due needs nothing that the end of an import fetches by its id, when all its lists are in,
 * until that `isOver`: then others can help. The rest stays due. Tells when nobody is left to be taken up.
 */
export async function rebuildReady(
  context: RunContext,
  knownAt: Instant,
  { isOver, onAllTaken }: { isOver: () => boolean; onAllTaken: () => void },
): Promise<void> {
  const pass = createPass(asOfFrom(knownAt, context.deps.now()), createBatchSize(), {
    isReady: isAllIn,
    isOver,
  })
  const lane = async (own: RunContext): Promise<void> => {
    await pass(own)
    onAllTaken()
  }
  await beside(context, lanesOf(lane))
}

/** Goes once over everybody who is due, in any number of lanes. */
function createPass(
  asOf: (customer: CustomerObjects) => Instant,
  portion: BatchSize,
  {
    isReady,
    isOver = () => false,
    onRebuilt,
  }: { isReady?: IsReady; isOver?: () => boolean; onRebuilt?: OnRebuilt | undefined },
) {
  let after: DueCustomer | null = null
  return async (context: RunContext): Promise<void> => {
    while (!isOver()) {
      const last = await rebuildBatch(context, { after, waits: false, portion, onRebuilt }, asOf, isReady)
      if (last === undefined) return
      after = further(last, after)
    }
  }
}

function lanesOf<Lane>(lane: Lane): Lane[] {
  return Array.from({ length: lanesMax }, () => lane)
}

/** Which of the two comes later among those that are due. */
export function further(one: DueCustomer, other: DueCustomer | null): DueCustomer {
  if (other === null) return one
  const newer = other.createdAt.getTime() - one.createdAt.getTime()
  return newer > 0 || (newer === 0 && one.id > other.id) ? one : other
}

/**
 * Rebuilds a batch of the customers that were made at `since` or later and whose objects are all in, while lists are still
 * being read: no invoice is older than its customer. Others stay due, and so do those that are named as `unfinished`. Goes
 * on after a customer; returns the last one that it looked at, undefined where there was none. `onFull` is told as soon as as
 * many customers are taken as a batch may have, since there may be more.
 */
export function rebuildAhead(
  context: RunContext,
  knownAt: Instant,
  {
    since,
    unfinished,
    ...take
  }: HistoryWatermark & { after: DueCustomer | null; portion: BatchSize; onFull: () => void },
): Promise<DueCustomer | undefined> {
  const asOf = asOfFrom(knownAt, context.deps.now())
  const isKeptBack = new Set(unfinished)
  return rebuildBatch(
    context,
    { ...take, since, waits: false },
    asOf,
    (customer, catalog) => !isKeptBack.has(customer.id) && isAllIn(customer, catalog),
  )
}

/** The next batch, from its reading to its writing. Returns the last customer that it looked at; undefined where none is due. */
async function rebuildBatch(
  context: RunContext,
  take: {
    after: DueCustomer | null
    since?: Instant
    waits: boolean
    portion: BatchSize
    onFull?: () => void
    onRebuilt?: OnRebuilt | undefined
  },
  asOf: (customer: CustomerObjects) => Instant,
  isReady?: IsReady,
): Promise<DueCustomer | undefined> {
  let rebuiltCount = 0
  const last = await write(context, async (tenant) => {
    const limit = take.portion.size()
    // Before anything is read, so that no other policy comes into force until it is written.
    const [policy, due, recount] = await Promise.all([
      holdMrrPolicy(tenant),
      takeCustomersDue(tenant, { ...take, limit }),
      findOpenRecount(tenant),
    ])
    if (due.length === 0) return undefined
    if (due.length === limit) take.onFull?.()
    const dueIds = due.map(({ id }) => id)
    const customers = await loadCustomerObjects(tenant, dueIds, { invoicesMax })
    take.portion.follow({
      wasCut: customers.length < due.length,
      customers: customers.length,
      invoices: customers.reduce((sum, { invoices }) => sum + invoices.length, 0),
    })
    const rebuilt = await rebuildThese(tenant, customers, policy, asOf, isReady)
    const ids = rebuilt.map(({ id }) => id)
    rebuiltCount = ids.length
    const at = context.deps.now()
    const figures = rebuilt.flatMap((customer) => customer.figures)
    const sightings = rebuilt.flatMap((customer) => customer.newObservations)
    const events = await withPaymentMethods(
      tenant,
      rebuilt.flatMap((customer) => customer.events),
    )
    const changes = recount && (await findChanges(tenant, ids, { events, figures }))
    await Promise.all([
      replaceEvents(tenant, ids, events, at),
      saveSubscriptionFigures(tenant, figures, { at, runId: context.claim.runId }),
      saveObservations(tenant, sightings),
      // Sums up the figures that were given before.
      settleCustomers(tenant, ids),
      changes && noteChanges(tenant, recount.id, changes),
    ])
    return due.at(customers.length - 1)
  })
  if (rebuiltCount > 0) await take.onRebuilt?.(rebuiltCount)
  return last
}

/** The events with how their invoice was paid, where that is known. Most invoices make none, and are not asked about. */
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

async function rebuildThese(
  tenant: Tenant,
  customers: readonly CustomerObjects[],
  policy: MrrPolicy,
  asOf: (customer: CustomerObjects) => Instant,
  isReady: IsReady = () => true,
): Promise<RebuiltCustomer[]> {
  const catalog = await loadCatalog(tenant, customers)
  const rebuilt: RebuiltCustomer[] = []
  for (const [index, customer] of customers.entries()) {
    if (isReady(customer, catalog)) rebuilt.push(rebuildOne(customer, catalog, policy, asOf(customer)))
    if (index % customersAtOnce === customersAtOnce - 1) await new Promise((goOn) => setImmediate(goOn))
  }
  return rebuilt
}

/**
 * Gives subscriptions that have no figures yet those that they themselves state, while their invoices are still being
 * read: on a first import the current MRR stands long before its history does. The ledger is not touched.
 */
export async function previewFigures(context: RunContext, asOf: Instant): Promise<void> {
  const { deps, claim } = context
  for (let after: string | undefined = ''; after !== undefined; ) {
    const query = { after, limit: previewMax }
    const batch = await inOrganization(deps.database, claim.organizationId, async (tenant) => {
      const ids = await listCustomersWithoutFigures(tenant, query)
      const policy = await getMrrPolicy(tenant)
      // Of thousands whose customers are yet to come nothing is read.
      const kept = await listKeptCustomers(tenant, ids)
      const customers = await loadCustomerObjects(tenant, kept, { invoicesMax: null })
      return { ids, rebuilt: await rebuildThese(tenant, customers, policy, () => asOf) }
    })
    const figures = batch.rebuilt.flatMap((customer) => customer.figures)
    // Whoever was rebuilt since keeps what the rebuild found.
    const save = (tenant: Tenant) =>
      saveSubscriptionFigures(tenant, figures, { at: deps.now(), runId: claim.runId, areFirst: true })
    // There are none where the customers themselves are yet to come.
    if (figures.length > 0) await write(context, save)
    context.signal.throwIfAborted()
    after = batch.ids.at(-1)
  }
}

/**
 * The instant as of which all that is kept of a customer holds: when the first of its subscriptions was asked for, or
 * `knownAt` where none of them changed since. What is seen is dated by it, so it never is after the asking, nor before
 * what the subscriptions themselves tell.
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
