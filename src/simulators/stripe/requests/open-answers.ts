/**
 * How Stripe answers what its documents leave open. Each can be switched, so that a client can be tried with every answer
 * that is possible; what the objects hold is up to the world.
 */
export type StripeAnswers = {
  /** Whether ordinary answers say how many requests are left. */
  readonly hasRateHeaders: boolean
  /** The `code` of the refusal for a missing permission, with the words of today; null for none, and earlier words. */
  readonly refusalCode: string | null
  /** Whether that refusal names the permission and the account. */
  readonly refusalNames: boolean
}

/** As seen in public reports of 2026. */
export const usualAnswers: StripeAnswers = {
  hasRateHeaders: false,
  refusalCode: 'more_permissions_required',
  refusalNames: true,
}
