import { listVanishedEvents, retireLinks } from '../../store/crm-links.ts'
import { inRun } from '../../store/runs.ts'
import { mayGoOn } from './may-go-on.ts'
import type { PushSession } from './push-session.ts'

/** Takes records of events that a rebuild took back out of the CRM, so that its changes add up again. */
export async function removeVanished(session: PushSession): Promise<void> {
  const { deps, claim, access, objectTypes } = session
  const limit = deps.crm.limits.recordsPerBatch
  let afterSourceId = ''
  for (;;) {
    access.signal?.throwIfAborted()
    const rows = await inRun(deps.database, claim, (tenant) =>
      listVanishedEvents(tenant, access.portalId, { afterSourceId, limit }),
    )
    const last = rows.at(-1)
    if (!last) return
    await mayGoOn(session)
    await deps.crm.archiveRecords(
      access,
      objectTypes.event,
      rows.map(({ recordId }) => recordId),
    )
    const sourceIds = rows.map(({ sourceId }) => sourceId)
    await inRun(deps.database, claim, (tenant) => retireLinks(tenant, access.portalId, 'event', sourceIds))
    if (rows.length < limit) return
    afterSourceId = last.sourceId
  }
}
