import { deleteLinks, listVanishedEvents } from '../../store/crm-links.ts'
import { inRun } from '../../store/runs.ts'
import type { PushSession } from './push-session.ts'

/** Takes records of events that a rebuild took back out of the CRM, so that its changes add up again. */
export async function removeVanished(session: PushSession): Promise<void> {
  const { deps, claim, access, objectTypes } = session
  const limit = deps.crm.limits.recordsPerBatch
  for (;;) {
    const rows = await inRun(deps.database, claim, (tenant) =>
      listVanishedEvents(tenant, access.portalId, limit),
    )
    if (rows.length === 0) return
    await deps.crm.archiveRecords(
      access,
      objectTypes.event,
      rows.map(({ recordId }) => recordId),
    )
    const sourceIds = rows.map(({ sourceId }) => sourceId)
    await inRun(deps.database, claim, (tenant) => deleteLinks(tenant, access.portalId, 'event', sourceIds))
  }
}
