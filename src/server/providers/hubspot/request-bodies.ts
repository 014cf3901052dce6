/** Bodies of calls whose published schemas demand every field, also those that we leave empty (objects API, 2026-09). */

type BatchRead = { ids: readonly string[]; properties: readonly string[]; idProperty?: string }

/** Reads records by id, or by the value of a unique property. */
export function batchReadBody({ ids, properties, idProperty }: BatchRead) {
  return {
    ...(idProperty !== undefined && { idProperty }),
    properties,
    propertiesWithHistory: [],
    inputs: ids.map((id) => ({ id })),
  }
}

type Search = {
  /** Text that people type; without it every record that passes the filters is found. */
  query?: string
  filters?: readonly { propertyName: string; operator: 'GTE'; value: string }[]
  /** The published schema says text; the guide, and every answer of HubSpot's own, says an object. */
  sort?: { propertyName: string; direction: 'ASCENDING' | 'DESCENDING' }
  properties: readonly string[]
  limit: number
  /** null: from the first result on. */
  after?: string | null
}

const firstResult = '0'

export function searchBody({ query, filters, sort, properties, limit, after }: Search) {
  return {
    ...(query !== undefined && { query }),
    filterGroups: filters === undefined ? [] : [{ filters }],
    sorts: sort === undefined ? [] : [sort],
    properties,
    limit,
    after: after ?? firstResult,
  }
}
