import type { CrmPair, CrmPairOutcome, CrmPort } from '../crm.ts'
import type { CrmAccess } from '../crm-directory.ts'
import { isOwnFailure, tiedAnswer } from './answers.ts'
import type { HubspotClient } from './client.ts'
import { type HubspotError, reasonOf } from './hubspot-error.ts'
import { type HalvedWrite, writeInHalves } from './in-halves.ts'
import { refusalsOf } from './lone-refusals.ts'
import { refusedPair, saidOf, seenOf } from './pair-outcomes.ts'
import { type AssociationTarget, createPairLooks, typeIdOf } from './standing-pairs.ts'
import { contactTypeId, paths } from './version.ts'

type AssociationCalls = Pick<CrmPort, 'associate' | 'dissociate' | 'listAssociated' | 'tieContacts'>
type Calls = { call: HubspotClient } & ReturnType<typeof createPairLooks>

/** Writes unlabelled associations in bulk. Repeating one changes nothing, and labels that people set are kept. */
export function createAssociationCalls(call: HubspotClient): AssociationCalls {
  const looks = createPairLooks(call)
  const calls: Calls = { call, ...looks }
  const associate: AssociationCalls['associate'] = (access, from, to, pairs) =>
    writePairs(
      access,
      `tie ${from} ${typeIdOf(to)}`,
      {
        write: (some) => tie(calls, access, from, to, some),
        settle: async (pair, { answer }) => ({
          ...pair,
          isDone: false,
          message: reasonOf(answer, refusedPair),
        }),
        foresee: (some, refusal) => foreseeGone(calls, access, to, some, refusal),
      },
      pairs,
    )

  return {
    listAssociated: looks.listAssociated,
    associate,
    tieContacts: (access, pairs) => associate(access, contactTypeId, 'company', pairs),
    dissociate: (access, from, to, pairs) =>
      writePairs(
        access,
        `untie ${from} ${typeIdOf(to)}`,
        {
          write: (some) => untie(calls, access, from, to, some),
          settle: async (pair, { answer }) =>
            untied(pair, await looks.stands(access, from, to, pair), reasonOf(answer, refusedPair)),
        },
        pairs,
      ),
  }
}

/** Associates the pairs in one call and returns the result for each. */
async function tie(
  { call, look }: Calls,
  access: CrmAccess,
  from: string,
  to: AssociationTarget,
  pairs: readonly CrmPair[],
) {
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

/** A pair that still exists was not separated, whatever the answer says. */
async function untie(
  { call, look }: Calls,
  access: CrmAccess,
  from: string,
  to: AssociationTarget,
  pairs: readonly CrmPair[],
) {
  const answer = await call(access, {
    method: 'POST',
    path: paths.associationBatch(from, typeIdOf(to), 'archive'),
    json: { inputs: pairs.map(({ fromId, toId }) => ({ from: { id: fromId }, to: [{ id: toId }] })) },
    // Repeating it changes nothing, so a failure of HubSpot's own counts as no answer.
    answer: tiedAnswer.refine(({ errors = [] }) => !errors.some(isOwnFailure)).optional(),
  })
  const [error] = answer?.errors ?? []
  if (error === undefined) return pairs.map((pair): CrmPairOutcome => ({ ...pair, isDone: true }))
  const isStanding = await look(access, from, to, pairs)
  return pairs.map((pair) => untied(pair, isStanding(pair), reasonOf(error, refusedPair)))
}

/** Sorted by target, so that many pairs with the same deleted record need only one lookup of it. */
function writePairs(
  access: CrmAccess,
  sort: string,
  calls: Pick<HalvedWrite<CrmPair, CrmPairOutcome>, 'write' | 'settle' | 'foresee'>,
  pairs: readonly CrmPair[],
) {
  return writeInHalves<CrmPair, CrmPairOutcome>(
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
}

/** When a record does not exist, the first refusal applies to all of its pairs. */
async function foreseeGone(
  { isThere }: Calls,
  access: CrmAccess,
  to: AssociationTarget,
  pairs: readonly CrmPair[],
  { answer }: HubspotError,
): Promise<CrmPairOutcome[] | undefined> {
  const [first] = pairs
  if (!first || pairs.some(({ toId }) => toId !== first.toId)) return undefined
  if (await isThere(access, to, first.toId)) return undefined
  const message = reasonOf(answer, refusedPair)
  return pairs.map((pair) => ({ ...pair, isDone: false, message }))
}

function untied(pair: CrmPair, isStanding: boolean, message: string): CrmPairOutcome {
  return isStanding ? { ...pair, isDone: false, message } : { ...pair, isDone: true }
}
