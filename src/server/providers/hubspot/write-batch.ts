import type { CrmAccess, CrmWriteOutcome } from '../crm.ts'
import { batchAnswer } from './answers.ts'
import { type BatchInput, existingIdIn, outcomesOf } from './batch-outcomes.ts'
import type { HubspotClient } from './client.ts'
import { HubspotError, reasonOf } from './hubspot-error.ts'
import { batchReadBody } from './request-bodies.ts'
import { isSameValue } from './to-hubspot/same-value.ts'

export type BatchRow = BatchInput & { input: object; properties: Readonly<Record<string, string>> }

export type BatchCall = {
  path: string
  /** Where the rows can be read back by their key. */
  readPath: string
  keyProperty: string
  /** Whether a record of this key is written over; otherwise one that is there already is what was wanted. */
  isUpsert: boolean
}

const notConfirmed = 'HubSpot did not confirm this record. It is tried again with the next push.'

/** How often rows are sent again of which nobody knows what became of them. */
const repeatsMax = 3

/**
 * Writes rows in one batch and gives an outcome for each. A batch refused as a whole is halved until the culprit stands
 * alone. Rows that the answer passes over, and all rows when there was none, are read back before anything is written
 * again: a request without an answer may have been carried out.
 */
export async function writeBatch(
  call: HubspotClient,
  access: CrmAccess,
  batch: BatchCall,
  rows: readonly BatchRow[],
  repeats = repeatsMax,
): Promise<CrmWriteOutcome[]> {
  if (rows.length === 0) return []
  try {
    const answer = await call(access, {
      method: 'POST',
      path: batch.path,
      json: { inputs: rows.map(({ input }) => input) },
      answer: batchAnswer,
      isRepeatable: false,
    })
    const outcomes = outcomesOf(rows, answer, batch.keyProperty)
    const unsaid = rows.filter(({ key }) => !outcomes.has(key))
    for (const outcome of await readBack(call, access, batch, unsaid)) outcomes.set(outcome.key, outcome)
    return [...outcomes.values()]
  } catch (error) {
    if (isUnanswered(error) && repeats > 0) {
      const found = await readBack(call, access, batch, rows)
      const written = new Map(found.filter(({ state }) => state === 'written').map((one) => [one.key, one]))
      const rest = rows.filter(({ key }) => !written.has(key))
      return [...written.values(), ...(await writeBatch(call, access, batch, rest, repeats - 1))]
    }
    if (!(error instanceof HubspotError && error.kind === 'rejected')) throw error
    const [only] = rows
    if (rows.length === 1 && only) return [await settleAlone(call, access, batch, only, error)]
    const middle = Math.ceil(rows.length / 2)
    return [
      ...(await writeBatch(call, access, batch, rows.slice(0, middle))),
      ...(await writeBatch(call, access, batch, rows.slice(middle))),
    ]
  }
}

/** No answer, or one that does not say whether the write happened; a locked or moving account did not write. */
function isUnanswered(error: unknown): boolean {
  return error instanceof HubspotError && error.kind === 'unavailable' && ![423, 477].includes(error.status)
}

/** Looks at the records themselves: one that stands there with every value of ours was written. */
async function readBack(
  call: HubspotClient,
  access: CrmAccess,
  batch: BatchCall,
  rows: readonly BatchRow[],
): Promise<CrmWriteOutcome[]> {
  if (rows.length === 0) return []
  const names = [...new Set(rows.flatMap(({ properties }) => Object.keys(properties)))]
  const answer = await call(access, {
    method: 'POST',
    path: batch.readPath,
    json: batchReadBody({
      ids: rows.map(({ key }) => key),
      idProperty: batch.keyProperty,
      properties: [...new Set([batch.keyProperty, ...names])],
    }),
    answer: batchAnswer,
  })
  const byKey = new Map(answer.results?.map((record) => [record.properties?.[batch.keyProperty], record]))
  return rows.map(({ key, properties }) => {
    const record = byKey.get(key)
    const stands =
      record !== undefined &&
      Object.entries(properties).every(([name, value]) => isSameValue(record.properties?.[name] ?? '', value))
    return stands && record
      ? { key, state: 'written', recordId: record.id, updatedAt: record.updatedAt }
      : { key, state: 'unknown', message: notConfirmed }
  })
}

/** A row that was refused although it stood alone. A record that is there already is what was wanted. */
async function settleAlone(
  call: HubspotClient,
  access: CrmAccess,
  batch: BatchCall,
  { key, traceId }: BatchRow,
  { status, answer }: HubspotError,
): Promise<CrmWriteOutcome> {
  const message = reasonOf(answer, 'HubSpot refused this record.')
  if (batch.isUpsert || status !== 409) return { key, state: 'refused', message }
  const [found] = await readBack(call, access, batch, [{ key, traceId, input: {}, properties: {} }])
  if (found?.state === 'written') return found
  const recordId = existingIdIn({ category: 'CONFLICT', message: answer.message ?? '' })
  return recordId ? { key, state: 'written', recordId } : { key, state: 'refused', message }
}
