import type { Association } from '../entities.ts'

/** One side of ties: a record, and the type of the records tied to it. */
export type Side = {
  readonly hubId: number
  readonly fromTypeId: string
  readonly fromId: string
  readonly toTypeId: string
}

/** The ids tied to a record, by type, in the order of tying. */
export class AssociationIndex {
  readonly #toIds = new Map<string, Set<string>>()

  change(before: Association | undefined, after: Association | undefined): void {
    if (after !== undefined) {
      const key = sideKey(after)
      const ids = this.#toIds.get(key)
      if (ids === undefined) this.#toIds.set(key, new Set([after.toId]))
      else ids.add(after.toId)
    } else if (before !== undefined) {
      this.#toIds.get(sideKey(before))?.delete(before.toId)
    }
  }

  idsFrom(side: Side): readonly string[] {
    return [...(this.#toIds.get(sideKey(side)) ?? [])]
  }

  countFrom(side: Side): number {
    return this.#toIds.get(sideKey(side))?.size ?? 0
  }
}

function sideKey(side: Side): string {
  return `${side.hubId}/${side.fromTypeId}/${side.fromId}/${side.toTypeId}`
}

/** The key of one direction of a tie in its table. */
export function associationKey(side: Side, toId: string): string {
  return `${sideKey(side)}/${toId}`
}
