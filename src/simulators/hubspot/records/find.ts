import { contactTypeId, type HubspotRecord } from '../entities.ts'
import { invalidInput, notFound } from '../errors.ts'
import type { ObjectType } from '../object-types.ts'
import { findProperty } from '../properties/define.ts'
import { spellEmail } from '../properties/email.ts'
import type { World } from '../world.ts'
import { isLive, uniqueKey } from './record-index.ts'

export function recordKey(hubId: number, typeId: string, id: string): string {
  return `${hubId}/${typeId}/${id}`
}

/** The live record with exactly this id: neither archived nor merged into another. */
export function findRecord(
  world: World,
  hubId: number,
  typeId: string,
  id: string,
): HubspotRecord | undefined {
  const record = world.records.get(recordKey(hubId, typeId, id))
  return record !== undefined && isLive(record) ? record : undefined
}

/** The live record to which an id leads through merges, as in single reads and updates. */
export function findMergedRecord(
  world: World,
  hubId: number,
  typeId: string,
  id: string,
): HubspotRecord | undefined {
  let record = world.records.get(recordKey(hubId, typeId, id))
  while (record !== undefined && record.mergedInto !== null) {
    record = world.records.get(recordKey(hubId, typeId, record.mergedInto))
  }
  return record !== undefined && isLive(record) ? record : undefined
}

/** The live record with a value of a unique property; for contacts every address counts as `email`. */
export function findByUniqueValue(
  world: World,
  hubId: number,
  typeId: string,
  idProperty: string,
  value: string,
): HubspotRecord | undefined {
  const isEmail = typeId === contactTypeId && idProperty === 'email'
  const spelling = world.portals.get(String(hubId))?.emailHosts ?? 'as_sent'
  const kept = isEmail ? spellEmail(value, spelling) : value
  const id = world.recordIndex.holderOf(uniqueKey({ hubId, typeId }, idProperty, kept))
  return id === undefined ? undefined : findRecord(world, hubId, typeId, id)
}

/** The newest archived record with a value of a property, unless a live one has it. */
export function findArchivedByValue(
  world: World,
  { hubId, typeId }: { hubId: number; typeId: string },
  name: string,
  value: string,
): HubspotRecord | undefined {
  return [...world.records.values()].findLast(
    (record) =>
      record.hubId === hubId &&
      record.typeId === typeId &&
      record.archivedAt !== null &&
      record.properties[name] === value,
  )
}

/** Whether the contact was found by an address other than its first. */
export function isByAdditionalEmail(record: HubspotRecord, idProperty: string, value: string): boolean {
  const isEmail = record.typeId === contactTypeId && idProperty === 'email'
  return (
    isEmail &&
    spellEmail(record.properties['email'] ?? '', 'ascii') !== spellEmail(value.toLowerCase(), 'ascii')
  )
}

/** Refuses a property that cannot identify a record: HubSpot's 400 for non-unique properties. */
export function checkIdProperty(
  world: World,
  hubId: number,
  type: ObjectType,
  idProperty: string | undefined,
): void {
  if (idProperty === undefined || idProperty === 'hs_object_id') return
  if (findProperty(world, hubId, type.typeId, idProperty)?.hasUniqueValue === true) return
  throw invalidInput(`Unable to perform update/upsert by non-unique ${type.typeId} property ${idProperty}`)
}

/** The record of a single call, by id or by a unique property; 404 if it does not exist. */
export function getSingleRecord(
  world: World,
  hubId: number,
  type: ObjectType,
  id: string,
  idProperty: string | undefined,
): HubspotRecord {
  checkIdProperty(world, hubId, type, idProperty)
  const record =
    idProperty === undefined || idProperty === 'hs_object_id'
      ? findMergedRecord(world, hubId, type.typeId, id)
      : findByUniqueValue(world, hubId, type.typeId, idProperty, id)
  if (record === undefined) throw notFound('Object not found.  objectId are usually numeric.')
  return record
}

/** All live records of a collection in ascending order of id, after a given id. */
export function* liveRecords(
  world: World,
  hubId: number,
  typeId: string,
  after?: string,
): Generator<HubspotRecord> {
  for (const id of world.recordIndex.idsAfter(hubId, typeId, after)) {
    const record = findRecord(world, hubId, typeId, id)
    if (record !== undefined) yield record
  }
}
