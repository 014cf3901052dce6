import { linkPlainly, setLabels, typesOf } from '../associations/link.ts'
import { companyTypeId, contactTypeId, type HubspotRecord } from '../entities.ts'
import type { World } from '../world.ts'
import { recordKey } from './find.ts'
import { createRecord } from './store-record.ts'

/**
 * Merges two records of one type, as an admin does. A new record takes the first one's values, fills gaps from the
 * second, and receives the ties of both; both old ids lead to it. Source: merge changelog.
 */
export function mergeRecords(world: World, primary: HubspotRecord, secondary: HubspotRecord): HubspotRecord {
  const { hubId, typeId } = primary
  const ties = [...world.associations.values()].filter(
    (tie) =>
      tie.hubId === hubId && tie.fromTypeId === typeId && [primary.id, secondary.id].includes(tie.fromId),
  )
  // The old records must release their unique values before the new one takes them.
  for (const old of [primary, secondary]) {
    world.records.put(recordKey(hubId, typeId, old.id), { ...old, archivedAt: world.now() })
  }
  const merged = createRecord(world, hubId, typeId, mergedProperties(primary, secondary))
  for (const old of [primary, secondary]) {
    world.records.put(recordKey(hubId, typeId, old.id), { ...old, mergedInto: merged.id })
  }
  for (const tie of ties) {
    const pair = { hubId, fromTypeId: typeId, fromId: merged.id, toTypeId: tie.toTypeId, toId: tie.toId }
    const types = typesOf(world, tie)
    if (types.some((type) => type.label !== null)) setLabels(world, pair, types)
    else linkPlainly(world, pair)
  }
  return merged
}

function mergedProperties(primary: HubspotRecord, secondary: HubspotRecord): Record<string, string> {
  const earlierIds = [primary, secondary].flatMap((record) => [
    record.id,
    ...listed(record.properties['hs_merged_object_ids']),
  ])
  const merged: Record<string, string> = {
    ...secondary.properties,
    ...primary.properties,
    hs_merged_object_ids: [...new Set(earlierIds)].join(';'),
  }
  if (primary.typeId === contactTypeId) joinInto(merged, 'hs_additional_emails', 'email', primary, secondary)
  if (primary.typeId === companyTypeId)
    joinInto(merged, 'hs_additional_domains', 'domain', primary, secondary)
  return merged
}

/** Keeps the second record's main value, and both lists, as additional values of the merged record. */
function joinInto(
  merged: Record<string, string>,
  listName: string,
  mainName: string,
  primary: HubspotRecord,
  secondary: HubspotRecord,
): void {
  const values = [
    ...listed(primary.properties[listName]),
    ...listed(secondary.properties[mainName]),
    ...listed(secondary.properties[listName]),
  ]
  const additional = [...new Set(values)].filter((value) => value !== merged[mainName])
  if (additional.length > 0) merged[listName] = additional.join(';')
}

function listed(text: string | undefined): string[] {
  return (text ?? '').split(';').filter((value) => value !== '')
}
