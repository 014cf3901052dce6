import type { TruthChange } from '../expected/truth.ts'
import { discountsInForce, itemDiscountsInForce } from '../lines/discounting.ts'
import type {
  Cause,
  Debit,
  Discount,
  Fact,
  FactEvidence,
  Item,
  WorldSubscription,
  Worth,
} from '../model/subscription.ts'
import { type Fraction, isLess, plus, roundHalfUp, zero } from '../numbers/rational.ts'
import { agreedWorth, type Standing, standingNow } from './agreed.ts'

/** Notes that the subscription brings no revenue from this instant on. */
export function noteNothing(
  subscription: WorldSubscription,
  at: number,
  cause: Cause,
  evidence: FactEvidence,
): void {
  subscription.facts.push({ at, cause, evidence, worths: null })
}

/** Removes the note of an interruption: once the subscription resumes or ends, the account shows no trace of it. */
export function forgetInterruption(subscription: WorldSubscription): void {
  if (subscription.facts.at(-1)?.worths === null) subscription.facts.pop()
}

/**
 * All changes of recurring revenue up to now that a reader of the account can know, in ascending order: first those
 * that service periods and prorations date, then those that only the subscription object shows.
 */
export function changesOf(subscription: WorldSubscription, now: number): TruthChange[] {
  const facts = subscription.facts.filter((fact) => fact.at <= now).sort((a, b) => a.at - b.at)
  const { status } = subscription
  const isCounting = status === 'active' || status === 'past_due'
  const unbilledSince = isCounting ? instantsWithoutBill(subscription, afterAll(facts), now) : []
  const unbilled = unbilledSince.map((at) => ({ at, cause: 'unbilled', evidence: 'state' }) as const)
  const changes: TruthChange[] = []
  const worths = new Map<string, Worth>()
  for (const one of [...facts, ...unbilled].sort((a, b) => a.at - b.at)) {
    if ('worths' in one) take(worths, one)
    const since = unbilledSince.filter((at) => at <= one.at)
    note(
      changes,
      since.length > 0 ? stateWithoutBill(subscription, worths, afterAll(facts), since, now) : worths,
      one,
    )
  }
  return changes
}

function take(worths: Map<string, Worth>, fact: Fact): void {
  if (fact.worths === null) worths.clear()
  for (const [itemId, worth] of fact.worths ?? []) {
    if (worth === null) worths.delete(itemId)
    else worths.set(itemId, worth)
  }
}

function afterAll(facts: readonly Fact[]): ReadonlyMap<string, Worth> {
  const worths = new Map<string, Worth>()
  for (const fact of facts) take(worths, fact)
  return worths
}

/** Skips everything before the first revenue (R10), a second note for one instant (R37), and what changes nothing. */
function note(changes: TruthChange[], worths: ReadonlyMap<string, Worth>, about: Omit<Fact, 'worths'>): void {
  let mrr: Fraction = zero
  let quantity = 0
  let temporary = false
  for (const worth of worths.values()) {
    mrr = plus(mrr, worth.mrr)
    quantity += worth.quantity
    temporary ||= worth.temporary
  }
  const { at, cause, evidence } = about
  const mrrCents = Math.max(0, roundHalfUp(mrr))
  if (changes.at(-1)?.at === at) changes.pop()
  const before = changes.at(-1)
  if (before === undefined && mrrCents === 0) return
  if (before?.mrrCents === mrrCents && before.quantity === quantity) {
    if (before.temporary && !temporary) before.lapsed = true
    return
  }
  changes.push({ at, mrrCents, quantity, cause, temporary, evidence })
}

/**
 * The instants at which the account shows what no final invoice contains. A new item shows at its creation, a period
 * without a final invoice at its start, everything else only when a reader looks.
 */
function instantsWithoutBill(
  subscription: WorldSubscription,
  worths: ReadonlyMap<string, Worth>,
  now: number,
): number[] {
  const instants = new Set<number>()
  for (const item of subscription.items.filter((one) => one.unshown)) {
    if (!worths.has(item.id)) instants.add(item.created)
    else if (item.debit?.shown === false) instants.add(item.periodStart)
  }
  return [...instants, now].sort((a, b) => a - b)
}

