import type { CrmPair, CrmPairOutcome } from '../crm.ts'
import { HubspotError, reasonOf } from './hubspot-error.ts'
import { refusedPair } from './pair-outcomes.ts'

type PairCalls = {
  write: (pairs: readonly CrmPair[]) => Promise<CrmPairOutcome[]>
  /** What a refusal of this pair alone comes to. */
  settle: (pair: CrmPair, refusal: HubspotError) => Promise<CrmPairOutcome>
  /** Whether the record is there that the pairs lead to. */
  isThere: (toId: string) => Promise<boolean>
}

/**
 * Writes pairs; those refused as a whole are halved until the culprits stand alone. In the order of their targets, so
 * that the many pairs of one record that is gone cost one look at it instead of a request each.
 */
export function writeInHalves(calls: PairCalls, pairs: readonly CrmPair[]): Promise<CrmPairOutcome[]> {
  const inHalves = async (some: readonly CrmPair[]): Promise<CrmPairOutcome[]> => {
    const [first, second] = some
    if (first === undefined) return []
    try {
      return await calls.write(some)
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (second === undefined) return [await calls.settle(first, error)]
      const isOneTarget = some.every(({ toId }) => toId === first.toId)
      if (isOneTarget && !(await calls.isThere(first.toId))) {
        const message = reasonOf(error.answer, refusedPair)
        return some.map((pair) => ({ ...pair, isDone: false, message }))
      }
      const middle = Math.ceil(some.length / 2)
      return [...(await inHalves(some.slice(0, middle))), ...(await inHalves(some.slice(middle)))]
    }
  }
  return inHalves(pairs.toSorted((a, b) => Number(a.toId > b.toId) - Number(a.toId < b.toId)))
}

export function isRefusal(error: unknown): error is HubspotError {
  return error instanceof HubspotError && (error.kind === 'rejected' || error.kind === 'not_found')
}
