import type { DecisionAction } from '#domain/company.ts'
import type { Role } from '#domain/membership.ts'
import { providerNames } from '#domain/provider-names.ts'
import type { Deps } from '../../../deps.ts'
import { sentence } from '../../../plain-name.ts'
import { Refusal } from '../../../refusal.ts'
import { areObjectsMissing } from '../../../store/crm/crm-objects.ts'
import { findCurrentPortal } from '../../../store/crm/current-portal.ts'
import { type DecidableMatch, decideMatches, lockDecidable } from '../../../store/matches/match-decisions.ts'
import type { DecidedMatch } from '../../../store/matches/write-matches.ts'
import type { Tenant } from '../../../store/postgres/database.ts'
import { hasPayments } from '../../../store/setup/setup-facts.ts'

export type ReviewedCompany = { recordId: string; name: string | null }
/** The person who decides. */
export type Reviewer = { userId: number; role: Role }

/** What became of one customer. The message says why nothing was decided, or what follows. */
export type ReviewOutcome = {
  customerId: string
  isDone: boolean
  message: string
  company: ReviewedCompany | null
}

/** `decisionId` is null if nothing was decided about any customer. `effect` says what the decision does in the CRM. */
export type Reviewed = { decisionId: string | null; outcomes: ReviewOutcome[]; effect: string }

/** The change of one match, or why it is not made. */
type Verdict = Omit<DecidedMatch, 'customerId'> | { refusal: string }

/** Says who decided what before this decision came, and where the customer is now. */
export function changedMeanwhile({ decided }: DecidableMatch): string {
  if (decided === null) return 'Somebody has changed this in the meantime. Look at it again.'
  const { by, action, companyName } = decided
  const company = companyName ?? 'a company'
  return `${by ?? 'Somebody'} ${meanwhileTexts[action](company)}`
}

const meanwhileTexts: Record<DecisionAction, (company: string) => string> = {
  attached: (company) =>
    `has attached this customer to ${company} in the meantime. Find it under Show: Attached.`,
  created: (company) =>
    `has created ${company} for this customer in the meantime. Find it under Show: Attached.`,
  ignored: () => 'has ignored this customer in the meantime. Find it under Show: Ignored.',
  unlinked: () => 'has taken this customer off its company in the meantime. It waits for review.',
  restored: () => 'has put this customer back in the meantime. It waits for review.',
}

export const unknownCustomer = 'There is no such customer. Reload the list.'

/** Decides about each customer under a lock, all in one decision. Customers with a refusal stay as they are. */
export async function decideEach(
  deps: Deps,
  tenant: Tenant,
  { portalId, action, by }: { portalId: string; action: DecisionAction; by: Reviewer },
  customerIds: readonly string[],
  verdictOn: (match: DecidableMatch) => Verdict,
): Promise<Reviewed> {
  const known = await lockDecidable(tenant, portalId, customerIds)
  const verdicts = customerIds.map((customerId) => {
    const match = known.get(customerId)
    return { customerId, verdict: match ? verdictOn(match) : { refusal: unknownCustomer } }
  })
  const decided = verdicts.flatMap(({ customerId, verdict }) =>
    'refusal' in verdict ? [] : [{ customerId, ...verdict }],
  )
  const decision = { id: deps.newId(), action, by: by.userId, at: deps.now() }
  await decideMatches(tenant, portalId, decision, decided)
  const effect = await readEffect(deps, tenant, portalId, action)
  const outcomes = verdicts.map(({ customerId, verdict }): ReviewOutcome => {
    if ('refusal' in verdict) return { customerId, isDone: false, message: verdict.refusal, company: null }
    const { company } = verdict
    return { customerId, isDone: true, message: doneText(action, company, effect), company }
  })
  return { decisionId: decided.length === 0 ? null : decision.id, outcomes, effect }
}

/** What a person sees of a match, and changes by a decision. */
export function seenOf({
  state,
  companyRecordId,
}: Pick<DecidableMatch, 'state' | 'companyRecordId'>): string {
  return state === 'linked' ? `linked ${companyRecordId}` : (state ?? 'pending')
}

/** Whether the match is still as the person saw it, if that is known. */
export function isAsSeen(match: DecidableMatch, seen: string | undefined): boolean {
  return seen === undefined || seenOf(match) === seen
}

/** Whether the customer waits for a decision. */
export function isWaiting({ state }: DecidableMatch): boolean {
  return state === null || state === 'pending'
}

const doneTexts: Record<Exclude<DecisionAction, 'attached' | 'created'>, string> = {
  unlinked: 'Taken off the company.',
  ignored: 'Ignored.',
  restored: 'Waits for review again.',
}

/** Says what was decided, and what follows in the CRM. */
export function doneText(action: DecisionAction, company: ReviewedCompany | null, effect: string): string {
  const name = company?.name ?? 'the company'
  const done =
    action === 'attached'
      ? sentence(`Attached to ${name}`)
      : action === 'created'
        ? `Created ${name} and attached the customer.`
        : doneTexts[action]
  return `${done} ${effect}`
}

/** What a decision, or its undo, does in the CRM: a customer that is ignored or waits again stays there as it is. */
export async function readEffect(
  { crm }: Deps,
  tenant: Tenant,
  portalId: string,
  action: DecisionAction,
): Promise<string> {
  if (action === 'ignored' || action === 'restored') return `Nothing changes in ${crm.name}.`
  return `${crm.name} follows with the next sync${await readCondition(tenant, portalId)}.`
}

/** What the next sync waits for, at the end of a sentence that promises it. */
async function readCondition(tenant: Tenant, portalId: string): Promise<string> {
  if (!(await hasPayments(tenant))) return `, once ${providerNames.payments} is connected`
  return (await areObjectsMissing(tenant, portalId)) ? ', once the custom objects are there' : ''
}

/** Says about one customer its own message, and about many how many were decided. */
export function summaryOf(
  action: keyof typeof summaries,
  { outcomes, effect }: Pick<Reviewed, 'outcomes' | 'effect'>,
): string {
  const [first] = outcomes
  if (outcomes.length === 1 && first) return first.message
  const done = outcomes.filter(({ isDone }) => isDone).length
  if (done === 0) return `No decision was saved for these ${outcomes.length} customers.`
  const all = done === outcomes.length ? '' : ` of ${outcomes.length}`
  return `${summaries[action](`${done}${all} customers`)} ${effect}`
}

const summaries = {
  accept: (customers: string) => `Attached ${customers} to their companies.`,
  create: (customers: string) => `Created companies for ${customers}.`,
  ignore: (customers: string) => `Ignored ${customers}.`,
}

/** The portal of a decision that needs no call to the CRM. */
export async function getPortal({ crm }: Deps, tenant: Tenant): Promise<string> {
  const portalId = await findCurrentPortal(tenant)
  if (portalId === null)
    throw new Refusal('not_connected', `${crm.name} was never connected. Connect it first.`)
  return portalId
}
