import { strict as assert } from 'node:assert'
import { test } from 'vitest'
import { on, rebuild } from '#test/mrr/examples.ts'
import type { Life } from '#test/mrr/generated-bills.ts'
import { holdsForAccounts, propertyMs, runs } from '#test/mrr/generated-lives.ts'
import { graduatedPlan, lastingPercentCount, percentCouponCount } from '#test/mrr/generated-plans.ts'
import type { PaymentDiscount, PaymentPrice, PaymentSubscription, SubscriptionItem } from '../payments.ts'
import { defaultPolicy, type MrrPolicy } from './exact/policy.ts'

/** The value that a subscription states, computed independently of the engine: price x quantity - coupons, per month. */

type Fraction = { top: bigint; bottom: bigint }

/** A whole period in tenths of a cent. */
function grossTenths(
  { unitAmountDecimal, transformQuantity, tiers, tiersMode }: PaymentPrice,
  units: number,
): bigint {
  if (tiers) {
    const [low, high] = tiers
    const bound = low?.upTo ?? 0
    const flat = BigInt(low?.flatAmountDecimal ?? 0)
    const [first, second] = [BigInt(low?.unitAmountDecimal ?? 0), BigInt(high?.unitAmountDecimal ?? 0)]
    const inFirst = BigInt(Math.min(units, bound))
    const above = BigInt(units) - inFirst
    if (tiersMode === 'volume')
      return 10n * (units <= bound ? first * BigInt(units) + flat : second * BigInt(units))
    return 10n * (first * inFirst + flat + second * above)
  }
  const packs = transformQuantity ? units / transformQuantity.divideBy : units
  const billed = transformQuantity?.round === 'down' ? Math.floor(packs) : Math.ceil(packs)
  return BigInt(Math.round(Number(unitAmountDecimal) * 10)) * BigInt(billed)
}

function monthly(cents: Fraction, { interval, intervalCount }: PaymentPrice, policy: MrrPolicy): Fraction {
  const factors = new Map<string | null, readonly [number, number]>([
    ['week', policy.weeksPerMonth],
    ['day', policy.daysPerMonth],
    ['year', [1, 12]],
  ])
  const [times, over] = factors.get(interval) ?? [1, 1]
  return { top: cents.top * BigInt(times), bottom: cents.bottom * BigInt(over) * BigInt(intervalCount) }
}

function counts({ coupon }: PaymentDiscount, { discounts }: MrrPolicy): boolean {
  if (discounts === 'all') return true
  return discounts === 'lasting' ? coupon?.duration === 'forever' : coupon?.duration !== 'once'
}

/** Whole cents that a percentage takes off the remaining amount. */
function offCents(leftTenths: bigint, { coupon }: PaymentDiscount, { price }: SubscriptionItem): bigint {
  const only = coupon?.appliesToProductIds
  if (only && !only.includes(price.productId ?? '')) return 0n
  const hundredths = BigInt(Math.round((coupon?.percentOff ?? 0) * 100))
  return (leftTenths * hundredths + 50_000n) / 100_000n
}

function worthOf(
  item: SubscriptionItem,
  all: readonly PaymentDiscount[],
  policy: MrrPolicy,
  asOf: number,
): Fraction {
  if (item.price.usageType === 'metered') return { top: 0n, bottom: 1n }
  const gross = grossTenths(item.price, item.quantity ?? 0)
  const isIn = ({ startedAt, endsAt }: PaymentDiscount, at: number): boolean =>
    (startedAt ?? 0) <= at && (endsAt === null || at < endsAt)
  // As billed: each discount in whole cents; of those that count only their own part.
  const inCents = ((gross + 5n) / 10n) * 10n
  let billed = inCents
  let off = 0n
  for (const one of all.filter((candidate) => isIn(candidate, item.periodStart))) {
    const cents = offCents(billed, one, item)
    billed -= cents * 10n
    if (counts(one, policy)) off += cents
  }
  const isNew = (one: PaymentDiscount): boolean => !isIn(one, item.periodStart) && isIn(one, asOf)
  const added = all.filter((candidate) => isNew(candidate) && counts(candidate, policy))
  const standing = all.filter((candidate) => isIn(candidate, asOf) && counts(candidate, policy))
  const isOneGone = all.some((one) => isIn(one, item.periodStart) && !isIn(one, asOf) && counts(one, policy))
  const offWith = (ones: PaymentDiscount[], before: bigint): bigint =>
    ones.reduce((sum, one) => {
      const left = inCents - sum * 10n
      return sum + offCents(left > 0n ? left : 0n, one, item)
    }, before)
  // No bill has one that is gone and one that came after it.
  const isReplaced = isOneGone && added.length > 0
  const later = isReplaced ? offWith(standing, 0n) : offWith(added, off)
  if (later > off) off = later
  const net = gross - off * 10n
  return monthly({ top: net > 0n ? net : 0n, bottom: 10n }, item.price, policy)
}

function statedCents(
  { items }: PaymentSubscription,
  discounts: readonly PaymentDiscount[],
  policy: MrrPolicy,
  asOf: number,
): number {
  const sum = items
    .map((item) => worthOf(item, discounts, policy, asOf))
    .reduce((a, b) => ({ top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom }))
  return Number((2n * sum.top + sum.bottom) / (2n * sum.bottom))
}

/**
 * Lives in which the current items and coupons determine the value: no included tax, and changes or coupons but not both.
 */
function stated(life: Life): Life {
  const isDiscounted = life.coupons.length > 0
  const unbilled = life.unbilled && {
    quantity: isDiscounted ? (life.items[0]?.quantity ?? 0) : life.unbilled.quantity,
    coupon: life.unbilled.coupon === null || isDiscounted ? null : life.unbilled.coupon % lastingPercentCount,
  }
  return {
    ...life,
    items: life.items.map((item) => ({
      ...item,
      plan: isDiscounted && item.plan === graduatedPlan ? graduatedPlan - 1 : item.plan,
      changes: isDiscounted ? [] : item.changes,
    })),
    coupons: life.coupons.map((one) => ({ ...one, coupon: one.coupon % percentCouponCount })),
    status: life.status === 'past_due' ? 'past_due' : 'active',
    endMonth: null,
    hasInclusiveTax: false,
    hasSetupFee: false,
    discountsOn: 'lines',
    hasBareProrations: false,
    invoices: 'all paid',
    unbilled,
  }
}

test(`R20 on ${runs} accounts: the current MRR is what items and coupons say, whether an invoice shows it or not`, {
  timeout: propertyMs,
}, () => {
  holdsForAccounts(({ account, policy: { discounts: which, weeksPerMonth, daysPerMonth } }) => {
    const policy = { ...defaultPolicy, discounts: which, weeksPerMonth, daysPerMonth }
    const { subscriptions, events } = rebuild({ ...account, policy })
    for (const [index, subscription] of account.subscriptions.entries()) {
      if (subscription.items.length === 0 || subscription.status === 'trialing') continue
      const expected = statedCents(subscription, account.discounts[index] ?? [], policy, on(account.asOf))
      assert.equal(subscriptions[index]?.currentMrrCents, expected)
      const last = events.findLast(({ subscriptionId }) => subscriptionId === subscription.id)
      assert.equal(last?.currentMrrCents ?? 0, expected)
    }
  }, stated)
})
