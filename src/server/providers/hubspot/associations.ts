import type { CrmAccess, CrmPair, CrmPairOutcome, CrmPort } from '../crm.ts'
import { type ErrorAnswer, pairsAnswer } from './answers.ts'
import type { HubspotClient } from './client.ts'
import { HubspotError, reasonOf } from './hubspot-error.ts'
import { companyTypeId, contactTypeId, paths } from './version.ts'

type AssociationCalls = Pick<CrmPort, 'associate' | 'dissociate' | 'listAssociated'>
type Target = Parameters<CrmPort['associate']>[2]

const refusedPair = 'HubSpot refused this association.'

/** Plain associations in bulk. Repeating one changes nothing, and labels that people set are kept. */
export function createAssociationCalls(call: HubspotClient): AssociationCalls {
  const associate = async (
    access: CrmAccess,
    from: string,
    to: Target,
    pairs: readonly CrmPair[],
  ): Promise<CrmPairOutcome[]> => {
    if (pairs.length === 0) return []
    try {
      const answer = await call(access, {
        method: 'POST',
        path: paths.associationBatch(from, typeIdOf(to), 'associate/default'),
        json: { inputs: pairs.map(({ fromId, toId }) => ({ from: { id: fromId }, to: { id: toId } })) },
        answer: pairsAnswer.optional(),
      })
      return pairs.map((pair) => outcomeOf(pair, answer?.errors ?? []))
    } catch (error) {
      if (!isRefusal(error)) throw error
      const [only] = pairs
      if (pairs.length === 1 && only) {
        return [{ ...only, isDone: false, message: reasonOf(error.answer, refusedPair) }]
      }
      const middle = Math.ceil(pairs.length / 2)
      return [
        ...(await associate(access, from, to, pairs.slice(0, middle))),
        ...(await associate(access, from, to, pairs.slice(middle))),
      ]
    }
  }

  const dissociate = async (
    access: CrmAccess,
    from: string,
    to: Target,
    pairs: readonly CrmPair[],
  ): Promise<void> => {
    if (pairs.length === 0) return
    try {
      await call(access, {
        method: 'POST',
        path: paths.associationBatch(from, typeIdOf(to), 'archive'),
        json: { inputs: pairs.map(({ fromId, toId }) => ({ from: { id: fromId }, to: [{ id: toId }] })) },
        answer: pairsAnswer.optional(),
      })
    } catch (error) {
      if (!isRefusal(error)) throw error
      // A pair that cannot be taken apart even alone has a record that is gone, and so is no pair any more.
      if (pairs.length === 1) return
      const middle = Math.ceil(pairs.length / 2)
      await dissociate(access, from, to, pairs.slice(0, middle))
      await dissociate(access, from, to, pairs.slice(middle))
    }
  }

  return {
    associate,
    dissociate,
    async listAssociated(access, from, to, fromIds) {
      const found = new Map<string, string[]>()
      let inputs: { id: string; after?: string }[] = fromIds.map((id) => ({ id }))
      while (inputs.length > 0) {
        const answer = await call(access, {
          method: 'POST',
          path: paths.associationBatch(from, typeIdOf(to), 'read'),
          json: { inputs },
          answer: pairsAnswer,
        })
        const next: typeof inputs = []
        for (const { from: source, to: targets, paging } of answer.results ?? []) {
          const ids = Array.isArray(targets) ? targets.map(({ toObjectId }) => toObjectId) : []
          found.set(source.id, [...(found.get(source.id) ?? []), ...ids])
          const after = paging?.next?.after
          if (after !== undefined && ids.length > 0) next.push({ id: source.id, after })
        }
        inputs = next
      }
      return found
    },
  }
}

function isRefusal(error: unknown): error is HubspotError {
  return error instanceof HubspotError && (error.kind === 'rejected' || error.kind === 'not_found')
}

function typeIdOf(target: Target): string {
  if (target === 'company') return companyTypeId
  return target === 'contact' ? contactTypeId : target.objectTypeId
}

/** An error names the pair's ids; one that names nothing may mean any pair, so no pair counts as done then. */
function outcomeOf(pair: CrmPair, errors: readonly ErrorAnswer[]): CrmPairOutcome {
  const mine = errors.find(({ context }) => {
    const from = context?.fromObjectId
    const to = context?.toObjectId
    const ids = context?.ids ?? context?.id
    if (!from && !to && !ids) return true
    if (ids && !from && !to) return ids.includes(pair.fromId) || ids.includes(pair.toId)
    return (from?.includes(pair.fromId) ?? true) && (to?.includes(pair.toId) ?? true)
  })
  return mine === undefined
    ? { ...pair, isDone: true }
    : { ...pair, isDone: false, message: reasonOf(mine, refusedPair) }
}