/**
 * The worths at the last instant of `since`: those that invoices had proven by then, and those that the account shows
 * without a bill. `proven` holds what invoices prove in the end.
 */
function stateWithoutBill(
  subscription: WorldSubscription,
  provenThen: ReadonlyMap<string, Worth>,
  proven: ReadonlyMap<string, Worth>,
  since: readonly number[],
  now: number,
): Map<string, Worth> {
  const worths = new Map<string, Worth>()
  const { items, removed } = subscription
  const at = since.at(-1) ?? now
  for (const [id, worth] of provenThen) {
    const isHeld = items.some((item) => item.id === id)
    if (isHeld || (at < now && !since.includes(removed.get(id) ?? now))) worths.set(id, worth)
  }
  const seen = items.filter(
    (item) =>
      item.unshown &&
      (at === now ||
        (proven.has(item.id) ? item.debit?.shown === false && item.periodStart <= at : item.created <= at)),
  )
  const { billed, current, joined, isReplaced } = standingSince(subscription, at, now)
  const [both, earlier, later] = [joined, billed, current].map((standing) =>
    agreedWorth(subscription, seen, standing),
  )
  for (const item of seen) {
    const [one, other] = isReplaced(item) ? [earlier, later] : [both, both]
    const [worth, lower] = [one?.get(item.id), other?.get(item.id)]
    if (worth && lower) worths.set(item.id, isLess(lower.mrr, worth.mrr) ? lower : worth)
  }
  return worths
}

/**
 * A billed period keeps its discounts; a discount added later lowers the rest of the period (R4, R6). No invoice has both one
 * that is gone and one that came after it, so the lower worth of the two counts.
 */
function standingSince(subscription: WorldSubscription, at: number, now: number) {
  const then = standingNow(subscription, now)
  // A discount that only a draft has used up is not spent for anything else.
  const carried = ({ debit }: Item): Discount[] =>
    discountsOf(debit).filter(({ spent }) => debit?.shown || !spent)
  const isAdded = (item: Item) => {
    const billedAt = item.debit?.billedAt ?? Number.NEGATIVE_INFINITY
    return ({ start }: Discount): boolean => billedAt < start && start <= at
  }
  const billed: Standing = {
    ofItem: (item) => carried(item).filter((one) => one.item !== null),
    ofSubscription: (item) => carried(item).filter((one) => one.item === null),
  }
  const current: Standing = {
    ofItem: (item) => then.ofItem(item).filter(({ start }) => start <= at),
    ofSubscription: (item) => then.ofSubscription(item).filter(({ start }) => start <= at),
  }
  const joined: Standing = {
    ofItem: (item) => [...new Set([...billed.ofItem(item), ...current.ofItem(item).filter(isAdded(item))])],
    ofSubscription: (item) => [
      ...new Set([...billed.ofSubscription(item), ...current.ofSubscription(item).filter(isAdded(item))]),
    ],
  }
  const isReplaced = (item: Item): boolean => {
    const standing = [...current.ofItem(item), ...current.ofSubscription(item)]
    return standing.some(isAdded(item)) && carried(item).some((one) => !standing.includes(one))
  }
  return { billed, current, joined, isReplaced }
}

/** Whether the discounts in force for an item are exactly those of the bill for its running period. */
export function isSettled(subscription: WorldSubscription, item: Item, now: number): boolean {
  const carried = discountsOf(item.debit)
  const inForce = [...itemDiscountsInForce(item, now), ...discountsInForce(subscription, now)]
  return inForce.every((one) => carried.includes(one)) && carried.every((one) => inForce.includes(one))
}

function discountsOf(debit: Debit | null): Discount[] {
  return (debit?.parts ?? []).flatMap(({ discounts }) => discounts.map(({ discount }) => discount))
}
