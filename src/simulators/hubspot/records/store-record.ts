import type { HubspotRecord } from '../entities.ts'
import { instantProperties } from '../properties/standard.ts'
import type { World } from '../world.ts'
import { recordKey } from './find.ts'

const idsPerPortal = 1_000_000

function recordIdOf(hubId: number, number: number): number {
  return hubId * idsPerPortal + number
}

/** The id of the portal's newest record, of any type. */
export function newestRecordId(world: World, hubId: number): number {
  return recordIdOf(hubId, world.counters.get(`record/${hubId}`) ?? 0)
}

/** Stores a new record under the next id of its portal. */
export function createRecord(
  world: World,
  hubId: number,
  typeId: string,
  properties: Readonly<Record<string, string>>,
): HubspotRecord {
  const now = world.now()
  const id = String(recordIdOf(hubId, world.nextNumber(`record/${hubId}`)))
  const instants = instantProperties(typeId)
  const record: HubspotRecord = {
    hubId,
    typeId,
    id,
    properties: {
      ...properties,
      hs_object_id: id,
      [instants.created]: new Date(now).toISOString(),
      [instants.modified]: new Date(now).toISOString(),
    },
    createdAt: now,
    updatedAt: now,
    archivedAt: null,
    mergedInto: null,
  }
  world.records.put(recordKey(hubId, typeId, id), record)
  return record
}

export function updateRecord(
  world: World,
  record: HubspotRecord,
  properties: Readonly<Record<string, string>>,
): HubspotRecord {
  const now = world.now()
  const { modified } = instantProperties(record.typeId)
  const updated: HubspotRecord = {
    ...record,
    properties: { ...properties, [modified]: new Date(now).toISOString() },
    updatedAt: now,
  }
  world.records.put(recordKey(record.hubId, record.typeId, record.id), updated)
  return updated
}

/** Moves a record to the recycle bin. Its ties stay stored but hidden. */
export function archiveRecord(world: World, record: HubspotRecord): void {
  const archived: HubspotRecord = { ...record, archivedAt: world.now(), updatedAt: world.now() }
  world.records.put(recordKey(record.hubId, record.typeId, record.id), archived)
}

/** Takes a record out of the recycle bin again. */
export function restoreRecord(world: World, record: HubspotRecord): HubspotRecord {
  const restored: HubspotRecord = { ...record, archivedAt: null, updatedAt: world.now() }
  world.records.put(recordKey(record.hubId, record.typeId, record.id), restored)
  return restored
}

/** Deletes a record for good, with its ties and the records merged into it. */
export function deleteForGood(world: World, { hubId, typeId, id }: HubspotRecord): void {
  for (const [key, tie] of [...world.associations.entries()]) {
    const isEnd = [tie.fromTypeId, tie.toTypeId].some(
      (type, end) => type === typeId && [tie.fromId, tie.toId][end] === id,
    )
    if (tie.hubId === hubId && isEnd) world.associations.delete(key)
  }
  for (const record of [...world.records.values()]) {
    if (record.hubId === hubId && record.typeId === typeId && (record.id === id || record.mergedInto === id))
      world.records.delete(recordKey(hubId, typeId, record.id))
  }
}
