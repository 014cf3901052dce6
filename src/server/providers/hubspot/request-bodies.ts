/**
 * Builds request bodies with every field, also empty ones, because the published schemas require all (objects API,
 * 2026-09).
 */

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
  /** Text that people type. When it is absent, the search returns every record that passes the filters. */
  query?: string
  filters?: readonly { propertyName: string; operator: 'GTE'; value: string }[]
  /**
   * A property, with a leading minus for descending order. The published description and HubSpot's own client use
   * this text form; the guide shows an object, which the description does not allow.
   */
  sort?: string
  properties: readonly string[]
  limit: number
  /** null starts at the first result. */
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
