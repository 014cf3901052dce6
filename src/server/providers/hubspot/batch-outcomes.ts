import type { CrmWriteOutcome } from '../crm.ts'
import { type BatchAnswer, type ErrorAnswer, isOwnFailure, type RecordAnswer } from './answers.ts'
import { reasonOf } from './hubspot-error.ts'

/** One input of a batch, with the two marks that identify its result. */
export type BatchInput = { key: string; traceId: string }

/**
 * Reads the result of each input from a batch answer. Results come in any order, so they are matched by trace id
 * or by the unique property. Inputs without a result are absent from the outcomes.
 */
export function outcomesOf(
  inputs: readonly BatchInput[],
  answer: BatchAnswer,
  { keyProperty, isUpsert }: { keyProperty: string; isUpsert: boolean },
): Map<string, CrmWriteOutcome> {
  const { byTraceId, keys } = marksOf(inputs)
  const outcomes = new Map<string, CrmWriteOutcome>()
  // After a failure of HubSpot's own the row may be written or not, so it stays without an outcome.
  for (const error of (answer.errors ?? []).filter((one) => !isOwnFailure(one))) {
    for (const key of keysOfError(error, byTraceId, keys)) {
      // An existing record does not have the values of an upsert.
      const recordId = isUpsert ? undefined : existingIdIn(error)
      const message = reasonOf(error, 'HubSpot refused this record.')
      outcomes.set(key, recordId ? { key, state: 'written', recordId } : { key, state: 'refused', message })
    }
  }
  for (const result of answer.results ?? []) {
    const key = keyOfResult(result, byTraceId, keyProperty)
    if (key !== undefined && keys.has(key))
      outcomes.set(key, { key, state: 'written', recordId: result.id, updatedAt: result.updatedAt })
  }
  return outcomes
}

/** The first error of the answer that names no input; every field of an error is optional at HubSpot. */
export function unnamedErrorIn(
  inputs: readonly BatchInput[],
  { errors = [] }: BatchAnswer,
): ErrorAnswer | undefined {
  const { byTraceId, keys } = marksOf(inputs)
  return errors.find((error) => !isOwnFailure(error) && keysOfError(error, byTraceId, keys).length === 0)
}

function marksOf(inputs: readonly BatchInput[]) {
  return {
    byTraceId: new Map(inputs.map((input) => [input.traceId, input.key])),
    keys: new Set(inputs.map(({ key }) => key)),
  }
}

/** 'Contact already exists. Existing ID: 123': for an existing record, the id is all we need. */
export function existingIdIn({ category, message }: ErrorAnswer): string | undefined {
  return category === 'CONFLICT' ? /Existing ID: (\d{1,20})/.exec(message ?? '')?.[1] : undefined
}

function keyOfResult(
  result: RecordAnswer,
  byTraceId: ReadonlyMap<string, string>,
  keyProperty: string,
): string | undefined {
  const traced =
    result.objectWriteTraceId === undefined ? undefined : byTraceId.get(result.objectWriteTraceId)
  return traced ?? result.properties?.[keyProperty] ?? undefined
}

function keysOfError(
  { context }: ErrorAnswer,
  byTraceId: ReadonlyMap<string, string>,
  keys: ReadonlySet<string>,
): string[] {
  const traced = (context?.objectWriteTraceId ?? []).flatMap((traceId) => byTraceId.get(traceId) ?? [])
  if (traced.length > 0) return traced
  return [...(context?.ids ?? []), ...(context?.id ?? [])].filter((id) => keys.has(id))
}
