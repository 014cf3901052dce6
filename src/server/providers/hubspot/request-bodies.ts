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
  /**
   * A property, with a minus before it for the largest first: the text that the published description asks for and
   * HubSpot's own client documents. The guide shows an object, which the description does not allow.
   */
  sort?: string
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
