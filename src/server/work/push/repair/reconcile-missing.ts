import type { CrmKind } from '#domain/crm-record.ts'
import { followRecordMerge } from '../../../store/crm/crm-merges.ts'
import { listExisting, parkRemoved } from '../../../store/crm/crm-repairs.ts'
import type { Tenant } from '../../../store/postgres/database.ts'
import { inRun } from '../../../store/runs/runs.ts'
import type { PushSession } from '../push-session.ts'

type Gone = { sourceId: string; recordId: string }

/**
 * Reads records that a listing did not contain. Follows one that was merged; parks one that somebody deleted, because
 * every push would otherwise undo that person's decision.
 */
export async function reconcileMissing(
  session: PushSession,
  kind: CrmKind,
  gone: readonly Gone[],
): Promise<void> {
  const { deps, claim, access, objectTypes } = session
  const found = await deps.crm.readRecords(
    access,
    kind,
    objectTypes[kind],
    gone.map(({ recordId }) => recordId),
  )
  const isStanding = (id: string) =>
    found.some(({ recordId, mergedIds }) => recordId === id || mergedIds.includes(id))
  const removed = gone.filter(({ recordId }) => !isStanding(recordId))
  await inRun(deps.database, claim, async (tenant) => {
    for (const record of found) await followMerge(session, tenant, kind, record)
    const { name } = deps.crm
    const reason = `This record was deleted in ${name}. It is written again when the ${kind} changes, or when you sync by hand.`
    await parkRemoved(tenant, { portalId: access.portalId, kind, runId: claim.runId, reason }, removed)
    const existing = await listExisting(
      tenant,
      kind,
      removed.map(({ sourceId }) => sourceId),
    )
    for (const { sourceId } of removed) {
      // Without its event, a deleted record is as it should be.
      const line = `${sourceId}: its record was deleted in ${name}; the ${kind} no longer exists here, so it stays deleted.`
      if (existing.has(sourceId)) await session.mends.parked(tenant, sourceId, reason)
      else await session.mends.mended(tenant, line)
    }
  })
}

/** Follows a record that others of ours were merged into, and reports it. */
export async function followMerge(
  { deps, access, mends }: PushSession,
  tenant: Tenant,
  kind: CrmKind,
  record: { recordId: string; key: string | null; mergedIds: readonly string[] },
): Promise<void> {
  const others = await followRecordMerge(tenant, access.portalId, kind, record)
  if (others === undefined) return
  const { name } = deps.crm
  if (record.key !== null)
    await mends.mended(tenant, `${record.key}: its record was merged in ${name}; it is written again.`)
  for (const sourceId of others) {
    const into = record.key === null ? 'another' : `that of ${record.key}`
    await mends.mended(
      tenant,
      `${sourceId}: its record was merged into ${into} in ${name}; it gets a new one.`,
    )
  }
}
