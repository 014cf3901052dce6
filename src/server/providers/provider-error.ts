import { redacted } from './redacted.ts'

/**
 * What a provider would not do. `unauthorized`: the credential is refused for good. `forbidden`: a permission or plan
 * is missing. `rate_limited` and `unavailable`: worth another try later. `rejected`: this request as it is never works.
 */
export type ProviderErrorKind =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'rejected'
  | 'rate_limited'
  | 'unavailable'

/** A failed call to a provider. The message is for people and holds no secret and no raw answer. */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind
  /** How long the provider asks us to wait; undefined where it does not say. */
  readonly retryAfterMs: number | undefined
  /** The provider's own id of the request, for its support. */
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
