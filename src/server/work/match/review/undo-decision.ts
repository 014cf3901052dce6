import { isHeldForPerson } from '#domain/company.ts'
import type { Role } from '#domain/membership.ts'
import type { Deps } from '../../../deps.ts'
import { Refusal } from '../../../refusal.ts'
import { listCompanyNames } from '../../../store/crm/crm-index.ts'
import { lockDecided, type Undoable, undoDecided } from '../../../store/matches/match-decisions.ts'
import { deleteRuleOf, findRuleOf, hasReplacedRule, lockRules } from '../../../store/matches/match-rules.ts'
import type { DecidedMatch } from '../../../store/matches/write-matches.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { requireManager } from '../../organization/require-manager.ts'
import { neverDeed } from '../match-rules.ts'
import { getPortal, type ReviewOutcome, readEffect } from './decide-each.ts'
import { findNewlyTied } from './own-ties.ts'

/** A decision can be undone for this long. */
export const undoableMs = 24 * 60 * 60 * 1_000

/**
 * Undoes a decision about every customer whose match is still as the decision left it. Refused if that is true of none,
 * if it replaced a rule, and to members if it is *never match*.
 */
export function undoDecision(
  deps: Deps,
  organizationId: number,
  decisionId: string,
  role: Role,
): Promise<{ message: string; outcomes: ReviewOutcome[] }> {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    await lockRules(tenant)
    const portalId = await getPortal(deps, tenant)
    const made = await findRuleOf(tenant, portalId, decisionId)
    if (made?.kind === 'never') requireManager(role, neverDeed)
    // A refusal below brings it back.
    const domain = await deleteRuleOf(tenant, portalId, decisionId)
    const at = deps.now()
    const since = new Date(at.getTime() - undoableMs)
    const decided = await lockDecided(tenant, portalId, decisionId, since)
    const [first] = decided
    if (first === undefined) {
      if (domain === null || made?.kind !== 'never' || made.createdAt < since)
        throw new Refusal('not_found', nothingToUndo)
      return { message: endedText(domain), outcomes: [] }
    }
    if (await hasReplacedRule(tenant, portalId, decisionId))
      throw new Refusal('conflict', 'This decision replaced a rule. Change it under Rules.')
    const standing = decided.filter(({ isAsDecided }) => isAsDecided)
    if (standing.length === 0)
      throw new Refusal('conflict', `${changedText(first)} Nothing was undone. Look at it again.`)
    const recordIds = standing.flatMap(({ companyBefore }) => companyBefore ?? [])
    const names = await listCompanyNames(tenant, portalId, recordIds)
    const isGone = ({ companyBefore }: Undoable) => companyBefore !== null && !names.has(companyBefore)
    const taken = standing.filter(
      (one) => one.action === 'attached' && (one.stateBefore !== 'linked' || isGone(one)),
    )
    const tied = await findNewlyTied(
      tenant,
      portalId,
      taken.map(({ customerId }) => customerId),
    )
    const isLedBack = ({ customerId, action }: Undoable) => action === 'created' || tied.has(customerId)
    const before = standing.map((one) =>
      heldBack(isGone(one) ? withoutCompany(one) : matchBefore(one, names), one, isLedBack(one)),
    )
    await undoDecided(tenant, portalId, decisionId, before, at)
    const isHeld = (one: Undoable) => one.stateBefore === 'pending' && isLedBack(one)
    const counts = {
      done: standing.length,
      gone: standing.filter(isGone).length,
      held: standing.filter(isHeld).length,
    }
    const rule = domain === null ? '' : ` ${endedText(domain)}`
    const outcomes = decided.map((one) => ({
      customerId: one.customerId,
      isDone: one.isAsDecided,
      message: !one.isAsDecided ? changedText(one) : doneText(deps, isGone(one), isHeld(one)),
      company: null,
    }))
    const undone = undoneText(deps, decided, counts)
    const message =
      first.action === 'created'
        ? createdText(deps, decided, undone, counts.gone)
        : `${undone}${rule} ${await readEffect(deps, tenant, portalId, first.action)}${stayText(deps, counts.held)}`
    return { message, outcomes }
  })
}

