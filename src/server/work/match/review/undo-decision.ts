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
    const before = standing.map((one) => (isGone(one) ? withoutCompany(one) : matchBefore(one, names)))
    await undoDecided(tenant, portalId, decisionId, before, at)
    const goneCount = standing.filter(isGone).length
    const rule = domain === null ? '' : ` ${endedText(domain)}`
    const outcomes = decided.map((one) => ({
      customerId: one.customerId,
      isDone: one.isAsDecided,
      message: !one.isAsDecided ? changedText(one) : isGone(one) ? waitsText(deps) : 'Is as before.',
      company: null,
    }))
    return {
      message:
        first.action === 'created'
          ? createdText(deps, decided, standing.length, goneCount)
          : `${undoneText(deps, decided, standing.length, goneCount)}${rule} ${await readEffect(deps, tenant, portalId, first.action)}`,
      outcomes,
    }
  })
}

const nothingToUndo =
  'There is nothing to undo: it was undone before, or was decided more than a day ago. Reload the list.'

const endedText = (domain: string) => `The rule for ${domain} has ended.`

/** A company that we created would be found by the next run, so a customer that leaves it waits for a person. */
function matchBefore(undone: Undoable, names: Map<string, string | null>): DecidedMatch {
  const { customerId, action, companyBefore, stateBefore, evidenceBefore } = undone
  const isHeld = action === 'created' && stateBefore === 'pending'
  const company =
    companyBefore === null ? null : { recordId: companyBefore, name: names.get(companyBefore) ?? null }
  return { customerId, state: stateBefore, evidence: isHeld ? 'creation_undone' : evidenceBefore, company }
}

/** The company before was deleted in the CRM since. If a person chose it, the customer gets it back once it is restored. */
function withoutCompany({ customerId, evidenceBefore }: Undoable): DecidedMatch {
  const evidence = evidenceBefore === 'person' ? 'choice_gone' : 'company_gone'
  return { customerId, state: 'pending', evidence, company: null }
}

function waitsText({ crm }: Deps): string {
  return `Waits for review, because its company is no longer in ${crm.name}.`
}

/** No undo deletes a company: people may have worked with it since. */
function createdText(deps: Deps, decided: readonly Undoable[], count: number, goneCount: number): string {
  const { crm } = deps
  if (decided.length === 1) {
    const waits = goneCount === 0 ? '' : `${undoneText(deps, decided, count, goneCount)} `
    return `${waits}The company stays in ${crm.name}; delete it there if nobody needs it.`
  }
  const stay = `Companies that were created stay in ${crm.name}; delete those there that nobody needs.`
  return `${undoneText(deps, decided, count, goneCount)} ${stay}`
}

function undoneText({ crm }: Deps, decided: readonly Undoable[], count: number, goneCount: number): string {
  const [first] = decided
  const because = `because its company is no longer in ${crm.name}.`
  if (goneCount > 0 && first && decided.length === 1)
    return `${first.name ?? first.customerId} waits for review, ${because}`
  const asBefore = `${countText(decided, count)} as before.`
  if (goneCount === 0) return asBefore
  return `${asBefore} ${goneCount} of them ${goneCount === 1 ? 'waits' : 'wait'} for review, ${because}`
}

/** 'Birch Press is', '3 customers are' or '1 of 3 customers is'. */
function countText(decided: readonly Undoable[], count: number): string {
  const [first] = decided
  if (first && decided.length === 1) return `${first.name ?? first.customerId} is`
  const all = count === decided.length ? '' : `of ${decided.length} `
  return `${count} ${all}customers ${count === 1 ? 'is' : 'are'}`
}

function changedText({ name, customerId, changedBy, hasLaterDecision }: Undoable): string {
  const customer = name ?? customerId
  if (!hasLaterDecision) return `The match of ${customer} has changed since.`
  return `${changedBy ?? 'Somebody'} has decided about ${customer} since.`
}
