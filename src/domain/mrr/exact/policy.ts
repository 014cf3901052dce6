/**
 * The choices that systems make differently when they count recurring revenue. Every switch is data, so an organization
 * can keep its own; `defaultPolicy` is the rule book.
 */
export type MrrPolicy = {
  /** Which of the organization's choices this is, named on every receipt; 0 where it has chosen nothing. */
  revision: number
  /** R4: which discounts lower MRR. 'lasting' leaves out once and repeating coupons, 'recurring' only once coupons. */
  discounts: 'all' | 'recurring' | 'lasting'
  /** R18: when a cancelled subscription stops counting: at its real end or when it was asked for. */
  churnAt: 'end' | 'request'
  /** R17: whether the status unpaid ends the revenue. */
  unpaid: 'churn' | 'counts'
  /** R17: days after which the oldest open invoice of a past_due subscription ends its revenue; null: never. */
  pastDueChurnAfterDays: number | null
  /** R15: what a further subscription of a paying customer is. */
  furtherSubscription: 'own' | 'movement'
  /** R35: seconds within which an end and a start of one customer at the same MRR are a move; 0: never. */
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
