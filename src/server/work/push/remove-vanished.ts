import { listVanishedEvents, parkUnremoved, retireLinks } from '../../store/crm/crm-links.ts'
import { addRunChanges } from '../../store/runs/run-changes.ts'
import { addRunErrors } from '../../store/runs/run-lines.ts'
import { inRun } from '../../store/runs/runs.ts'
import { mayGoOn } from './may-go-on.ts'
import type { PushSession } from './push-session.ts'

/**
 * Deletes CRM records of events that a rebuild removed, so that MRR changes add up again. If the CRM refuses one, its
 * reason is reported and the others continue.
 */
export async function removeVanished(session: PushSession): Promise<void> {
  const { deps, claim, access, objectTypes, retriesFailed, scope } = session
  const { portalId } = access
  const limit = deps.crm.limits.recordsPerBatch
  let afterSourceId = ''
  for (;;) {
    access.signal?.throwIfAborted()
    const rows = await inRun(deps.database, claim, (tenant) =>
      listVanishedEvents(tenant, portalId, { afterSourceId, limit, retriesFailed, scope }),
    )
    const last = rows.at(-1)
    if (!last) return
    if (session.held.has('removed records')) return
    await mayGoOn(session)
    const refused = await deps.crm.archiveRecords(
      access,
      objectTypes.event,
      rows.map(({ recordId }) => recordId),
    )
    const refusals = new Map(refused.map((one) => [one.recordId, one]))
    const gone = rows.filter(({ recordId }) => !refusals.has(recordId))
    const kept = rows.flatMap(({ sourceId, recordId }) => {
      const refusal = refusals.get(recordId)
      return refusal === undefined || refusal.held ? [] : [{ sourceId, error: refusal.message }]
    })
    for (const { held, message } of refused) if (held) session.held.hold('removed records', message)
    await inRun(deps.database, claim, async (tenant) => {
      const sourceIds = gone.map(({ sourceId }) => sourceId)
      await retireLinks(tenant, portalId, 'event', sourceIds)
      await parkUnremoved(tenant, portalId, 'event', kept)
      const errors = kept.map(({ sourceId, error }) => ({
        sourceId,
        message: `This event is no longer one, but its record could not be taken out of ${deps.crm.name}: ${error}`,
      }))
      await addRunErrors(tenant, claim.runId, errors, deps.now())
      const records = gone.map(({ sourceId, subscriptionId }) => ({
        id: sourceId,
        subscriptionId,
        change: 'removed' as const,
      }))
      await addRunChanges(tenant, claim.runId, { events: gone.length }, { kind: 'event', records })
    })
    if (rows.length < limit) return
    afterSourceId = last.sourceId
  }
}
