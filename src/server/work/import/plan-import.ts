// An import of what changed reads Stripe's events since the last one and fetches each named object once. Stripe has no events
// for customers that an account represents (`customer_account`); where there are any, the list of customers is read hourly.

import { type Instant, instantOfDate } from '#domain/instant.ts'
import {
  type NewestChanges,
  type PaymentsChanges,
  type PaymentsKind,
  paymentsKinds,
  wholeKinds,
} from '../../providers/payments.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { noteConnectionDetails } from '../../store/connections/connections.ts'
import { hasCustomerAccounts } from '../../store/payments/customers.ts'
import type { PaymentAccount } from '../../store/payments/payment-account.ts'
import {
  listPendingChanges,
  listSettledChanges,
  type StoredChangeMark,
  takeChanges,
} from '../../store/payments/payment-changes.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { type PlanningContext, write } from '../runs/run-context.ts'
import { changedSlices, readChangedObject } from './changed-slices.ts'
import { findWindowsToRead } from './check-window.ts'
import { type ImportOptions, instantOfText } from './import-options.ts'
import { type ImportSlice, type PlanSlice, type PlanState, windowSlice } from './import-slice.ts'

/** The provider's record of changes covers 30 days. Past this age we read everything again. */
const changesMaxAgeMs = 25 * 24 * 3600 * 1000
/** Changes can appear in the record some minutes late. */
const overlapSeconds = 10 * 60
/** One import reads at most this number of webhook changes; the others wait for the next import. */
const pendingMax = 5_000

/** Up to when the stored data is complete. */
export type Refreshed = Pick<PaymentAccount, 'refreshed_at' | 'events_until' | 'customers_read_at'>
type Known = { mirror: Refreshed | undefined; startedAt: Date; accountCreatedAt: Instant | null }

/**
 * Plans every list for the whole history. For a window: changed, new and missing older objects, and all
 * customers hourly if their changes are unrecorded. Without a previous import or a record of changes, plans
 * the whole history.
 */
export async function planImport(
  context: PlanningContext,
  options: ImportOptions,
  known: Known,
): Promise<ImportSlice[]> {
  const record = options.mode === 'window' ? recordOf(known.mirror, known.startedAt) : null
  const changes = record && (await listChangesSince(context, record.since))
  if (options.mode !== 'window' || !record || !changes) {
    // A full import per hint would occupy a large account all day.
    if (options.mode === 'window' && options.isHint && record) throw changesForbidden()
    return planEverything(context, known.accountCreatedAt)
  }
  const areCustomersRead = await areCustomersDue(context, known)
  const isOpen = ({ state }: ImportSlice) =>
    !(areCustomersRead && 'kind' in state && state.kind === 'customers')
  const changed = (await changedSlices(context, changes, record.since)).filter(isOpen)
  const checked = {
    from: instantOfText(options.from),
    until: Math.min(instantOfText(options.until), record.since),
  }
  const missing = (await findWindowsToRead(context, checked)).map((kind) =>
    windowSlice(kind, { ...checked, oldestAt: checked.from }, paymentsKinds.indexOf(kind)),
  )
  const slices = [
    ...(areCustomersRead ? [wholeSlice('customers', known.accountCreatedAt)] : []),
    ...changed,
    ...missing.filter(isOpen),
  ]
  const clockAt = changes.newestAt ?? (slices.length > 0 ? await context.reader.findNewestInvoiceAt() : null)
  const eventsUntil = Math.max(changes.newestAt ?? 0, record.newestAt)
  return [planSlice({ isFull: false, areCustomersRead, eventsUntil, clockAt }), ...slices]
}

/** Slightly less than the hour between two scheduled imports. */
const customersMaxAgeMs = 55 * 60_000

/**
 * Whether to read all customers again: if customers are accounts, they can change without an entry in the
 * record.
 */
async function areCustomersDue(
  { deps, claim }: PlanningContext,
  { mirror, startedAt }: Known,
): Promise<boolean> {
  const readAt = mirror?.customers_read_at?.getTime() ?? 0
  if (startedAt.getTime() - readAt < customersMaxAgeMs) return false
  return inOrganization(deps.database, claim.organizationId, hasCustomerAccounts)
}

