import { invalidInput } from '../errors.ts'
import { findRecord } from '../records/find.ts'
import type { World } from '../world.ts'
import { associationKey, type Side } from './association-index.ts'
import type { Pair } from './link.ts'

/**
 * Refuses a tie beyond the limit that an admin set for either record; repeating an existing tie is allowed.
 * Source: changelog of association limits; no source gives the wording of the refusal.
 */
export function checkTieLimits(world: World, pair: Pair): void {
  if (world.associations.get(associationKey(pair, pair.toId)) !== undefined) return
  const { hubId, fromTypeId, fromId, toTypeId, toId } = pair
  checkSideLimit(world, pair, { fromObjectId: [fromId] })
  checkSideLimit(
    world,
    { hubId, fromTypeId: toTypeId, fromId: toId, toTypeId: fromTypeId },
    { toObjectId: [toId] },
  )
}

/** Refuses another tie of a record to a type if its ties to live records have reached the limit. */
export function checkSideLimit(world: World, side: Side, context: Record<string, string[]> = {}): void {
  const { hubId, fromTypeId, fromId, toTypeId } = side
  const limits = world.portals.get(String(hubId))?.limits?.associations ?? []
  const limit = limits.find(({ from, to }) => from === fromTypeId && to === toTypeId)
  if (limit === undefined) return
  const standing = world.associationIndex
    .idsFrom(side)
    .filter((id) => findRecord(world, hubId, toTypeId, id) !== undefined)
  if (standing.length < limit.max) return
  throw invalidInput(
    `Record ${fromId} of type ${fromTypeId} may be associated with ${limit.max} of type ${toTypeId} at most.`,
    { subCategory: 'crm.associations.ASSOCIATION_LIMIT_EXCEEDED', context },
  )
}
