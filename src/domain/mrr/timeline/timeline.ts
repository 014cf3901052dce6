import type { Instant } from '../../instant.ts'
import type { PaymentSubscription } from '../../payments.ts'
import type { Charge, Credit } from '../bills/bill.ts'
import { daySeconds } from '../exact/interval.ts'
import { zero } from '../exact/rational.ts'
import { renewalDriftSeconds, sameRequestSeconds } from '../exact/tolerances.ts'
import { spreadAmountsOff } from '../terms/discounts/spread-amounts-off.ts'
import type { ItemTerms, Pricing } from '../terms/item-terms.ts'
import { termsOfCharge } from '../terms/terms-of-charge.ts'
import { applyObservations, type Held } from './apply-observations.ts'
import { chargeInForce, isSameSaleAgain } from './charges-in-force.ts'
import { type Evidence, stepsOf, type TimelineStep } from './steps.ts'
import { type SubscriptionState, stateOf } from './subscription-state.ts'

/** `items`: those of the last state, as on their latest bills. */
export type Timeline = { states: SubscriptionState[]; items: ItemTerms[] }

/**
 * Walks the evidence of one subscription in order of time and returns its states. One second is one step (R37); between
 * steps every item keeps its terms (R20).
 */
export function timelineOf(evidence: Evidence, pricing: Pricing, before: Instant): Timeline {
  const chargesOf = Map.groupBy(evidence.charges, ({ itemKey }) => itemKey)
  const held: Held = { items: new Map(), billed: new Map() }
  const states: SubscriptionState[] = []
  for (const [at, step] of stepsOf(evidence, before)) {
    const billing = bill(step, held, pricing, chargesOf)
    // Bills of this instant already show how an amount off is shared.
    const heldBefore =
      step.charges.length === 0 && step.observations.length > 0 ? new Map(held.items) : undefined
    const outcome = applyObservations(step.observations, held, pricing)
    if (heldBefore && outcome.datedBy && !outcome.isEnd) {
      for (const terms of spreadAmountsOff(heldBefore, held.items, pricing))
        held.items.set(terms.itemKey, terms)
    }
    let isClosed = false
    for (const itemKey of step.closings) isClosed = held.items.delete(itemKey) || isClosed
    if (billing.datedBy || outcome.datedBy || isClosed) {
      const invoiceId = billing.shownBy ?? step.charges[0]?.invoice.id ?? step.credits[0]?.invoice.id ?? null
      states.push(
        stateOf(at, [...held.items.values()], {
          invoiceId,
          observationId: outcome.id,
          cause: outcome.isEnd && held.items.size === 0 ? 'end' : 'evidence',
          datedBy: billing.datedBy ?? outcome.datedBy ?? 'closing',
          isNetted: billing.isNetted,
        }),
      )
    } else if (outcome.id !== null) {
      confirm(states, outcome.id)
    }
  }
  return { states, items: [...held.items.values()] }
}

/** An invoice dates a change that was only observed before: the change gets the exact instant, its event keeps its id. */
function confirm(states: SubscriptionState[], observationId: string): void {
  const last = states.at(-1)
  if (last && last.observationId === null) states[states.length - 1] = { ...last, observationId }
}

/** `datedBy`: the evidence of the change; null without one. */
type Billing = { datedBy: 'period' | 'credit' | 'start' | null; shownBy: string | null; isNetted: boolean }

/** Applies the charges and credits of one step. */
function bill(
  step: TimelineStep,
  held: Held,
  pricing: Pricing,
  chargesOf: ReadonlyMap<string, readonly Charge[]>,
): Billing {
  const { items, billed } = held
  const isInside = step.credits.length > 0 || step.charges.some(({ isProration }) => isProration)
  const before = isInside ? new Map(items) : undefined
  let datedBy: Billing['datedBy'] = null
  let shownBy: string | null = null
  let isNetted = false
  for (const itemKey of keysOf(step)) {
    const prior = items.get(itemKey)
    const credits = step.credits.filter((credit) => credit.itemKey === itemKey)
    const charges = step.charges.filter((candidate) => candidate.itemKey === itemKey)
    const charge = chargeInForce(charges, credits, prior)
    isNetted ||= charges.length > 1
    const terms = charge
      ? nextTerms(charge, prior, pricing)
      : termsAfterCredit(credits, prior, chargesOf.get(itemKey) ?? [], pricing.subscription)
    if (terms && charge) billed.set(itemKey, terms)
    if (terms && isSameFigure(terms, prior)) {
      items.set(itemKey, terms)
      continue
    }
    if (!terms && !prior) continue
    datedBy = strongerDating(datedBy, charge)
    shownBy ??= charge?.invoice.id ?? null
    if (terms) items.set(itemKey, terms)
    else items.delete(itemKey)
  }
  if (before && datedBy) {
    for (const terms of spreadAmountsOff(before, items, pricing)) {
      items.set(terms.itemKey, terms)
      billed.set(terms.itemKey, terms)
    }
  }
  return { datedBy, shownBy, isNetted }
}

