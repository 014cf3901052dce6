import { type ChangedRecord, type CrmKind, toldOf } from '#domain/crm-record.ts'
import type { CrmWriteOutcome } from '../../providers/crm.ts'
import { type LinkOutcome, saveLinkOutcomes } from '../../store/crm/crm-links.ts'
import { addRunChanges } from '../../store/runs/run-changes.ts'
import { addRunErrors } from '../../store/runs/run-lines.ts'
import { inRun } from '../../store/runs/runs.ts'
import { workThrough } from '../runs/task-group.ts'
import { batchesInFlight, createFront, type Front, inBatches } from './batches.ts'
import { mayGoOn } from './may-go-on.ts'
import { type PlannedRecord, plannedRecords } from './planned-records.ts'
import type { PushSession } from './push-session.ts'

type Work = () => Promise<void>
/** Work that may run beside the records, given how far they are complete. */
export type Follower = (front: Front) => AsyncIterable<Work>

/**
 * Writes every due record of a kind in full batches and saves each outcome at once. The work of `follow` shares the
 * same lanes, so that the CRM never has more requests in flight.
 */
export function writeRecords(session: PushSession, kind: CrmKind, follow?: Follower): Promise<void> {
  return workThrough(worksOf(session, kind, follow), batchesInFlight, (work) => work())
}

async function* worksOf(session: PushSession, kind: CrmKind, follow?: Follower): AsyncGenerator<Work> {
  const front = createFront()
  const { recordsPerBatch } = session.deps.crm.limits
  for await (const batch of inBatches(allowedRecords(session, kind), recordsPerBatch)) {
    const end = front.begin(batch.at(-1)?.key ?? '', batch.length)
    yield async () => {
      await writeBatch(session, kind, batch)
      end()
    }
    if (follow) yield* follow(front)
  }
}

/** Yields what is due, except what the CRM refuses for a reason that concerns the whole account. */
async function* allowedRecords(session: PushSession, kind: CrmKind): AsyncGenerator<PlannedRecord> {
  for await (const record of plannedRecords(session, kind)) {
    if (!session.held.has(sortOf(record))) yield record
  }
}

const sortOf = ({ isNew }: PlannedRecord) => (isNew ? 'new records' : 'known records')

async function writeBatch(
  session: PushSession,
  kind: CrmKind,
  batch: readonly PlannedRecord[],
): Promise<void> {
  const { deps, claim, access, objectTypes } = session
  await mayGoOn(session)
  const written = await deps.crm.upsertRecords(access, kind, objectTypes[kind], batch)
  const outcomes = outcomesOf(session, kind, batch, written)
  const failed = outcomes.filter(({ state }) => state !== 'confirmed')
  if (outcomes.some(({ state }) => state === 'pending' || state === 'held')) session.isLeftOpen = true
  await inRun(deps.database, claim, async (tenant) => {
    const at = deps.now()
    await saveLinkOutcomes(tenant, { portalId: access.portalId, kind, runId: claim.runId }, outcomes, at)
    await addRunErrors(
      tenant,
      claim.runId,
      failed.map(({ sourceId, error }) => ({ sourceId, message: error ?? '' })),
      at,
    )
    const records = changedBy(batch, outcomes)
    const counts = { [kind === 'event' ? 'events' : 'subscriptions']: records.length }
    await addRunChanges(tenant, claim.runId, counts, { kind, records })
  })
  await session.progress.add(outcomes.length, failed.length)
}

/** The records that the CRM created or updated. */
function changedBy(batch: readonly PlannedRecord[], outcomes: readonly LinkOutcome[]): ChangedRecord[] {
  const confirmed = new Set(
    outcomes.flatMap(({ sourceId, state }) => (state === 'confirmed' ? sourceId : [])),
  )
  return batch
    .filter(({ key }) => confirmed.has(key))
    .map(({ key, subscriptionId, isNew, told, values }) => ({
      id: key,
      subscriptionId,
      change: isNew ? 'added' : 'changed',
      told: isNew || told === null ? null : { before: told, after: toldOf(values) },
    }))
}

/**
 * The outcome of each record. One that the CRM refuses for the whole account stays due; after a second such refusal
 * it fails, so that it cannot block the others. Records that were not sent do not change.
 */
function outcomesOf(
  { held }: PushSession,
  kind: CrmKind,
  batch: readonly PlannedRecord[],
  written: readonly CrmWriteOutcome[],
): LinkOutcome[] {
  const byKey = new Map(written.map((outcome) => [outcome.key, outcome]))
  return batch.flatMap((record) => {
    const { key, hash, outdated } = record
    const outcome = byKey.get(key)
    if (outcome?.state === 'written') {
      const { recordId, updatedAt = null } = outcome
      const told = kind === 'subscription' ? toldOf(record.values) : null
      return {
        ...{ sourceId: key, hash, state: 'confirmed', recordId, recordUpdatedAt: updatedAt },
        ...{ error: null, told, outdated },
      }
    }
    const error = outcome?.message ?? 'Nothing is known of what became of this record.'
    const open = { sourceId: key, hash, recordId: null, recordUpdatedAt: null, error, told: null, outdated }
    if (outcome?.state !== 'held') {
      return { ...open, state: outcome?.state === 'refused' ? 'failed' : 'pending' }
    }
    held.hold(sortOf(record), outcome.message)
    if (!outcome.isTried) return []
    return { ...open, state: record.wasHeld ? 'failed' : 'held' }
  })
}
