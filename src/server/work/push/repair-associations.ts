import type { Deps } from '../../deps.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { Refusal } from '../../refusal.ts'
import {
  type AssociationKind,
  type AssociationRow,
  associationKinds,
  deleteAssociations,
  saveAssociations,
  saveRefusedAssociations,
} from '../../store/crm/crm-associations.ts'
import { compareAllNext } from '../../store/crm/push-due.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { addLinkChanges } from '../../store/runs/run-changes.ts'
import { addRunErrors, addRunLog } from '../../store/runs/run-lines.ts'
import {
  type Claim,
  claimRun,
  endRun,
  findRun,
  inRun,
  type Run,
  RunLost,
  type RunStart,
  reportProgress,
} from '../../store/runs/runs.ts'
import { createHeldWrites, type HeldWrites } from '../crm/held-writes.ts'
import { type CrmSession, withCrm } from '../crm/with-crm.ts'
import { optionsOf } from '../runs/scheduled-run.ts'
import { type AssociationPlace, eachMissing } from './check-associations.ts'
import { startPart } from './run-part.ts'
import { settledOf } from './write-pairs.ts'

export type Repaired = { attempted: number; successful: number }

/** How long to wait for a repair that a worker continues. */
const waitsMax = 300
const waitMs = 1_000

/**
 * Creates the missing associations of the given kinds as a run and waits for its end. As a run, it excludes other
 * writers, can be cancelled, and continues in a worker if this process dies.
 */
export async function repairNow(
  deps: Deps,
  organizationId: number,
  kinds: readonly AssociationKind[],
  start?: RunStart,
): Promise<Repaired> {
  // The repair continues even if the person who asked for it leaves.
  const { signal } = new AbortController()
  const part = { part: 'associations', kinds: kinds.map(nameOf) } as const
  const runId = await startPart(deps, organizationId, part, start)
  const claimed = await claimRun(deps.database, organizationId, runId, deps.now())
  try {
    if (claimed) await repairAssociations(deps, claimed.claim, claimed.run, signal)
  } catch (error) {
    if (!(error instanceof RunLost)) {
      if (claimed) await giveUp(deps, claimed.claim, error)
      throw error
    }
  }
  return awaitEnd(deps, organizationId, runId, signal)
}

/** Works on a repair and ends its run. May be interrupted anywhere and started again. */
export async function repairAssociations(
  deps: Deps,
  claim: Claim,
  run: Run,
  signal: AbortSignal,
): Promise<void> {
  const counts = { attempted: run.processed_records, failed: run.failed_records }
  const held = createHeldWrites()
  await withCrm(
    deps,
    claim.organizationId,
    async (session) => {
      for (const kind of kindsOf(run)) {
        await eachMissing(deps, claim.organizationId, session, kind, async (rows, _checked, place) => {
          if (rows.length === 0 || held.has('associations')) return
          counts.attempted += rows.length
          counts.failed += await makeAll(deps, claim, session, held, { kind, place, rows })
          await reportProgress(deps.database, claim, {
            totalRecords: counts.attempted,
            processedRecords: counts.attempted,
            failedRecords: counts.failed,
            message: 'Repairing associations',
          })
        })
      }
    },
    signal,
  )
  const error = held.explain(deps.crm.name)
  await endRun(deps.database, claim, {
    status: error === null ? 'completed' : 'failed',
    ...(error !== null && { error, isOfSeveral: true }),
    message: `Repaired ${counts.attempted - counts.failed} of ${counts.attempted} associations.`,
    at: deps.now(),
  })
}

/**
 * Creates the missing associations and returns how many were not made. A person's push tries the refused ones again, the
 * next push the others.
 */
async function makeAll(
  deps: Deps,
  claim: Claim,
  { access }: CrmSession,
  held: HeldWrites,
  { kind, place, rows }: { kind: AssociationKind; place: AssociationPlace; rows: readonly AssociationRow[] },
): Promise<number> {
  await inRun(deps.database, claim, async (tenant) => {
    await compareAllNext(tenant)
    await deleteAssociations(tenant, access.portalId, kind, rows)
  })
  const pairs = rows.map(({ fromRecordId, toRecordId }) => ({ fromId: fromRecordId, toId: toRecordId }))
  const outcomes = await deps.crm.associate(access, place.from, place.to, pairs)
  const settled = settledOf(rows, outcomes)
  const { done, refused } = settled
  if (settled.held[0]) held.hold('associations', settled.held[0].error)
  await inRun(deps.database, claim, async (tenant) => {
    await saveAssociations(tenant, access.portalId, kind, done, deps.now())
    await saveRefusedAssociations(tenant, { portalId: access.portalId, kind, runId: claim.runId }, refused)
    const errors = [...refused, ...settled.unknown].map(({ sourceId, error }) => ({
      sourceId,
      message: error,
    }))
    await addRunErrors(tenant, claim.runId, errors, deps.now())
    const line = `${kind.kind} to ${kind.target}: ${done.length} of ${rows.length} missing associations made.`
    await addRunLog(tenant, claim.runId, line, deps.now())
    const { portalId } = access
    await addLinkChanges(tenant, claim.runId, { portalId, kind, change: 'linked', rows: done })
  })
  return rows.length - done.length
}

const nameOf = ({ kind, target }: AssociationKind) => `${kind}/${target}`

function kindsOf(run: Run): readonly AssociationKind[] {
  const { kinds: names } = optionsOf(run)
  return associationKinds.filter((kind) => Array.isArray(names) && names.includes(nameOf(kind)))
}

async function giveUp(deps: Deps, claim: Claim, error: unknown): Promise<void> {
  const isTold = error instanceof ProviderError || error instanceof Refusal
  const reason = isTold ? error.message : 'Something went wrong on our side. Start it again.'
  await endRun(deps.database, claim, {
    status: 'failed',
    message: 'It could not be finished.',
    error: reason,
    ...(error instanceof ProviderError && { request: error.request }),
    at: deps.now(),
  }).catch((lost: unknown) => {
    if (!(lost instanceof RunLost)) throw lost
  })
}

async function awaitEnd(
  deps: Deps,
  organizationId: number,
  runId: string,
  signal: AbortSignal,
): Promise<Repaired> {
  for (let wait = 0; wait < waitsMax; wait++) {
    const run = await inOrganization(deps.database, organizationId, (tenant) => findRun(tenant, runId))
    if (run?.status === 'completed') {
      return {
        attempted: run.processed_records,
        successful: run.processed_records - run.failed_records,
      }
    }
    if (run?.status !== 'in_progress') {
      throw new Refusal('conflict', run?.error ?? run?.message ?? 'The repair was stopped. Start it again.')
    }
    await deps.sleep(waitMs, signal)
  }
  throw new Refusal('unavailable', 'The repair takes longer. Sync History shows when it has ended.')
}
