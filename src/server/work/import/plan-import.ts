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

/** The provider's record of changes reaches back 30 days; what is this old is read anew instead. */
const changesMaxAgeMs = 25 * 24 * 3600 * 1000
/** Changes can appear in the record some minutes late. */
const overlapSeconds = 10 * 60
/** Changes that webhooks told of and one import takes up; more wait for the next. */
const pendingMax = 5_000

/** How far everything is in the tables. */
export type Refreshed = Pick<PaymentAccount, 'refreshed_at' | 'events_until' | 'customers_read_at'>
type Known = { mirror: Refreshed | undefined; startedAt: Date; accountCreatedAt: Instant | null }

/**
 * What an import has to read. The whole history: every list without bounds. A window: each object that changed since the
 * last import, what was made since then by its list, and what of the window before turns out to be missing, with all
 * customers where their changes are not told and an hour has passed; without
 * that import, or without a record of changes, the whole history. Takes up the changes that it covers.
 */
export async function planImport(
  context: PlanningContext,
  options: ImportOptions,
  known: Known,
): Promise<ImportSlice[]> {
  const record = options.mode === 'window' ? recordOf(known.mirror, known.startedAt) : null
  const changes = record && (await listChangesSince(context, record.since))
  if (options.mode !== 'window' || !record || !changes) {
    // Read anew for every hint, a large account would be read all day.
    if (options.mode === 'window' && options.isHint && record)
      throw changesForbidden(context.deps.payments.name)
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

/** A little less than the hour between two scheduled imports. */
const customersMaxAgeMs = 55 * 60_000

/** Whether all customers are to be read again: they can change without a word in the record, where accounts stand for any. */
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
  // The next import looks back this far; what is listed there by now is not to be fetched again then.
  const newest = await readChanges(context, (reader) => reader.listNewestChanges(overlapSeconds))
  await takeUp(context, [...pending, ...marksOf(newest)])
  const clockAt = newest?.newestAt ?? (await context.reader.findNewestInvoiceAt())
  const eventsUntil = newest?.newestAt ?? null
  return [
    planSlice({ isFull: true, areCustomersRead: true, eventsUntil, clockAt }),
    ...wholeKinds.map((kind) => wholeSlice(kind, accountCreatedAt)),
  ]
}

/** Where the record of changes has to be read on, by the provider's clock; null when it does not reach back so far. */
function recordOf(mirror: Refreshed | undefined, now: Date): { since: Instant; newestAt: Instant } | null {
  if (!mirror?.refreshed_at || !mirror.events_until) return null
  if (now.getTime() - mirror.refreshed_at.getTime() > changesMaxAgeMs) return null
  const newestAt = instantOfDate(mirror.events_until)
  return { since: newestAt - overlapSeconds, newestAt }
}

/**
 * The changes that no import has brought in yet: those that webhooks told of and those of the record, which are thereby
 * taken up. Null where the key may not read the record.
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

/** Asks for the record of changes; null where the key may not read it. Notes whether it may, since hints wait for that. */
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

function changesForbidden(name: string): ProviderError {
  return new ProviderError(
    'forbidden',
    `The ${name} API key may not read Events, so that what changed is read with the next full import.`,
  )
}
