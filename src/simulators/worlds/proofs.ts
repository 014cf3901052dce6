import type { Books } from './books.ts'
import { discountCents, discountLines, discountsInForce, taxCents } from './discounting.ts'
import { draftLine } from './draft-lines.ts'
import { monthlyFactor, ratePrice } from './rating.ts'
import { fraction, plus, type Rational, roundHalfUp, times, ZERO } from './rational.ts'
import type { Cause, DraftLine, Effect, Item, Proof, Subscription } from './state.ts'
import type { TruthChange, TruthSubscription } from './truth.ts'

/** What charges for whole service periods prove: net of discounts and of tax inside the price, per month. */
export function proofsOfCharges(lines: DraftLine[], inclusive: boolean): Map<string, Proof | null> {
  const proofs = new Map<string, Proof | null>()
  for (const line of lines) {
    if (line.item === null || line.kind === 'one_off' || line.kind === 'proration') continue
    const netCents = line.amount - discountCents(line) - (inclusive ? line.taxCents : 0)
    const mrr = times(fraction(netCents), monthlyFactor(line.price))
    const known = proofs.get(line.item.id)?.mrr ?? ZERO
    proofs.set(line.item.id, { mrr: plus(known, mrr), quantity: line.item.quantity ?? 0 })
  }
  return proofs
}

/** What a full period of these items would prove under the discounts of now, whatever part of it is charged. */
export function proofsOfFullPeriods(
  subscription: Subscription,
  items: Item[],
  now: number,
): Map<string, Proof | null> {
  const lines = items.flatMap((item) =>
    ratePrice(item.price, item.quantity ?? 0).map((rated) =>
      draftLine('recurring', item, rated, item.periodStart, item.periodEnd),
    ),
  )
  discountLines(lines, discountsInForce(subscription, now), now)
  const rate = subscription.taxRate
  for (const line of lines)
    line.taxCents = rate === null ? 0 : taxCents(rate, line.amount - discountCents(line))
  return proofsOfCharges(lines, rate?.inclusive ?? false)
}

/** Writes into the truth what a final invoice proves. */
export function applyEffect(books: Books, subscription: Subscription, effect: Effect): void {
  for (const [itemId, proof] of effect.proofs) {
    if (proof === null) subscription.proven.delete(itemId)
    else subscription.proven.set(itemId, proof)
  }
  let mrr: Rational = ZERO
  let quantity = 0
  for (const proof of subscription.proven.values()) {
    mrr = plus(mrr, proof.mrr)
    quantity += proof.quantity
  }
  const mrrCents = Math.max(0, roundHalfUp(mrr))
  const { at, cause, temporary } = effect
  record(truthOf(books, subscription), { at, mrrCents, quantity, cause, temporary, evidence: 'line' })
}

/** The subscription brings nothing any more from this instant on. */
export function proveNothing(
  books: Books,
  subscription: Subscription,
  at: number,
  cause: Cause,
  evidence: TruthChange['evidence'],
): void {
  subscription.proven.clear()
  record(truthOf(books, subscription), { at, mrrCents: 0, quantity: 0, cause, temporary: false, evidence })
}

/** Takes back everything: the invoice that proved it was voided (rule R26). */
export function withdrawTruth(books: Books, subscription: Subscription): void {
  subscription.proven.clear()
  truthOf(books, subscription).changes.length = 0
}

function truthOf(books: Books, subscription: Subscription): TruthSubscription {
  const truth = books.truth.get(subscription.id)
  if (truth === undefined) throw new RangeError(`no truth for ${subscription.id}`)
  return truth
}

/** Nothing is noted before the first revenue (R10), nor twice for one instant (R37), nor without a change. */
function record(truth: TruthSubscription, change: TruthChange): void {
  const changes = truth.changes
  const last = changes.at(-1)
  if (last !== undefined && last.at > change.at) throw new RangeError(`truth of ${truth.id} runs backwards`)
  if (last === undefined && change.mrrCents === 0) return
  if (last !== undefined && last.at === change.at) changes.pop()
  const before = changes.at(-1)
  if (before === undefined && change.mrrCents === 0) return
  if (before?.mrrCents === change.mrrCents && before.quantity === change.quantity) return
  changes.push(change)
}
