import type Stripe from 'stripe'
import type { PaymentsAccount } from '../payments.ts'
import type { CallStripe } from './call-stripe.ts'
import { at, instantOrNull, textOrNull } from './from-stripe/read-fields.ts'
import { type NeededPermission, neededPermissions, permissionNames } from './permissions.ts'
import { readList } from './read-list.ts'
import { listRequests } from './requests.ts'
import { accountIdOf, isPermissionMissing, permissionOf, toProviderError } from './to-provider-error.ts'

type Question = { endpoint: string; ask: (stripe: Stripe) => Promise<unknown> }
type Probe = Question & { permission: string; isOptional: boolean }

const one = { limit: 1 }

/** For each permission the smallest request that needs only this permission. */
const questions: Readonly<Record<NeededPermission, Question>> = {
  subscription: { endpoint: '/v1/subscriptions', ask: (stripe) => stripe.subscriptions.list(one) },
  customer: { endpoint: '/v1/customers', ask: (stripe) => stripe.customers.list(one) },
  invoice: { endpoint: '/v1/invoices', ask: (stripe) => stripe.invoices.list(one) },
  product: { endpoint: '/v1/products', ask: (stripe) => stripe.products.list(one) },
  plan: { endpoint: '/v1/prices', ask: (stripe) => stripe.prices.list(one) },
  coupon: { endpoint: '/v1/coupons', ask: (stripe) => stripe.coupons.list(one) },
  payment_method: { endpoint: '/v1/payment_methods', ask: (stripe) => stripe.paymentMethods.list(one) },
  payment_intent: {
    endpoint: '/v1/invoice_payments',
    ask: (stripe) => listRequests.invoice_payments.list(stripe, one),
  },
  event: { endpoint: '/v1/events', ask: (stripe) => stripe.events.list(one) },
}

const probes: readonly Probe[] = neededPermissions.map(({ word, isOptional }) => ({
  ...questions[word],
  permission: permissionNames[word] ?? word,
  isOptional,
}))

type Parts = { stripe: Stripe; call: CallStripe }
type CheckParts = Parts & {
  /** Whether the key is for live data; null if it does not say so. */
  mode: boolean | null
  /** The account that an organization's key reads; null for a key of one account. */
  context: string | null
}

/**
 * Checks with one request whether Stripe accepts the key. A key that lacks only the permission for it counts as
 * accepted.
 */
export async function pingStripe({ stripe, call }: Parts): Promise<void> {
  await call('/v1/subscriptions', 'the key', () =>
    stripe.subscriptions.list(one).then((answer: unknown) => readList(answer, 'subscription')),
  ).catch((error: unknown) => {
    if (!isPermissionMissing(error)) throw error
  })
}

/**
 * Finds the account and the missing permissions. The account comes first and is passed to `onAccount`, because an
 * import of it may be running and the remaining requests share its budget.
 */
export async function checkKey(parts: CheckParts, onAccount: (id: string) => void): Promise<PaymentsAccount> {
  const missing: { probe: Probe; name: string }[] = []
  let accountId = parts.context
  let isLive = parts.mode
  const noteRefusal = (error: unknown): void => {
    if (!isPermissionMissing(error)) throw error
    accountId ??= accountIdOf(error)
  }
  const account = await readAccount(parts).catch(noteRefusal)
  accountId = parts.context ?? account?.id ?? accountId
  if (accountId !== null) onAccount(accountId)
  await pingStripe(parts)
  await Promise.all(
    probes.map((probe) =>
      parts
        .call(probe.endpoint, 'the key', () => probe.ask(parts.stripe))
        .then((answer) => {
          isLive ??= modeOfList(answer)
        })
        .catch((error: unknown) => {
          if (isOtherwiseRefused(error)) return
          noteRefusal(error)
          // A refused optional probe may lack a permission other than its own.
          const name = probe.isOptional ? (permissionOf(error) ?? probe.permission) : probe.permission
          missing.push({ probe, name })
        }),
    ),
  )
  const needed = probes.filter((probe) => !probe.isOptional && missing.some((entry) => entry.probe === probe))
  const missingPermissions = needed.map((probe) => probe.permission)
  const optional = missing.filter(({ probe }) => probe.isOptional).map(({ name }) => name)
  return {
    accountId,
    // Without any object, nothing says it; live is the safer guess.
    isLive: isLive ?? true,
    createdAt: account?.createdAt ?? null,
    missingPermissions,
    missingOptionalPermissions: optional.filter((name) => !missingPermissions.includes(name)).sort(),
    mayReadChanges: !missing.some(({ probe }) => probe.endpoint === '/v1/events'),
  }
}

/** The mode of a list's first object; null if it has none. */
function modeOfList(answer: unknown): boolean | null {
  const rows = at(answer)['data']
  const livemode = Array.isArray(rows) ? at(rows[0])['livemode'] : undefined
  return typeof livemode === 'boolean' ? livemode : null
}

/** Stripe may refuse a probe for a reason other than permission, such as a feature that the account lacks. */
function isOtherwiseRefused(error: unknown): boolean {
  const { kind } = toProviderError(error, 'the key')
  return kind === 'rejected' || kind === 'not_found'
}

async function readAccount({ stripe, call }: Parts) {
  const account: unknown = await call('/v1/account', 'the key', () => stripe.accounts.retrieveCurrent())
  return { id: textOrNull(at(account)['id']), createdAt: instantOrNull(at(account)['created']) }
}
