// What changed at the provider since the last import: from webhooks, and from the provider's record of events, which reaches back
// 30 days. Past that, or where the key may not read the record, everything is read again.

import { type Instant, instantOfDate } from '#domain/instant.ts'
import type { NewestChanges, PaymentsChanges } from '../../providers/payments.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { noteConnectionDetails } from '../../store/connections/connections.ts'
import type { PaymentAccount } from '../../store/payments/payment-account.ts'
import {
  listPendingChanges,
  listSettledChanges,
  type StoredChangeMark,
  takeChanges,
} from '../../store/payments/payment-changes.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { readDetails } from '../connections/payments-connection.ts'
import { type PlanningContext, write } from '../runs/run-context.ts'
import { readChangedObject } from './changed-objects.ts'

/** The provider's record of changes covers 30 days. Past this age we read everything again. */
const changesMaxAgeMs = 25 * 24 * 3600 * 1000
/** Changes can appear in the record some minutes late. */
const overlapSeconds = 10 * 60
/** One import reads at most this number of webhook changes; the others wait for the next import. */
const pendingMax = 5_000

/** Up to when the stored data is complete. */
export type Refreshed = Pick<PaymentAccount, 'refreshed_at' | 'events_until' | 'customers_read_at'>

type TakenChange = StoredChangeMark & { objects: unknown[] }

/**
 * From when to read the record of changes, by the provider's clock; null if the record does not reach back
 * far enough.
 */
export function recordOf(
  mirror: Refreshed | undefined,
  now: Date,
): { since: Instant; newestAt: Instant } | null {
  if (!mirror?.refreshed_at || !mirror.events_until) return null
  if (now.getTime() - mirror.refreshed_at.getTime() > changesMaxAgeMs) return null
  const newestAt = withoutFuture(instantOfDate(mirror.events_until), now)
  return { since: instantOfDate(recordFrom(newestAt)), newestAt }
}

/** From when the next import reads the record, after one that read it up to there. */
export function recordFrom(changesUntil: Instant): Date {
  return new Date((changesUntil - overlapSeconds) * 1000)
}

/**
 * Objects of a test clock can date changes far ahead. A record that is read from there on would miss all others until
 * then; one that is read from our time on repeats a little where our clock is behind.
 */
export function withoutFuture(newestAt: Instant, now: Date): Instant {
  return Math.min(newestAt, instantOfDate(now))
}

/**
 * Lists the changes that no import has read yet, from webhooks and from the record, and assigns them to this
 * run. Returns null if the key may not read the record.
 */
export async function listChangesSince(
  context: PlanningContext,
  since: Instant,
): Promise<PaymentsChanges | null> {
  const { settled, pending } = await findStored(context, since)
  const listed = await readChanges(context, (reader) => reader.listChanges(since, settled))
  if (!listed) return null
  await takeUp(context, [...pending, ...marksOf(listed)])
  const told = pending.flatMap(({ objects }) => objects.flatMap(readChangedObject))
  // An import that takes up announced changes must settle them, also where they name nothing to read.
  const announced = pending.map(({ id, happenedAt }) => ({ id, at: instantOfDate(happenedAt) }))
  return { ...listed, marks: [...listed.marks, ...announced], objects: [...listed.objects, ...told] }
}

/**
 * Assigns to this run the changes that its lists of everything contain already. Returns the newest of the record; null if
 * the key may not read it.
 */
export async function takeNewestChanges(context: PlanningContext): Promise<NewestChanges | null> {
  const pending = await inOrganization(context.deps.database, context.claim.organizationId, (tenant) =>
    listPendingChanges(tenant, pendingMax),
  )
  const newest = await readChanges(context, (reader) => reader.listNewestChanges(overlapSeconds))
  await takeUp(context, [...pending, ...marksOf(newest)])
  return newest
}

function marksOf(listed: NewestChanges | null): TakenChange[] {
  return (listed?.marks ?? []).map(({ id, at, objects = [] }) => ({
    id,
    happenedAt: new Date(at * 1000),
    objects: objects.map(({ kind, id, isGone }) => ({ kind, id, ...(isGone && { isGone }) })),
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