function wholeSlice(kind: PaymentsKind, oldestAt: Instant | null): ImportSlice {
  return windowSlice(kind, { from: null, until: null, oldestAt }, paymentsKinds.indexOf(kind))
}

async function planEverything(
  context: PlanningContext,
  accountCreatedAt: Instant | null,
): Promise<ImportSlice[]> {
  const pending = await inOrganization(context.deps.database, context.claim.organizationId, (tenant) =>
    listPendingChanges(tenant, pendingMax),
  )
  // The next import looks back this far. It need not fetch changes that this import's lists already contain.
  const newest = await readChanges(context, (reader) => reader.listNewestChanges(overlapSeconds))
  await takeUp(context, [...pending, ...marksOf(newest)])
  const clockAt = newest?.newestAt ?? (await context.reader.findNewestInvoiceAt())
  const eventsUntil = newest?.newestAt ?? null
  return [
    planSlice({ isFull: true, areCustomersRead: true, eventsUntil, clockAt }),
    ...wholeKinds.map((kind) => wholeSlice(kind, accountCreatedAt)),
  ]
}

/**
 * From when to read the record of changes, by the provider's clock; null if the record does not reach back
 * far enough.
 */
function recordOf(mirror: Refreshed | undefined, now: Date): { since: Instant; newestAt: Instant } | null {
  if (!mirror?.refreshed_at || !mirror.events_until) return null
  if (now.getTime() - mirror.refreshed_at.getTime() > changesMaxAgeMs) return null
  const newestAt = instantOfDate(mirror.events_until)
  return { since: newestAt - overlapSeconds, newestAt }
}

/**
 * Lists the changes that no import has read yet, from webhooks and from the record, and assigns them to this
 * run. Returns null if the key may not read the record.
 */
async function listChangesSince(context: PlanningContext, since: Instant): Promise<PaymentsChanges | null> {
  const { settled, pending } = await findStored(context, since)
  const listed = await readChanges(context, (reader) => reader.listChanges(since, settled))
  if (!listed) return null
  await takeUp(context, [...pending, ...marksOf(listed)])
  const told = pending.flatMap(({ objects }) => objects.flatMap(readChangedObject))
  return { ...listed, objects: [...listed.objects, ...told] }
}

function marksOf(listed: NewestChanges | null): StoredChangeMark[] {
  return (listed?.marks ?? []).map(({ id, at }) => ({ id, happenedAt: new Date(at * 1000) }))
}

function findStored({ deps, claim }: PlanningContext, since: Instant) {
  return inOrganization(deps.database, claim.organizationId, async (tenant) => ({
    settled: await listSettledChanges(tenant, new Date(since * 1000)),
    pending: await listPendingChanges(tenant, pendingMax),
  }))
}

function takeUp(context: PlanningContext, changes: readonly StoredChangeMark[]): Promise<void> {
  return write(context, (tenant) => takeChanges(tenant, context.claim.runId, changes))
}

function planSlice(plan: PlanState['plan']): PlanSlice {
  return {
    slice: 'plan',
    position: 0,
    cursor: null,
    doneCount: 0,
    isDone: true,
    state: { plan },
  }
}

/**
 * Reads the record of changes; null if the key may not read it. Stores the answer, since hints depend on it.
 */
async function readChanges<Listed>(
  context: PlanningContext,
  ask: (reader: PlanningContext['reader']) => Promise<Listed>,
): Promise<Listed | null> {
  const listed = await ask(context.reader).catch((error: unknown) => {
    if (error instanceof ProviderError && error.kind === 'forbidden') return null
    throw error
  })
  await write(context, (tenant) =>
    noteConnectionDetails(tenant, context.connection, { mayReadChanges: listed !== null }),
  )
  return listed
}

function changesForbidden(): ProviderError {
  return new ProviderError(
    'forbidden',
    'The Stripe API key may not read Events, so that what changed is read with the next full import.',
  )
}