const nothingToUndo =
  'There is nothing to undo: it was undone before, or was decided more than a day ago. Reload the list.'

const endedText = (domain: string) => `The rule for ${domain} has ended.`

/** The next run would find the company that we created, or to which we tied the contact: the customer waits for a person. */
function heldBack(match: DecidedMatch, { action }: Undoable, isLedBack: boolean): DecidedMatch {
  if (match.state === 'linked' || !isLedBack) return match
  const evidence = action === 'created' ? 'creation_undone' : 'choice_undone'
  return isHeldForPerson(match.evidence) ? match : { ...match, evidence }
}

function matchBefore(undone: Undoable, names: Map<string, string | null>): DecidedMatch {
  const { customerId, companyBefore, stateBefore, evidenceBefore } = undone
  const company =
    companyBefore === null ? null : { recordId: companyBefore, name: names.get(companyBefore) ?? null }
  return { customerId, state: stateBefore, evidence: evidenceBefore, company }
}

/** The company before was deleted in the CRM since. If a person chose it, the customer gets it back once it is restored. */
function withoutCompany({ customerId, evidenceBefore }: Undoable): DecidedMatch {
  const evidence = evidenceBefore === 'person' ? 'choice_gone' : 'company_gone'
  return { customerId, state: 'pending', evidence, company: null }
}

function doneText({ crm }: Deps, isGone: boolean, isHeld: boolean): string {
  if (isGone) return `Waits for review, because its company is no longer in ${crm.name}.`
  return isHeld ? 'Waits for review.' : 'Is as before.'
}

/** No undo unties a contact: people may have tied it, or want it so. */
function stayText({ crm }: Deps, heldCount: number): string {
  if (heldCount === 0) return ''
  const contacts =
    heldCount === 1 ? ' The contact stays with the company' : ' Contacts stay with their companies'
  return `${contacts} in ${crm.name}.`
}

/** No undo deletes a company: people may have worked with it since. */
function createdText({ crm }: Deps, decided: readonly Undoable[], undone: string, goneCount: number): string {
  if (decided.length === 1) {
    const why = goneCount === 0 ? '' : `${undone} `
    return `${why}The company stays in ${crm.name}; delete it there if nobody needs it.`
  }
  return `${undone} Companies that were created stay in ${crm.name}; delete those there that nobody needs.`
}

const are = ['is', 'are'] as const
const waits = ['waits', 'wait'] as const

/** How many customers were undone, those among them whose company before is gone, and those that are held instead. */
type Counts = { done: number; gone: number; held: number }

function undoneText({ crm }: Deps, decided: readonly Undoable[], { done, gone, held }: Counts): string {
  const because = `because its company is no longer in ${crm.name}.`
  if (gone > 0 && decided.length === 1) return `${countText(decided, 1, waits)} for review, ${because}`
  const others = done - held
  const goneOnes =
    gone === 0 ? '' : ` ${gone} of them ${gone === 1 ? waits[0] : waits[1]} for review, ${because}`
  if (held === 0) return `${countText(decided, done, are)} as before.${goneOnes}`
  if (others === 0) return `${countText(decided, held, waits)} for review.${goneOnes}`
  return `${countText(decided, others, are)} as before.${goneOnes} ${held} ${held === 1 ? waits[0] : waits[1]} for review.`
}

/** 'Birch Press is', '3 customers are' or '1 of 3 customers is'. */
function countText(
  decided: readonly Undoable[],
  count: number,
  [one, many]: readonly [string, string],
): string {
  const [first] = decided
  if (first && decided.length === 1) return `${first.name ?? first.customerId} ${one}`
  const all = count === decided.length ? '' : `of ${decided.length} `
  return `${count} ${all}customers ${count === 1 ? one : many}`
}

function changedText({ name, customerId, changedBy, hasLaterDecision }: Undoable): string {
  const customer = name ?? customerId
  if (!hasLaterDecision) return `The match of ${customer} has changed since.`
  return `${changedBy ?? 'Somebody'} has decided about ${customer} since.`
}
