import { type HubspotError, invalidInput, notFound } from '../errors.ts'
import { findSchema } from '../object-types.ts'
import { liveRecords } from '../records/find.ts'
import type { World } from '../world.ts'
import { forgetDefinitions } from './create.ts'

/** Archives a schema without records; purging an archived schema frees its name. */
export function deleteSchema(world: World, hubId: number, named: string, isPurge: boolean): void {
  const schema = findSchema(world, hubId, named)
  if (schema === undefined || schema.archived !== isPurge) throw schemaNotFound(named)
  const key = `${hubId}/${schema.typeId}`
  if (isPurge) {
    world.schemas.delete(key)
    forgetDefinitions(world, hubId, schema.typeId)
    return
  }
  if (!liveRecords(world, hubId, schema.typeId).next().done) {
    throw invalidInput(`Object type ${schema.typeId} still has records and cannot be deleted`)
  }
  world.schemas.put(key, { ...schema, archived: true, updatedAt: world.now() })
}

export function schemaNotFound(named: string): HubspotError {
  return notFound(`Unable to find object type ${named}`, { context: { objectType: [named] } })
}
