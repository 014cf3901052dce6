import type { Schema } from '../entities.ts'
import type { World } from '../world.ts'

/** The version that a single read of a schema returns while HubSpot's caches disagree. */
type Served = 'current' | 'half_made' | 'absent'

/**
 * Makes single reads alternate for a while after a schema was made or changed; the list is always current.
 * Source: seen live by two third parties ("flips between old and new for over a minute").
 */
export class SchemaSettling {
  readonly #world: World
  readonly #reads = new Map<string, number>()

  constructor(world: World) {
    this.#world = world
  }

  serve(schema: Schema): Served {
    if (this.#world.now() - schema.updatedAt >= this.#world.lags.schemaSettleMs) return 'current'
    const key = `${schema.hubId}/${schema.typeId}/${schema.updatedAt}`
    const read = this.#reads.get(key) ?? 0
    this.#reads.set(key, read + 1)
    if (read % 2 === 1) return 'current'
    const isNew = schema.createdAt === schema.updatedAt
    return isNew && read % 4 === 0 ? 'absent' : 'half_made'
  }
}
