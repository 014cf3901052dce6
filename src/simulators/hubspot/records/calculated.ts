import { companyTypeId, contactTypeId, dealTypeId, type HubspotRecord } from '../entities.ts'
import { openAnswersOf } from '../open-answers.ts'
import type { World } from '../world.ts'
import { findRecord } from './find.ts'

/** The properties of a company that count its associations, each with the type that it counts. */
const counted: Readonly<Record<string, string>> = {
  num_associated_contacts: contactTypeId,
  num_associated_deals: dealTypeId,
}

/**
 * The value of a property that HubSpot calculates; undefined for any other property. Archived records do not count. An
 * account decides how it answers a count of nothing.
 */
export function calculatedValue(
  world: World,
  record: HubspotRecord,
  name: string,
): string | null | undefined {
  const { hubId, typeId, id } = record
  const toTypeId = typeId === companyTypeId ? counted[name] : undefined
  if (toTypeId === undefined) return undefined
  const ids = world.associationIndex.idsFrom({ hubId, fromTypeId: typeId, fromId: id, toTypeId })
  const count = ids.filter((one) => findRecord(world, hubId, toTypeId, one) !== undefined).length
  return count > 0 ? String(count) : openAnswersOf(world.portals.get(String(hubId)) ?? {}).countOfNone
}
