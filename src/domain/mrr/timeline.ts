import type { Instant } from '../instant.ts'
import type { PaymentSubscription } from '../payments.ts'
import type { Charge, Credit, Evidence } from './evidence.ts'
import type { ItemTerms, Pricing } from './item-terms.ts'
import { zero } from './rational.ts'
import { isSameSaleAgain, standingCharge } from './settle-charges.ts'
import { compareCharges } from './sort-evidence.ts'
import { type SubscriptionState, stateOf } from './subscription-state.ts'
import { termsOfCharge } from './terms-of-charge.ts'
import { termsOfDeclaration } from './terms-of-declaration.ts'

type Step = {
  charges: Charge[]
  credits: Credit[]
  declarations: Evidence['declarations']
  closings: string[]
}

/**
 * Walks the evidence of one subscription in time and returns each state it went through. What happens in one second is one
 * step (R37); between steps every item stays what it was (R20).
 */
export function timelineOf(
  evidence: Evidence,
  pricing: Pricing,
  before: Instant,
  asOf: Instant,
): SubscriptionState[] {
  const steps = stepsOf(evidence, before)
  const lastChargeAt = lastChargeInstants(evidence.charges)
  const items = new Map<string, ItemTerms>()
  const states: SubscriptionState[] = []
  for (const at of [...steps.keys()].sort((a, b) => a - b)) {
    const step = steps.get(at)
    if (!step) continue
    let isChanged = false
    let shownBy: string | null = null
    const touched = new Set([...step.charges, ...step.credits].map(({ itemKey }) => itemKey))
    for (const itemKey of touched) {
      const prior = items.get(itemKey)
      const credits = step.credits.filter((credit) => credit.itemKey === itemKey)
      const charge = standingCharge(
        step.charges.filter((candidate) => candidate.itemKey === itemKey),
        credits,
        prior,
      )
      const terms = charge
        ? nextTerms(charge, prior, pricing)
        : termsAfterCredit(credits, prior, lastChargeAt.get(itemKey) ?? 0, pricing.subscription)
      if (terms && isSameFigure(terms, prior)) {
        items.set(itemKey, terms)
        continue
      }
      if (!terms && !prior) continue
      isChanged = true
      shownBy ??= charge?.invoice.id ?? null
      if (terms) items.set(itemKey, terms)
      else items.delete(itemKey)
    }
    for (const declaration of step.declarations) {
      items.set(declaration.itemKey, termsOfDeclaration(declaration, items.get(declaration.itemKey), pricing))
      isChanged = true
    }
    for (const itemKey of step.closings) isChanged = items.delete(itemKey) || isChanged
    if (!isChanged) continue
    const invoiceId = shownBy ?? step.charges[0]?.invoice.id ?? step.credits[0]?.invoice.id ?? null
    const isSeen = at === asOf && step.declarations.length + step.closings.length > 0
    states.push(stateOf(at, [...items.values()], invoiceId, isSeen ? 'seen' : 'evidence'))
  }
  return states
}

function stepsOf(evidence: Evidence, before: Instant): Map<Instant, Step> {
  const steps = new Map<Instant, Step>()
  const stepAt = (at: Instant): Step => {
    let step = steps.get(at)
    if (!step) {
      step = { charges: [], credits: [], declarations: [], closings: [] }
      steps.set(at, step)
    }
    return step
  }
  for (const charge of evidence.charges) if (charge.at < before) stepAt(charge.at).charges.push(charge)
  for (const credit of evidence.credits) if (credit.at < before) stepAt(credit.at).credits.push(credit)
  for (const stated of evidence.declarations)
    if (stated.at < before) stepAt(stated.at).declarations.push(stated)
  for (const closing of evidence.closings)
    if (closing.at < before) stepAt(closing.at).closings.push(closing.itemKey)
  for (const step of steps.values()) if (step.charges.length > 1) step.charges.sort(compareCharges)
  return steps
}

function lastChargeInstants(charges: readonly Charge[]): Map<string, Instant> {
  const last = new Map<string, Instant>()
  for (const { itemKey, at } of charges) last.set(itemKey, Math.max(last.get(itemKey) ?? at, at))
  return last
}

/** A renewal that repeats the last bill word for word needs no new sum. */
function nextTerms(charge: Charge, prior: ItemTerms | undefined, pricing: Pricing): ItemTerms {
  if (prior?.source.kind === 'charge' && isSameSaleAgain(prior.source.charge, charge)) {
    return { ...prior, source: { kind: 'charge', charge } }
  }
  return termsOfCharge(charge, prior, pricing)
}

function isSameFigure(terms: ItemTerms, prior: ItemTerms | undefined): boolean {
  return prior !== undefined && terms.monthly === prior.monthly && terms.discountIds === prior.discountIds
}

/**
 * A credit alone ends an item only when the subscription no longer has it and never billed it again. On an item that is
 * still there it is the money back of a cancellation, or the way to no units at all.
 */
function termsAfterCredit(
  credits: readonly Credit[],
  prior: ItemTerms | undefined,
  lastChargeAt: Instant,
  subscription: PaymentSubscription,
): ItemTerms | undefined {
  const at = credits[0]?.at ?? 0
  if (!prior || lastChargeAt > at) return prior
  const item = subscription.items.find(({ id }) => id === prior.itemKey)
  if (item === undefined) return subscription.items.length === 0 ? prior : undefined
  if (item.price.usageType === 'metered') return undefined
  return item.quantity === 0 ? withoutUnits(prior) : prior
}

function withoutUnits(prior: ItemTerms): ItemTerms {
  return {
    ...prior,
    quantity: 0,
    gross: zero,
    discount: zero,
    inclusiveTax: zero,
    monthly: zero,
    zeroBecause: 'lasting',
  }
}
