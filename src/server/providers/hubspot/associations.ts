import type { CrmAccess, CrmPair, CrmPairOutcome, CrmPort } from '../crm.ts'
import { batchAnswer, pairsAnswer, tiedAnswer } from './answers.ts'
import type { HubspotClient } from './client.ts'
import { type HubspotError, reasonOf } from './hubspot-error.ts'
import { type HalvedWrite, isRefusal, writeInHalves } from './in-halves.ts'
import { refusalsOf } from './lone-refusals.ts'
import { refusedPair, saidOf, seenOf } from './pair-outcomes.ts'
import { batchReadBody } from './request-bodies.ts'
import { companyTypeId, contactTypeId, limits, paths } from './version.ts'

type AssociationCalls = Pick<CrmPort, 'associate' | 'dissociate' | 'listAssociated' | 'tieContacts'>
type Target = Parameters<CrmPort['associate']>[2]

/** HubSpot's "Primary" between a contact and a company (associations guide). */
const primaryTypeId = 1

/** What each record is tied to, and whether HubSpot calls that its primary one; most records once, page by page. */
export async function readTies(
  call: HubspotClient,
  access: CrmAccess,
  from: string,
  to: string,
  fromIds: readonly string[],
): Promise<Map<string, { recordId: string; isPrimary: boolean }[]>> {
  const found = new Map<string, { recordId: string; isPrimary: boolean }[]>()
  let inputs: { id: string; after?: string }[] = fromIds.map((id) => ({ id }))
  while (inputs.length > 0) {
    const answer = await call(access, {
      method: 'POST',
      path: paths.associationBatch(from, to, 'read'),
      json: { inputs },
      answer: pairsAnswer,
    })
    const next: typeof inputs = []
    for (const { from: source, to: targets, paging } of answer.results ?? []) {
      const ties = (Array.isArray(targets) ? targets : []).map(({ toObjectId, associationTypes = [] }) => ({
        recordId: toObjectId,
        isPrimary: associationTypes.some(
          ({ category, typeId }) => category === 'HUBSPOT_DEFINED' && typeId === primaryTypeId,
        ),
      }))
      found.set(source.id, [...(found.get(source.id) ?? []), ...ties])
      const after = paging?.next?.after
      if (after !== undefined && ties.length > 0) next.push({ id: source.id, after })
    }
    inputs = next
  }
  return found
}

