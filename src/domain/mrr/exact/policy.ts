/**
 * The choices on which systems that count recurring revenue differ. Each choice is data, so every organization can have
 * its own; `defaultPolicy` follows the rule book.
 */
export type MrrPolicy = {
  /** Which revision of the organization's choices this is, shown on every receipt; 0 when it has chosen nothing. */
  revision: number
  /** R4: which discounts lower MRR. 'lasting' ignores once and repeating coupons, 'recurring' only once coupons. */
  discounts: 'all' | 'recurring' | 'lasting'
  /** R18: when a cancelled subscription stops counting: at its actual end or when the cancellation was requested. */
  churnAt: 'end' | 'request'
  /** R17: whether the status unpaid ends the revenue. */
  unpaid: 'churn' | 'counts'
  /** R17: days after which the first open invoice since the last paid one ends a past_due subscription; null: never. */
  pastDueChurnAfterDays: number | null
  /** R15: how an additional subscription of a paying customer is classified. */
  furtherSubscription: 'own' | 'movement'
  /** R35: seconds within which an end and a start of one customer at the same MRR count as a move; 0: never. */
  recreateWithinSeconds: number
  /** R2: weeks in a month as a fraction. */
  weeksPerMonth: readonly [number, number]
  /** R2: days in a month as a fraction. */
  daysPerMonth: readonly [number, number]
}

export const defaultPolicy: MrrPolicy = {
  revision: 0,
  discounts: 'all',
  churnAt: 'end',
  unpaid: 'churn',
  pastDueChurnAfterDays: null,
  furtherSubscription: 'own',
  recreateWithinSeconds: 24 * 3600,
  weeksPerMonth: [52, 12],
  daysPerMonth: [365, 12],
}
