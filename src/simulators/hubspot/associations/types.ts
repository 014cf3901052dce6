import type { AssociationType } from '../entities.ts'
import { invalidInput } from '../errors.ts'
import type { World } from '../world.ts'

const firstOwnTypeId = 1_000

/** The kinds of tie from one type to another, the plain one first. */
export function listAssociationTypes(
  world: World,
  hubId: number,
  from: string,
  to: string,
): AssociationType[] {
  const all = [...world.associationTypes.values()]
  const ofPair = all.filter(
    (type) => type.hubId === hubId && type.fromTypeId === from && type.toTypeId === to,
  )
  return ofPair.sort((a, b) => Number(a.label !== null) - Number(b.label !== null))
}

/** The plain kind of tie; refused for a pair of types that no schema ties. */
export function getPlainType(world: World, hubId: number, from: string, to: string): AssociationType {
  const plain = listAssociationTypes(world, hubId, from, to).find((type) => type.label === null)
  if (plain === undefined) throw undefinedAssociation(from, to)
  return plain
}

export function undefinedAssociation(from: string, to: string): Error {
  return invalidInput(`No association type is defined from object type ${from} to object type ${to}`)
}

/** A kind of tie to define: the label is null for the plain one. */
type NewTie = {
  readonly from: { readonly typeId: string; readonly name: string }
  readonly to: { readonly typeId: string; readonly name: string }
  readonly name?: string
  readonly label?: string
  readonly inverseLabel?: string
}

/** Defines a kind of tie in both directions, each with an id of its own that differs from portal to portal. */
export function defineTie(world: World, hubId: number, tie: NewTie): [AssociationType, AssociationType] {
  const id = nextTypeId(world, hubId)
  const inverseId = nextTypeId(world, hubId)
  const category = 'USER_DEFINED'
  const forward: AssociationType = {
    hubId,
    id,
    inverseId,
    category,
    fromTypeId: tie.from.typeId,
    toTypeId: tie.to.typeId,
    name: tie.name ?? `${tie.from.name}_to_${tie.to.name}`,
    label: tie.label ?? null,
  }
  const backward: AssociationType = {
    hubId,
    id: inverseId,
    inverseId: id,
    category,
    fromTypeId: tie.to.typeId,
    toTypeId: tie.from.typeId,
    name: `${tie.to.name}_to_${tie.from.name}`,
    label: tie.inverseLabel ?? tie.label ?? null,
  }
  world.associationTypes.put(`${hubId}/${id}`, forward)
  world.associationTypes.put(`${hubId}/${inverseId}`, backward)
  return [forward, backward]
}

/** Removes a kind of tie in both directions, and with it ties that have no other kind. */
export function forgetTie(world: World, { hubId, id, inverseId }: AssociationType): void {
  world.associationTypes.delete(`${hubId}/${id}`)
  world.associationTypes.delete(`${hubId}/${inverseId}`)
  const isGone = (typeId: number) => typeId === id || typeId === inverseId
  for (const [key, tie] of [...world.associations.entries()]) {
    if (tie.hubId !== hubId || !tie.associationTypeIds.some(isGone)) continue
    const left = tie.associationTypeIds.filter((typeId) => !isGone(typeId))
    if (left.length === 0) world.associations.delete(key)
    else world.associations.put(key, { ...tie, associationTypeIds: left })
  }
}

function nextTypeId(world: World, hubId: number): number {
  return firstOwnTypeId + (hubId % 89) * 100 + world.nextNumber(`associationType/${hubId}`)
}