/**
 * The strongest evidence for the date of a change of several items: a first start, then a billed period, then a credit.
 */
function strongerDating(known: Billing['datedBy'], charge: Charge | undefined): Billing['datedBy'] {
  if (known === 'start' || charge?.countsFrom !== undefined) return 'start'
  return charge || known === 'period' ? 'period' : 'credit'
}

function keysOf({ charges, credits }: TimelineStep): Iterable<string> {
  const [charge] = charges
  if (charges.length === 1 && credits.length === 0 && charge) return [charge.itemKey]
  return new Set([...charges, ...credits].map(({ itemKey }) => itemKey))
}

/** A renewal that exactly repeats the last bill needs no new calculation, if the terms are still those of that bill. */
function nextTerms(charge: Charge, prior: ItemTerms | undefined, pricing: Pricing): ItemTerms {
  const isAsBilled = prior !== undefined && !prior.isSpread && !prior.emptiedBy
  if (isAsBilled && prior.source.kind === 'charge' && isSameSaleAgain(prior.source.charge, charge)) {
    return { ...prior, source: { kind: 'charge', charge } }
  }
  return termsOfCharge(charge, prior, pricing)
}

function isSameFigure(terms: ItemTerms, prior: ItemTerms | undefined): boolean {
  return prior !== undefined && terms.monthly === prior.monthly && terms.discounts === prior.discounts
}

/**
 * A credit alone ends an item that the subscription no longer has, and takes all units of one that it has with none. The
 * item's next bill, or else the end of the subscription, tells whether there was a gap.
 */
function termsAfterCredit(
  credits: readonly Credit[],
  prior: ItemTerms | undefined,
  charges: readonly Charge[],
  { items, endedAt, trialStart }: PaymentSubscription,
): ItemTerms | undefined {
  const at = credits[0]?.at ?? 0
  if (!prior) return undefined
  const item = items.find(({ id }) => id === prior.itemKey)
  const next = nextAfter(at, charges)
  // What was billed before a trial counts in it (R17).
  const isForTrial = trialStart !== null && Math.abs(trialStart - at) <= sameRequestSeconds
  if (next && !showsGap(next, at, prior, isForTrial)) return prior
  if (item === undefined) return items.length === 0 ? prior : undefined
  if (item.price.usageType === 'metered') return undefined
  const isEndedLater = endedAt !== null && endedAt > at + daySeconds && !isForTrial
  return next || isEndedLater || item.quantity === 0 ? withoutUnits(prior, credits) : prior
}

function nextAfter(at: Instant, charges: readonly Charge[]): Charge | undefined {
  return charges
    .filter((charge) => charge.at > at)
    .reduce<Charge | undefined>(
      (first, charge) => (first && first.at <= charge.at ? first : charge),
      undefined,
    )
}

/**
 * Whether nothing was sold between a credit and the next bill: it is for no units, for a later part of the period, or for
 * a new cycle that begins more than a day later, as after a pause.
 */
function showsGap(
  { at, quantity, isProration }: Charge,
  creditedAt: Instant,
  { source }: ItemTerms,
  isForTrial: boolean,
): boolean {
  if (quantity === 0) return true
  if (isProration) return at > creditedAt + sameRequestSeconds
  const isRenewal = source.kind !== 'charge' || Math.abs(at - source.charge.until) <= renewalDriftSeconds
  return !isRenewal && !isForTrial && at > creditedAt + daySeconds
}

function withoutUnits(prior: ItemTerms, emptiedBy: readonly Credit[]): ItemTerms {
  return {
    ...prior,
    emptiedBy,
    quantity: 0,
    gross: zero,
    discount: zero,
    discounts: prior.discounts.map((part) => ({ ...part, off: zero })),
    inclusiveTax: zero,
    monthly: zero,
    zeroBecause: 'lasting',
  }
}
