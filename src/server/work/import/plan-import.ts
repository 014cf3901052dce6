// An import of what changed reads the provider's events since the last one and fetches each named object once. There are no events
// for customers that an account represents (`customer_account`); where there are any, the list of customers is read hourly.

import { type Instant, instantOfDate } from '#domain/instant.ts'
import {
  type NewestChanges,
  optionalKinds,
  type PaymentsChanges,
  type PaymentsKind,
  wholeKinds,
  windowKinds,
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
import { listUnknownObjectIds } from '../../store/payments/payment-lists.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import type { ImportPlan } from '../../store/runs/import-plans.ts'
import type { ImportWindow } from '../../store/runs/import-windows.ts'
import { readDetails } from '../connections/payments-connection.ts'
import { type PlanningContext, write } from '../runs/run-context.ts'
import { planChanged, readChangedObject, type WhatToRead } from './changed-objects.ts'
import { type ImportOptions, instantOfText } from './import-options.ts'
import { newWindow } from './windows.ts'

/** The provider's record of changes covers 30 days. Past this age we read everything again. */
const changesMaxAgeMs = 25 * 24 * 3600 * 1000
/** Changes can appear in the record some minutes late. */
const overlapSeconds = 10 * 60
/** One import reads at most this number of webhook changes; the others wait for the next import. */
const pendingMax = 5_000

/** Up to when the stored data is complete. */
export type Refreshed = Pick<PaymentAccount, 'refreshed_at' | 'events_until' | 'customers_read_at'>

export type PlannedImport = Omit<ImportPlan, 'mode' | 'figuresStand'> &
  WhatToRead & {
    /** Whether the provider told of no change, so that there is nothing to read. */
    isUnchanged: boolean
  }

type TakenChange = StoredChangeMark & { objects: unknown[] }

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
): Promise<PlannedImport> {
  const record = options.mode === 'window' ? recordOf(known.mirror, known.startedAt) : null
  const changes = record && (await listChangesSince(context, record.since))
  if (options.mode !== 'window' || !record || !changes) {
    // A full import per hint would occupy a large account all day.
    if (options.mode === 'window' && options.isHint && record)
      throw changesForbidden(context.deps.payments.name)
    return planEverything(context, known.accountCreatedAt)
  }
  const areCustomersRead = await areCustomersDue(context, known)
  const isOpen = ({ kind }: { kind: string }) => !(areCustomersRead && kind === 'customers')
  const changed = await planChanged(context, changes, record.since)
  const checked = {
    from: instantOfText(options.from),
    until: Math.min(instantOfText(options.until), record.since),
  }
  const missing = (await findWindowsToRead(context, checked)).map((kind) =>
    newWindow(kind, { ...checked, oldestAt: checked.from }),
  )
  const windows = [
    ...(areCustomersRead ? [wholeWindow('customers', known.accountCreatedAt)] : []),
    ...changed.windows.filter(isOpen),
    ...missing.filter(isOpen),
  ]
  const objects = changed.objects.filter(isOpen)
  const isIdle = windows.length + objects.length === 0
  const clockAt = changes.newestAt ?? (isIdle ? null : await context.reader.findNewestInvoiceAt())
  const eventsUntil = Math.max(changes.newestAt ?? 0, record.newestAt)
  const isUnchanged = isIdle && changes.marks.length === 0
  return { isFull: false, areCustomersRead, eventsUntil, clockAt, windows, objects, isUnchanged }
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

function wholeWindow(kind: PaymentsKind, oldestAt: Instant | null): ImportWindow {
  return newWindow(kind, { from: null, until: null, oldestAt })
}

async function planEverything(
  context: PlanningContext,
  accountCreatedAt: Instant | null,
): Promise<PlannedImport> {
  const pending = await inOrganization(context.deps.database, context.claim.organizationId, (tenant) =>
    listPendingChanges(tenant, pendingMax),
  )
  // The next import looks back this far. It need not fetch changes that this import's lists already contain.
  const newest = await readChanges(context, (reader) => reader.listNewestChanges(overlapSeconds))
  await takeUp(context, [...pending, ...marksOf(newest)])
  const clockAt = newest?.newestAt ?? (await context.reader.findNewestInvoiceAt())
  const eventsUntil = newest?.newestAt ?? null
  const windows = wholeKinds.map((kind) => wholeWindow(kind, accountCreatedAt))
  return {
    ...{ isFull: true, areCustomersRead: true, eventsUntil, clockAt, windows, objects: [] },
    isUnchanged: false,
  }
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
  // An import that takes up announced changes must settle them, also where they name nothing to read.
  const announced = pending.map(({ id, happenedAt }) => ({ id, at: instantOfDate(happenedAt) }))
  return { ...listed, marks: [...listed.marks, ...announced], objects: [...listed.objects, ...told] }
}

function marksOf(listed: NewestChanges | null): TakenChange[] {
  return (listed?.marks ?? []).map(({ id, at, objects = [] }) => ({
    id,
    happenedAt: new Date(at * 1000),
    objects: objects.map((object) => ({ kind: object.kind, id: object.id })),
  }))
}

function findStored({ deps, claim }: PlanningContext, since: Instant) {
  return inOrganization(deps.database, claim.organizationId, async (tenant) => ({
    settled: await listSettledChanges(tenant, new Date(since * 1000)),
    pending: await listPendingChanges(tenant, pendingMax),
  }))
}

function takeUp(context: PlanningContext, changes: readonly TakenChange[]): Promise<void> {
  return write(context, (tenant) => takeChanges(tenant, context.claim.runId, changes))
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
  const mayReadChanges = listed !== null
  if (readDetails(context.connection.details).mayReadChanges === mayReadChanges) return listed
  await write(context, (tenant) => noteConnectionDetails(tenant, context.connection, { mayReadChanges }))
  return listed
}

function changesForbidden(name: string): ProviderError {
  return new ProviderError(
    'forbidden',
    `The ${name} API key may not read Events, so that what changed is read with the next full import.`,
  )
}

/**
 * The lists to read again over a window that earlier imports read: those whose newest page shows an object we
 * do not have. The record of changes covers every other object of the window.
 */
async function findWindowsToRead(
  context: PlanningContext,
  created: { from: Instant; until: Instant },
): Promise<PaymentsKind[]> {
  if (created.from >= created.until) return []
  const wanted = await Promise.all(
    windowKinds.map(async (kind) => ((await hasUnknown(context, kind, created)) ? [kind] : [])),
  )
  return wanted.flat()
}

async function hasUnknown(
  { deps, claim, reader }: PlanningContext,
  kind: PaymentsKind,
  created: { from: Instant; until: Instant },
): Promise<boolean> {
  const ids = await reader.listNewestIds(kind, created).catch((error: unknown) => {
    const isForbidden = error instanceof ProviderError && error.kind === 'forbidden'
    if (isForbidden && optionalKinds.includes(kind)) return []
    throw error
  })
  const unknown = await inOrganization(deps.database, claim.organizationId, (tenant) =>
    listUnknownObjectIds(tenant, kind, ids),
  )
  return unknown.length > 0
}
