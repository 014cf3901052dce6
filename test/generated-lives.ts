/** Random accounts for properties; imported by tests only. */
import fc from 'fast-check'
import {
  accountOfLives,
  type Change,
  type GeneratedAccount,
  type Life,
  plans,
} from '#domain/mrr/generated-account.ts'

function changesOf(planCount: number): fc.Arbitrary<Change> {
  return fc.record({
    month: fc.integer({ min: 0, max: 11 }),
    plan: fc.integer({ min: 0, max: planCount - 1 }),
    quantity: fc.integer({ min: 1, max: 30 }),
    isProrated: fc.boolean(),
    offPercent: fc.constantFrom(0, 0, 10, 33, 100),
  })
}

function livesOf(planCount: number): fc.Arbitrary<Life> {
  return fc.record({
    startMonth: fc.integer({ min: 0, max: 12 }),
    changes: fc.array(changesOf(planCount), { maxLength: 5 }),
    endMonth: fc.option(fc.integer({ min: 1, max: 12 })),
    asked: fc.boolean(),
    status: fc.constantFrom('active', 'active', 'past_due', 'trialing', 'unpaid', 'paused', 'incomplete'),
    isTaxed: fc.boolean(),
    unbilled: fc.option(
      fc.record({ quantity: fc.integer({ min: 1, max: 30 }), offPercent: fc.constantFrom(0, 25) }),
      { freq: 2 },
    ),
  })
}

/** How many accounts to make, and of which of the plans. */
type Range = { numRuns: number; planCount?: number }

/** Holds a check against the lives of up to three subscriptions of one customer. Throws at the smallest failure. */
export function holdsForLives(
  { numRuns, planCount = plans.length }: Range,
  check: (lives: readonly Life[]) => void,
): void {
  const lives = fc.array(livesOf(planCount), { minLength: 1, maxLength: 3 })
  fc.assert(fc.property(lives, check), { numRuns })
}

/** The same for the accounts that such lives leave. */
export function holdsForAccounts(range: Range, check: (account: GeneratedAccount) => void): void {
  holdsForLives(range, (lives) => check(accountOfLives(lives)))
}
