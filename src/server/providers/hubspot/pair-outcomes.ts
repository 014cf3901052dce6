import type { CrmPair, CrmPairOutcome } from '../crm.ts'
import { type ErrorAnswer, isOwnFailure, type TiedAnswer } from './answers.ts'
import { reasonOf } from './hubspot-error.ts'

export const refusedPair = 'HubSpot refused this association.'
const notConfirmed = 'HubSpot did not confirm this association. It is tried again with the next sync.'

const keyOf = (fromId: string | undefined, toId: string | undefined) => `${fromId}/${toId}`

/**
 * The result of each pair: listed among the results it was made, named by an error it was refused. Undefined when
 * the answer mentions it in neither, because then nothing may have been done.
 */
export function saidOf(
  pairs: readonly CrmPair[],
  { results = [], errors = [] }: TiedAnswer,
): (CrmPairOutcome | undefined)[] {
  const made = new Set(results.flatMap(({ from, to }) => [keyOf(from?.id, to?.id), keyOf(to?.id, from?.id)]))
  const refusals = errors.filter((error) => !isOwnFailure(error))
  const named = new Map(refusals.flatMap((error) => namedIds(error).map((id) => [id, error] as const)))
  return pairs.map((pair) => {
    if (made.has(keyOf(pair.fromId, pair.toId))) return { ...pair, isDone: true }
    const error = named.get(pair.toId) ?? named.get(pair.fromId)
    return error && { ...pair, isDone: false, message: reasonOf(error, refusedPair) }
  })
}

/** The result of a pair that the answer does not mention, from whether it exists now. */
export function seenOf(pair: CrmPair, isStanding: boolean, { errors = [] }: TiedAnswer): CrmPairOutcome {
  if (isStanding) return { ...pair, isDone: true }
  const unnamed = errors.find((error) => !isOwnFailure(error) && namedIds(error).length === 0)
  return unnamed
    ? { ...pair, isDone: false, message: reasonOf(unnamed, refusedPair) }
    : { ...pair, isDone: false, isUnknown: true, message: notConfirmed }
}

/** Record ids in the context of an error, under any of the names that HubSpot uses. */
function namedIds({ context }: ErrorAnswer): string[] {
  return Object.values(context ?? {})
    .flat()
    .flatMap((value) => (typeof value === 'string' || typeof value === 'number' ? [String(value)] : []))
}
