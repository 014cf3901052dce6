import { type HubspotJson, numberAt, objectAt, objectsAt, textAt } from '../body.ts'
import type { PortalLimits } from '../entities.ts'

/** The limits after a change; limits that it does not name stay. */
export function readLimits(standing: PortalLimits, given: HubspotJson): PortalLimits {
  const refusal = textAt(given, 'refusal')
  return {
    associations:
      'associations' in given
        ? objectsAt(given, 'associations').map((limit) => ({
            from: textAt(limit, 'from') ?? '',
            to: textAt(limit, 'to') ?? '',
            max: numberAt(limit, 'max') ?? 0,
          }))
        : standing.associations,
    customRecords: 'customRecords' in given ? numberAt(given, 'customRecords') : standing.customRecords,
    recordsOfType:
      'recordsOfType' in given ? readCounts(objectAt(given, 'recordsOfType')) : standing.recordsOfType,
    refusal: refusal === 'row' || refusal === 'batch' ? refusal : standing.refusal,
  }
}

function readCounts(given: HubspotJson): Record<string, number> {
  const counts = Object.keys(given).map((typeId) => [typeId, numberAt(given, typeId) ?? 0] as const)
  return Object.fromEntries(counts)
}
