import { type Association, type AssociationType, companyTypeId, contactTypeId } from '../entities.ts'
import { findRecord } from '../records/find.ts'
import { updateRecord } from '../records/store-record.ts'
import type { World } from '../world.ts'
import { associationKey, type Side } from './association-index.ts'
import { getPlainType } from './types.ts'

/** A pair of records, named from one side. */
export type Pair = Side & { readonly toId: string }

function findAssociation(world: World, pair: Pair): Association | undefined {
  return world.associations.get(associationKey(pair, pair.toId))
}

/** Ties a pair without a label; existing labels stay, and repeating changes nothing. */
export function linkPlainly(world: World, pair: Pair): AssociationType {
  const plain = getPlainType(world, pair.hubId, pair.fromTypeId, pair.toTypeId)
  const standing = findAssociation(world, pair)?.associationTypeIds ?? []
  if (!standing.includes(plain.id)) putBothWays(world, pair, [plain.id, ...standing])
  return plain
}

/** Replaces the labels of a pair by these; HubSpot always keeps the plain kind beside them. */
export function setLabels(world: World, pair: Pair, types: readonly AssociationType[]): void {
  const plain = getPlainType(world, pair.hubId, pair.fromTypeId, pair.toTypeId)
  putBothWays(world, pair, [...new Set([plain.id, ...types.map((type) => type.id)])])
}

/** Removes labels from a pair; removing the plain kind removes the tie. */
export function removeLabels(world: World, pair: Pair, types: readonly AssociationType[]): void {
  const standing = findAssociation(world, pair)
  if (standing === undefined) return
  if (types.some((type) => type.label === null)) unlink(world, pair)
  else {
    const removed = new Set(types.map((type) => type.id))
    putBothWays(
      world,
      pair,
      standing.associationTypeIds.filter((id) => !removed.has(id)),
    )
  }
}

/** Removes the tie with all its labels, in both directions. */
export function unlink(world: World, pair: Pair): void {
  if (findAssociation(world, pair) === undefined) return
  const back = inverse(pair)
  world.associations.delete(associationKey(pair, pair.toId))
  if (findAssociation(world, back) !== undefined) world.associations.delete(associationKey(back, back.toId))
  moveContact(world, pair)
  moveContact(world, back)
}

/** The kinds of a tie, as they are defined. */
export function typesOf(world: World, association: Association): AssociationType[] {
  const types = association.associationTypeIds.map((id) =>
    world.associationTypes.get(`${association.hubId}/${id}`),
  )
  return types.filter((type) => type !== undefined)
}

function putBothWays(world: World, pair: Pair, given: readonly number[]): void {
  const typeIds = withPrimary(world, pair, given)
  const inverseIds = typeIds.map((id) => world.associationTypes.get(`${pair.hubId}/${id}`)?.inverseId ?? id)
  const back = inverse(pair)
  world.associations.put(associationKey(pair, pair.toId), { ...bare(pair), associationTypeIds: typeIds })
  world.associations.put(associationKey(back, back.toId), { ...back, associationTypeIds: inverseIds })
  moveContact(world, pair)
  moveContact(world, back)
}

/** Treats a new or removed tie as a change of the contact, in portals with that switch. */
function moveContact(world: World, { hubId, fromTypeId, fromId }: Side): void {
  if (fromTypeId !== contactTypeId || world.portals.get(String(hubId))?.associationsMoveContacts !== true)
    return
  const contact = findRecord(world, hubId, fromTypeId, fromId)
  if (contact !== undefined) updateRecord(world, contact, contact.properties)
}

/** HubSpot's "Primary", seen from the contact and from the company (associations guide). */
const primaryTypeIds: Readonly<Record<string, number>> = { [contactTypeId]: 1, [companyTypeId]: 2 }

/** The first company of a contact automatically becomes its primary one; there is never more than one. */
function withPrimary(world: World, pair: Pair, typeIds: readonly number[]): readonly number[] {
  const primaryId = primaryTypeIds[pair.fromTypeId]
  if (primaryId === undefined || primaryTypeIds[pair.toTypeId] === undefined) return typeIds
  const side = pair.fromTypeId === contactTypeId ? pair : inverse(pair)
  const others = world.associationIndex
    .idsFrom(side)
    .filter((id) => id !== side.toId && findRecord(world, side.hubId, companyTypeId, id) !== undefined)
  const isFirst = others.length === 0 && findAssociation(world, pair) === undefined
  if (isFirst && !typeIds.includes(primaryId)) return [...typeIds, primaryId]
  if (typeIds.includes(primaryId)) for (const id of others) dropPrimary(world, { ...side, toId: id })
  return typeIds
}

function dropPrimary(world: World, pair: Pair): void {
  for (const one of [pair, inverse(pair)]) {
    const standing = findAssociation(world, one)
    if (standing === undefined) continue
    const associationTypeIds = standing.associationTypeIds.filter((id) => ![1, 2].includes(id))
    world.associations.put(associationKey(one, one.toId), { ...standing, associationTypeIds })
  }
}

function bare({ hubId, fromTypeId, fromId, toTypeId, toId }: Pair): Pair {
  return { hubId, fromTypeId, fromId, toTypeId, toId }
}

function inverse(pair: Pair): Pair {
  return {
    hubId: pair.hubId,
    fromTypeId: pair.toTypeId,
    fromId: pair.toId,
    toTypeId: pair.fromTypeId,
    toId: pair.fromId,
  }
}