/** Plain associations in bulk. Repeating one changes nothing, and labels that people set are kept. */
export function createAssociationCalls(call: HubspotClient): AssociationCalls {
  const listAssociated: AssociationCalls['listAssociated'] = async (access, from, to, fromIds) => {
    const ties = await readTies(call, access, from, typeIdOf(to), fromIds)
    return new Map([...ties].map(([id, list]) => [id, list.map(({ recordId }) => recordId)]))
  }

  /** Tells of pairs whether they stand by now. */
  const look = async (access: CrmAccess, from: string, to: Target, pairs: readonly CrmPair[]) => {
    const fromIds = [...new Set(pairs.map(({ fromId }) => fromId))]
    const found = new Map<string, string[]>()
    for (let start = 0; start < fromIds.length; start += limits.pairsPerRead) {
      const ids = fromIds.slice(start, start + limits.pairsPerRead)
      for (const [id, toIds] of await listAssociated(access, from, to, ids)) found.set(id, toIds)
    }
    return ({ fromId, toId }: CrmPair) => found.get(fromId)?.includes(toId) ?? false
  }

  const isThere = async (access: CrmAccess, to: Target, id: string) => {
    const answer = await call(access, {
      method: 'POST',
      path: paths.objectBatch(typeIdOf(to), 'read'),
      json: batchReadBody({ ids: [id], properties: [] }),
      answer: batchAnswer,
    })
    return answer.results?.some((record) => record.id === id) ?? false
  }

  const tie = async (access: CrmAccess, from: string, to: Target, pairs: readonly CrmPair[]) => {
    const answer = await call(access, {
      method: 'POST',
      path: paths.associationBatch(from, typeIdOf(to), 'associate/default'),
      json: { inputs: pairs.map(({ fromId, toId }) => ({ from: { id: fromId }, to: { id: toId } })) },
      answer: tiedAnswer,
    })
    const said = saidOf(pairs, answer)
    const unsaid = pairs.filter((_, index) => said[index] === undefined)
    const isStanding = await look(access, from, to, unsaid)
    return pairs.map((pair, index) => said[index] ?? seenOf(pair, isStanding(pair), answer))
  }

  /** What still stands was not taken apart, whatever the answer says of it. */
  const untie = async (access: CrmAccess, from: string, to: Target, pairs: readonly CrmPair[]) => {
    const answer = await call(access, {
      method: 'POST',
      path: paths.associationBatch(from, typeIdOf(to), 'archive'),
      json: { inputs: pairs.map(({ fromId, toId }) => ({ from: { id: fromId }, to: [{ id: toId }] })) },
      answer: tiedAnswer.optional(),
    })
    const [error] = answer?.errors ?? []
    if (error === undefined) return pairs.map((pair): CrmPairOutcome => ({ ...pair, isDone: true }))
    const isStanding = await look(access, from, to, pairs)
    return pairs.map((pair) => untied(pair, isStanding(pair), reasonOf(error, refusedPair)))
  }

  /** A refusal does not say whether the pair is there or a record of it is gone. */
  const stands = async (access: CrmAccess, from: string, to: Target, pair: CrmPair) => {
    try {
      return (await look(access, from, to, [pair]))(pair)
    } catch (error) {
      if (!isRefusal(error)) throw error
      return error.kind !== 'not_found'
    }
  }

  /** In the order of their targets, so that the many pairs of one record that is gone cost one look at it. */
  const writePairs = (
    access: CrmAccess,
    sort: string,
    calls: Pick<HalvedWrite<CrmPair, CrmPairOutcome>, 'write' | 'settle' | 'foresee'>,
    pairs: readonly CrmPair[],
  ) =>
    writeInHalves<CrmPair, CrmPairOutcome>(
      {
        ...calls,
        isDone: ({ isDone }) => isDone,
        hold: (pair, message, isTried) => ({ ...pair, isDone: false, message, held: { isTried } }),
        leave: (pair, message) => ({ ...pair, isDone: false, isUnknown: true, message }),
        recordOf: ({ toId }) => toId,
        refusals: refusalsOf(access, sort),
      },
      pairs.toSorted((a, b) => Number(a.toId > b.toId) - Number(a.toId < b.toId)),
    )

  /** Pairs of one record that is not there are refused for its sake, all of them with the first. */
  const foreseeGone = async (
    access: CrmAccess,
    to: Target,
    pairs: readonly CrmPair[],
    { answer }: HubspotError,
  ): Promise<CrmPairOutcome[] | undefined> => {
    const [first] = pairs
    if (!first || pairs.some(({ toId }) => toId !== first.toId)) return undefined
    if (await isThere(access, to, first.toId)) return undefined
    const message = reasonOf(answer, refusedPair)
    return pairs.map((pair) => ({ ...pair, isDone: false, message }))
  }

  const associate: AssociationCalls['associate'] = (access, from, to, pairs) =>
    writePairs(
      access,
      `tie ${from} ${typeIdOf(to)}`,
      {
        write: (some) => tie(access, from, to, some),
        settle: async (pair, { answer }) => ({
          ...pair,
          isDone: false,
          message: reasonOf(answer, refusedPair),
        }),
        foresee: (some, refusal) => foreseeGone(access, to, some, refusal),
      },
      pairs,
    )

  return {
    listAssociated,
    associate,
    tieContacts: (access, pairs) => associate(access, contactTypeId, 'company', pairs),
    dissociate: (access, from, to, pairs) =>
      writePairs(
        access,
        `untie ${from} ${typeIdOf(to)}`,
        {
          write: (some) => untie(access, from, to, some),
          settle: async (pair, { answer }) =>
            untied(pair, await stands(access, from, to, pair), reasonOf(answer, refusedPair)),
        },
        pairs,
      ),
  }
}

function untied(pair: CrmPair, isStanding: boolean, message: string): CrmPairOutcome {
  return isStanding ? { ...pair, isDone: false, message } : { ...pair, isDone: true }
}

function typeIdOf(target: Target): string {
  if (target === 'company') return companyTypeId
  return target === 'contact' ? contactTypeId : target.objectTypeId
}
