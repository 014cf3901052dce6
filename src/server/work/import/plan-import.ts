// An import of what changed fetches each object once that the provider's events name. There are no events for customers that an
// account represents (`customer_account`); where there are any, the list of customers is read hourly.

import type { Instant } from '#domain/instant.ts'
import { optionalKinds, type PaymentsKind, wholeKinds, windowKinds } from '../../providers/payments.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { hasCustomerAccounts } from '../../store/payments/customers.ts'
import { listUnknownObjectIds } from '../../store/payments/payment-lists.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import type { ImportPlan } from '../../store/runs/import-plans.ts'
import type { ImportWindow } from '../../store/runs/import-windows.ts'
import type { PlanningContext } from '../runs/run-context.ts'
import { planChanged, type WhatToRead } from './changed-objects.ts'
import {
  listChangesSince,
  type Refreshed,
  recordOf,
  takeNewestChanges,
  withoutFuture,
} from './changes-since.ts'
import { type ImportOptions, instantOfText } from './import-options.ts'
import { newWindow } from './windows.ts'

export type PlannedImport = Omit<ImportPlan, 'mode' | 'figuresStand'> &
  WhatToRead & {
    /** Whether the provider told of no change, so that there is nothing to read. */
    isUnchanged: boolean
  }

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
    return planEverything(context, known)
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
  const eventsUntil = Math.max(withoutFuture(changes.newestAt ?? 0, known.startedAt), record.newestAt)
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
  const ageMs = startedAt.getTime() - readAt
  if (ageMs >= 0 && ageMs < customersMaxAgeMs) return false
  return inOrganization(deps.database, claim.organizationId, hasCustomerAccounts)
}

function wholeWindow(kind: PaymentsKind, oldestAt: Instant | null): ImportWindow {
  return newWindow(kind, { from: null, until: null, oldestAt })
}

async function planEverything(
  context: PlanningContext,
  { startedAt, accountCreatedAt }: Omit<Known, 'mirror'>,
): Promise<PlannedImport> {
  const newestAt = (await takeNewestChanges(context))?.newestAt ?? null
  const clockAt = newestAt ?? (await context.reader.findNewestInvoiceAt())
  const eventsUntil = newestAt === null ? null : withoutFuture(newestAt, startedAt)
  const windows = wholeKinds.map((kind) => wholeWindow(kind, accountCreatedAt))
  return {
    ...{ isFull: true, areCustomersRead: true, eventsUntil, clockAt, windows, objects: [] },
    isUnchanged: false,
  }
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
