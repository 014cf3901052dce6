/** Random accounts and policies for properties. */

import { defaultPolicy, type MrrPolicy } from '#domain/mrr/exact/policy.ts'
import { fc } from '../fast-check.ts'
import { accountOfLives, type GeneratedAccount } from './generated-account.ts'
import type { ItemLife, Life } from './generated-bills.ts'
import { couponCount, currencies, planCount } from './generated-plans.ts'

const plan = fc.integer({ min: 0, max: planCount - 1 })
const quantity = fc.integer({ min: 0, max: 30 })
const coupon = fc.integer({ min: 0, max: couponCount - 1 })
const period = fc.integer({ min: 0, max: 8 })

const itemLife: fc.Arbitrary<ItemLife> = fc.record({
  plan,
  quantity,
  changes: fc.array(fc.record({ plan, quantity, period, isProrated: fc.boolean() }), { maxLength: 3 }),
  gone: fc.option(fc.record({ period, isCredited: fc.boolean() }), { freq: 6 }),
})

const life: fc.Arbitrary<Life> = fc.record({
  currency: fc.integer({ min: 0, max: currencies.length - 1 }),
  startMonth: fc.integer({ min: 0, max: 15 }),
  endMonth: fc.option(fc.integer({ min: 1, max: 12 }), { freq: 3 }),
  asked: fc.boolean(),
  status: fc.constantFrom('active', 'active', 'past_due', 'trialing', 'unpaid', 'paused', 'incomplete'),
  items: fc.oneof(
    { weight: 3, arbitrary: fc.tuple(itemLife) },
    { weight: 2, arbitrary: fc.array(itemLife, { minLength: 2, maxLength: 3 }) },
  ),
  coupons: fc.array(fc.record({ coupon, month: fc.integer({ min: 0, max: 14 }) }), { maxLength: 2 }),
  discountsOn: fc.constantFrom('lines', 'lines', 'invoice'),
  trialDays: fc.constantFrom(0, 0, 0, 14),
  begins: fc.constantFrom('usual', 'usual', 'short, prorated', 'short, ordinary', 'moved here', 'backdated'),
  hasInclusiveTax: fc.boolean(),
  hasSetupFee: fc.boolean(),
  hasBareProrations: fc.boolean(),
  hasOwnWords: fc.boolean(),
  invoices: fc.constantFrom('all paid', 'all paid', 'some given up', 'some open', 'last draft', 'last void'),
  unbilled: fc.option(fc.record({ quantity, coupon: fc.option(coupon) }), { freq: 2 }),
})

const policy: fc.Arbitrary<MrrPolicy> = fc.oneof(
  fc.constant(defaultPolicy),
  fc.record<MrrPolicy>({
    revision: fc.constant(0),
    discounts: fc.constantFrom('all', 'recurring', 'lasting'),
    churnAt: fc.constantFrom('end', 'request'),
    unpaid: fc.constantFrom('churn', 'counts'),
    pastDueChurnAfterDays: fc.constantFrom(null, 1, 30, 90),
    furtherSubscription: fc.constantFrom('own', 'movement'),
    recreateWithinSeconds: fc.constantFrom(0, 3600, 24 * 3600, 30 * 24 * 3600),
    weeksPerMonth: fc.constantFrom([52, 12], [4, 1], [365, 84]),
    daysPerMonth: fc.constantFrom([365, 12], [30, 1]),
  }),
)

/** The account of up to three subscriptions of one customer, their histories, and the policy. */
export type Sample = { lives: readonly Life[]; account: GeneratedAccount; policy: MrrPolicy }

/** This number of accounts and policies, the same every time for the same seed. */
export function sampleAccounts(count: number, seed = 1): Pick<Sample, 'account' | 'policy'>[] {
  const some = fc.tuple(fc.array(life, { minLength: 1, maxLength: 2 }), policy)
  return fc
    .sample(some, { seed, numRuns: count })
    .map(([lives, counted]) => ({ account: accountOfLives(lives), policy: counted }))
}

/** The number of accounts that each property is checked against; `npm run prove -- mrr` uses more. */
export const runs = Number(process.env['MRR_RUNS'] ?? 400)

/** Time limit of a property, in milliseconds. */
export const propertyMs = 60_000 + 10 * runs

/** Runs a check against random accounts and policies. Throws at the smallest failure; `adapt` restricts the lives. */
export function holdsForAccounts(
  check: (sample: Sample) => void,
  adapt: (life: Life) => Life = (same) => same,
): void {
  const lives = fc.array(life, { minLength: 1, maxLength: 2 }).map((some) => some.map(adapt))
  const property = fc.property(lives, policy, (some, counted) =>
    check({ lives: some, account: accountOfLives(some), policy: counted }),
  )
  fc.assert(property, { numRuns: runs })
}
