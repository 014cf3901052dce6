import { type FailedRequest, safeRequest } from './failed-request.ts'
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

/** Learns after each request whether the provider answered it, as `isAnswered` of a failure says. */
export type OnHeard = (isAnswered: boolean) => void

/** A failed call to a provider. The message is for people and contains no secret and no raw answer. */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind
  /** How long the provider asks us to wait; undefined when it does not say. */
  readonly retryAfterMs: number | undefined
  /** What the provider's support asks for. Empty where no request was sent. */
  readonly request: FailedRequest

  constructor(
    kind: ProviderErrorKind,
    message: string,
    details: { retryAfterMs?: number; request?: FailedRequest; cause?: unknown } = {},
  ) {
    super(redacted(message), { cause: details.cause })
    this.name = 'ProviderError'
    this.kind = kind
    this.retryAfterMs = details.retryAfterMs
    this.request = safeRequest(details.request ?? {})
  }

  get isWorthRetrying(): boolean {
    return this.kind === 'rate_limited' || this.kind === 'unavailable'
  }

  /**
   * Whether the provider answered: not where it gave no answer, or only an error of its own (a status of 500 and above). A lock
   * is an answer, although it is `unavailable` too.
   */
  get isAnswered(): boolean {
    return this.kind !== 'unavailable' || (this.request.status ?? 500) < 500
  }
}

/** Ends a provider's message as a sentence, so that another may follow. Some messages have no period. */
export function asSentence(message: string): string {
  const text = message.trim()
  return text === '' || /[.!?…]$/.test(text) ? text : `${text}.`
}
