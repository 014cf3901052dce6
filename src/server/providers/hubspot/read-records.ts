// Bodies have every field, also empty ones, because the published schemas require all (objects API, 2026-09). An answer that
// is not whole, or leads back, is no answer: what it leaves out would count as deleted.

import type { CrmAccess } from '../crm-directory.ts'
import { listIn, type RecordAnswer, readAnswer } from './answers.ts'
import type { HubspotClient } from './client.ts'
import { type FailedCall, unanswered } from './hubspot-error.ts'
import { paths } from './version.ts'

type BatchRead = { ids: readonly string[]; properties: readonly string[]; idProperty?: string }

/** Reads records by id, or by the value of a unique property. */
function batchReadBody({ ids, properties, idProperty }: BatchRead) {
  return {
    ...(idProperty !== undefined && { idProperty }),
    properties,
    propertiesWithHistory: [],
    inputs: ids.map((id) => ({ id })),
  }
}

/** The records that are there. An answer that does not account for all of them is asked for again. */
export async function readRecords(
  call: HubspotClient,
  access: CrmAccess,
  typeId: string,
  batch: BatchRead,
): Promise<RecordAnswer[]> {
  const { results = [] } = await call(access, {
    method: 'POST',
    path: paths.objectBatch(typeId, 'read'),
    json: batchReadBody(batch),
    answer: readAnswer.refine((answer) => isAccountedFor(batch, answer)),
  })
  return results
}

/**
 * HubSpot names each id that it does not find. A merged record comes under its new id. Keys are not counted: who looks for
 * one writes by it next, and HubSpot has each key once.
 */
function isAccountedFor(
  { ids, idProperty }: BatchRead,
  { results = [], errors = [] }: ReturnType<typeof readAnswer.parse>,
): boolean {
  const named = errors.map(({ context }) => [...(context?.ids ?? []), ...(context?.id ?? [])])
  if (idProperty !== undefined || named.some((some) => some.length === 0)) return true
  const found = results.flatMap((record) => [record.id, ...listIn(record, 'hs_merged_object_ids')])
  const said = new Set([...found, ...named.flat()])
  const renamed = results.filter(({ id }) => !ids.includes(id))
  return ids.filter((id) => !said.has(id)).length <= renamed.length
}

/**
 * The cursor of the next page; null where a page names itself as the next one. The cursors of lists and searches ascend, so
 * one that leads back would be followed for ever.
 */
export function nextAfter(after: string | null, next: string | undefined, asked: FailedCall): string | null {
  if (next === undefined || next === after) return null
  const [from, to] = [Number(after ?? 0), Number(next)]
  if (to < from) throw unanswered(asked)
  return next
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
