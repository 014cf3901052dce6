import Stripe from 'stripe'
import type { FailedRequest } from '../failed-request.ts'
import { ProviderError } from '../provider-error.ts'
import { strangenessOf } from './guarded-client.ts'
import { permissionNames } from './permissions.ts'

const { errors } = Stripe

/** The code of the 403 for an account that the key may not read at all. */
const noSuchAccount = 'account_invalid'

/** The refusal for an object that does not exist. `param` is the parameter that named it. */
export function isResourceMissing(error: unknown, param?: string): boolean {
  return (
    error instanceof errors.StripeError &&
    error.code === 'resource_missing' &&
    (param === undefined || error.param === param)
  )
}

/**
 * Whether Stripe refused because of too many requests; the reason names the limit. An object that is locked by another
 * request is refused in the same way, though slower requests would not help.
 */
export function rateLimitReason(error: unknown): { reason: string | undefined; isLock: boolean } | undefined {
  if (!(error instanceof errors.StripeError)) return undefined
  if (error.statusCode !== 429 && error.code !== 'rate_limit') return undefined
  const reason = error.headers?.['stripe-rate-limited-reason']
  return { reason: typeof reason === 'string' ? reason : undefined, isLock: error.code === 'lock_timeout' }
}

const retryAfterMaxMs = 3_600_000

/** How long an answer asks us to wait. Stripe promises no such header, but what stands before it may send one. */
function retryAfterOf(error: unknown): { retryAfterMs?: number } {
  const header: unknown = error instanceof errors.StripeError ? error.headers?.['retry-after'] : undefined
  if (typeof header !== 'string' || !/^\d{1,9}$/.test(header.trim())) return {}
  return { retryAfterMs: Math.min(Number(header) * 1_000, retryAfterMaxMs) }
}

/** How Stripe refuses a key that is limited to some IP addresses. It may name the one from which it was asked. */
const addressRefusal = /does not allow requests from your IP address(?: \(([\da-f.:]+)\))?/i

function isAddressRefused(error: unknown): error is Error {
  return error instanceof errors.StripeError && addressRefusal.test(error.message)
}

/** Whether the key lacks a permission. Stripe often names it, but not for what restricted keys can never have. */
export function isPermissionMissing(error: unknown): boolean {
  return (
    error instanceof errors.StripePermissionError && error.code !== noSuchAccount && !isAddressRefused(error)
  )
}

/**
 * The permission that a 403 requires, by its name on Stripe's key page; undefined if it names none. Stripe calls it
 * 'plan_read' now and 'rak_plan_read' before.
 */
export function permissionOf(error: unknown): string | undefined {
  if (!(error instanceof errors.StripePermissionError)) return undefined
  const word = /'(?:rak_)?([a-z_]+)_read'/.exec(error.message)?.[1]
  return word === undefined ? undefined : (permissionNames[word] ?? word.replaceAll('_', ' '))
}

/** The account that a 403 names. A restricted key may reveal it in no other way. */
export function accountIdOf(error: unknown): string | null {
  return error instanceof errors.StripePermissionError
    ? (/\bacct_[A-Za-z0-9]+/.exec(error.message)?.[0] ?? null)
    : null
}

/** What was asked when an error came, which the SDK's errors do not say. */
const askedOf = new WeakMap<object, string>()

/** Notes at which endpoint an error came. */
export function noteEndpoint(error: unknown, endpoint: string): void {
  if (typeof error === 'object' && error !== null) askedOf.set(error, endpoint)
}

function requestOf(error: unknown): FailedRequest {
  const path = typeof error === 'object' && error !== null ? askedOf.get(error) : undefined
  const asked = path === undefined ? {} : { method: 'GET', path }
  if (!(error instanceof errors.StripeError)) return asked
  const { statusCode, code, requestId } = error
  return {
    ...asked,
    ...(statusCode !== undefined && { status: statusCode }),
    ...(code !== undefined && { code }),
    ...(requestId !== undefined && { id: requestId }),
  }
}

/** Explains a refusal in our words. Stripe's own message is never passed on, because it can repeat the key. */
export function toProviderError(error: unknown, doing: string): ProviderError {
  if (error instanceof ProviderError) return error
  const details = { request: requestOf(error), ...retryAfterOf(error) }
  if (isAddressRefused(error)) return new ProviderError('unauthorized', ofAddress(error), details)
  if (error instanceof errors.StripeAuthenticationError) {
    const message =
      error.code === 'api_key_expired'
        ? 'This Stripe API key has expired or was rolled. Enter the new one.'
        : 'Stripe refuses this API key. Check that it is complete and still active.'
    return new ProviderError('unauthorized', message, details)
  }
  if (error instanceof errors.StripePermissionError) {
    if (error.code === noSuchAccount)
      return new ProviderError(
        'unauthorized',
        'This Stripe API key may not read the account, or there is no such account. Check the id of the account.',
        details,
      )
    const permission = permissionOf(error)
    const message =
      permission === undefined
        ? `The Stripe API key lacks a permission, needed for ${doing}. Give it all permissions that Data Sync lists, then try again.`
        : `The Stripe API key lacks read permission for ${permission}. Set ${permission} to Read on the key in Stripe, then try again.`
    return new ProviderError('forbidden', message, details)
  }
  if (rateLimitReason(error))
    return new ProviderError(
      'rate_limited',
      'Stripe asks us to slow down. Try again in a few minutes.',
      details,
    )
  if (isResourceMissing(error))
    return new ProviderError('not_found', `Stripe does not know an object named for ${doing}.`, details)
  if (isAnswered(error))
    return new ProviderError('rejected', `Stripe refused the request for ${doing}.`, details)
  const strange = strangenessOf(error) ?? unparsed(error)
  const what =
    strange === undefined
      ? `Stripe could not be reached for ${doing}.`
      : `Stripe answered with ${strange} when asked for ${doing}.`
  return new ProviderError('unavailable', `${what} Try again in a few minutes.`, details)
}

function ofAddress({ message }: Error): string {
  const ours = addressRefusal.exec(message)?.[1]
  const address =
    ours === undefined ? 'the IP address of this server' : `the IP address of this server, ${ours}`
  return `This Stripe API key does not allow requests from ${address}. Add it to the addresses that the key allows in Stripe, then try again.`
}

/** The SDK's message for a body that is HTML, empty or cut off. */
function unparsed(error: unknown): string | undefined {
  const isUnparsed = error instanceof errors.StripeAPIError && error.message.startsWith('Invalid JSON')
  return isUnparsed ? 'something that is not JSON' : undefined
}

/** Whether Stripe refused for a reason that another try would meet again. */
function isAnswered(error: unknown): boolean {
  if (!(error instanceof errors.StripeError)) return false
  const status = error.statusCode ?? 0
  return status >= 400 && status < 500 && status !== 409 && status !== 429
}
