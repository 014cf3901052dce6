import type { z } from 'zod'
import {
  companyNameMax,
  createMatchCompany,
  decideMatches,
  linkMatch,
  type Match,
  restoreMatch,
  saveMatchRule,
  unlinkMatch,
} from '#contract/matches.ts'
import { realName, withoutLegalForm } from '#domain/company-name.ts'
import { call } from '../../client.ts'

/** What the server answered, in one form for every decision. */
type Decided = {
  message: string
  /** Names the decision in its undo; null if it cannot be undone. */
  decisionId: string | null
  /** The customers about whom nothing was decided, each with the reason. */
  refused: readonly { customerId: string; message: string }[]
}

/**
 * A decision, ready to be sent. `about`: customers that leave the list that shows them. `movesOthers`: it counts for a
 * whole domain, so that others may leave it too, and only the server knows which.
 */
export type PlannedDecision = {
  about: readonly Match[]
  movesOthers?: boolean
  send: () => Promise<Decided>
}

/** The company that a person would accept without looking at others; undefined if nothing fits. */
export function bestCandidate({ candidates }: Match): Match['candidates'][number] | undefined {
  return candidates[0]
}

/** The name that a new company of the customer gets if nobody types another, cut if it is too long; null if there is none. */
export function newCompanyName({
  customerName,
  domain,
}: Pick<Match, 'customerName' | 'domain'>): string | null {
  const name = realName(customerName) ?? domain
  // A character of two halves is not cut in the middle.
  return (
    name
      ?.slice(0, companyNameMax)
      .replace(/[\ud800-\udbff]$/, '')
      .trim() ?? null
  )
}

/** What is searched for at first: nothing where there is a candidate, or the name, under whatever legal form a company has it. */
export function firstSearch(match: Match): string {
  const isOpen = match.state === 'pending' && bestCandidate(match) === undefined
  return isOpen ? withoutLegalForm(newCompanyName(match) ?? '') : ''
}

/** Attaches each customer that has a candidate to its best one. */
export function accept(matches: readonly Match[]): PlannedDecision {
  const chosen = matches.flatMap((match) => {
    const best = bestCandidate(match)
    return best === undefined ? [] : [{ match, companyRecordId: best.companyRecordId }]
  })
  const customers = chosen.map(({ match, companyRecordId }) => ({
    customerId: match.customerId,
    companyRecordId,
  }))
  return { about: chosen.map(({ match }) => match), send: () => decideMany({ action: 'accept', customers }) }
}

/** Leaves customers out of the review. */
export function ignore(matches: readonly Match[]): PlannedDecision {
  const customers = matches.map(({ customerId }) => ({ customerId }))
  return { about: matches, send: () => decideMany({ action: 'ignore', customers }) }
}

/** Creates companies under the customers' own names; customers without any name are left out. */
export function create(matches: readonly Match[]): PlannedDecision {
  const named = matches.flatMap((match) => {
    const companyName = newCompanyName(match)
    return companyName === null ? [] : [{ match, companyName }]
  })
  const customers = named.map(({ match, companyName }) => ({ customerId: match.customerId, companyName }))
  return { about: named.map(({ match }) => match), send: () => decideMany({ action: 'create', customers }) }
}

/** Attaches a customer to a company. It is left alone if somebody decided about it meanwhile. */
export function link(match: Match, companyRecordId: string, alwaysForDomain: boolean): PlannedDecision {
  const { customerId, seen } = match
  if (match.state === 'pending' && !alwaysForDomain) {
    const customers = [{ customerId, companyRecordId }]
    return { about: [match], send: () => decideMany({ action: 'accept', customers }) }
  }
  const body = { companyRecordId, alwaysForDomain, ifSeen: seen }
  const planned = single(match, () => call(linkMatch, { params: { customerId }, body }))
  return { ...planned, movesOthers: alwaysForDomain }
}

/** Creates a company under a typed name. The customer is left alone if somebody decided about it meanwhile. */
export function createNamed(match: Match, companyName: string): PlannedDecision {
  if (match.state === 'pending') {
    const customers = [{ customerId: match.customerId, companyName }]
    const send = () => decideMany({ action: 'create', customers, isNameSearched: true })
    return { about: [match], send }
  }
  const { customerId, seen } = match
  const body = { companyName, ifSeen: seen }
  return single(match, () => call(createMatchCompany, { params: { customerId }, body }))
}

/** Says that a domain does not tell the company. Its customers wait. */
export function never(domain: string): PlannedDecision {
  const send = async () => {
    const { message, decisionId } = await call(saveMatchRule, { body: { domain, companyRecordId: null } })
    return { message, decisionId, refused: [] }
  }
  return { about: [], movesOthers: true, send }
}

export function unlink(match: Match): PlannedDecision {
  const { customerId, seen } = match
  return single(match, () => call(unlinkMatch, { params: { customerId }, body: { ifSeen: seen } }))
}

export function restore(match: Match): PlannedDecision {
  return single(match, () => call(restoreMatch, { params: { customerId: match.customerId } }))
}

function single(
  match: Match,
  send: () => Promise<{ message: string; decisionId: string | null }>,
): PlannedDecision {
  const about = match.state === 'linked' ? [] : [match]
  return { about, send: async () => ({ ...(await send()), refused: [] }) }
}

async function decideMany(body: z.input<(typeof decideMatches)['body']>): Promise<Decided> {
  const { message, decisionId, outcomes } = await call(decideMatches, { body })
  const refused = body.customers.flatMap(({ customerId }, at) => {
    const outcome = outcomes[at]
    return outcome === undefined || outcome.isDone ? [] : [{ customerId, message: outcome.message }]
  })
  return { message, decisionId, refused }
}
