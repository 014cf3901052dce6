import { setLabels } from '../associations/link.ts'
import type { HubspotRecord } from '../entities.ts'
import type { WritePlace } from './check-properties.ts'
import type { PlannedWrite } from './plan.ts'
import { createRecord, updateRecord } from './store-record.ts'

/** Writes a checked change and gives the record as it now is. */
export function applyWrite(place: WritePlace, write: PlannedWrite): HubspotRecord {
  const { world, portal, type } = place
  if (write.record !== null) return updateRecord(world, write.record, write.properties)
  const record = createRecord(world, portal.hubId, type.typeId, write.properties)
  for (const { toTypeId, toId, types } of write.ties) {
    const side = { hubId: portal.hubId, fromTypeId: type.typeId, fromId: record.id, toTypeId }
    setLabels(world, { ...side, toId }, types)
  }
  return record
}
