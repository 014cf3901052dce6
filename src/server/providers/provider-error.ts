import { redacted } from './redacted.ts'

/**
 * Why a call failed. `unauthorized`: the credential no longer works. `forbidden`: a permission or plan is missing.
 * `rate_limited` and `unavailable`: try again later. `rejected`: this request can never succeed.
 */
export type ProviderErrorKind =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'rejected'
  | 'rate_limited'
  | 'unavailable'

/** A failed call to a provider. The message is for people and contains no secret and no raw answer. */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind
  /** How long the provider asks us to wait; undefined when it does not say. */
  readonly retryAfterMs: number | undefined
  /** The provider's id of the request, which its support asks for. */
  readonly requestId: string | undefined

  constructor(
    kind: ProviderErrorKind,
    message: string,
    details: { retryAfterMs?: number; requestId?: string; cause?: unknown } = {},
  ) {
    super(redacted(message), { cause: details.cause })
    this.name = 'ProviderError'
    this.kind = kind
    this.retryAfterMs = details.retryAfterMs
    this.requestId = details.requestId
  }

  get isWorthRetrying(): boolean {
    return this.kind === 'rate_limited' || this.kind === 'unavailable'
  }
}
