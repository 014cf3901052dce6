import { type StripeAnswers, usualAnswers } from './open-answers.ts'
import { Refusal } from './refusal.ts'

/**
 * What a key may read: everything except the kinds of object that a restricted key excludes. A key of an organization
 * has to name the account with each request.
 */
export type KeyAccess = {
  readonly maskedKey: string
  readonly without: ReadonlySet<string>
  readonly isOfOrganization: boolean
}

/** Keys that every simulated account accepts. */
const demoKeys = [
  'sk_test_tributary_demo',
  'rk_test_tributary_demo',
  'sk_org_test_tributary_demo',
  'sk_org_tributary_demo',
]

// All keys of organizations begin alike, whatever they may read (docs.stripe.com/keys/organization-api-keys). The page does
// not say whether they name the mode, so both are taken.
const wellFormed = /^(?:(?:sk|rk)_test|sk_org(?:_test)?)_(?!live_)[A-Za-z0-9_]+$/
const withoutPattern = /^(?:rk_test|sk_org_test)_.*without_([a-z_]+)$/

/**
 * The words in a key that exclude kinds of object, and Stripe's name for each permission. Stripe calls prices `plan`
 * and the account `accounts_kyc_basic`.
 */
const permissions: Readonly<Record<string, { kinds: readonly string[]; permission: string; name: string }>> =
  {
    account: { kinds: ['account'], permission: 'rak_accounts_kyc_basic_read', name: 'Account' },
    customers: { kinds: ['customer'], permission: 'rak_customer_read', name: 'Customers' },
    subscriptions: {
      kinds: ['subscription', 'subscription_item'],
      permission: 'rak_subscription_read',
      name: 'Subscriptions',
    },
    products: { kinds: ['product'], permission: 'rak_product_read', name: 'Products' },
    prices: { kinds: ['price'], permission: 'rak_plan_read', name: 'Prices' },
    coupons: { kinds: ['coupon'], permission: 'rak_coupon_read', name: 'Coupons' },
    invoices: {
      kinds: ['invoice', 'line_item', 'invoice_payment'],
      permission: 'rak_invoice_read',
      name: 'Invoices',
    },
    payment_methods: {
      kinds: ['payment_method'],
      permission: 'rak_payment_method_read',
      name: 'Payment Methods',
    },
    payment_intents: {
      kinds: ['payment_intent'],
      permission: 'rak_payment_intent_read',
      name: 'Payment Intents',
    },
    events: { kinds: ['event'], permission: 'rak_event_read', name: 'Events' },
    test_clocks: { kinds: ['test_clock'], permission: 'rak_test_clock_read', name: 'Test clocks' },
  }

/** Whether the word names a permission of a restricted key. */
export function isPermission(word: string): boolean {
  return Object.values(permissions).some(({ permission }) => permission === word)
}

/**
 * Checks the `Authorization` header (Bearer, or Basic with the key as user name). The text of a key decides its
 * rights: `revoked` is unknown, `expired` has expired, `rk_test_…without_invoices_and_coupons` excludes these kinds.
 */
export function readKey(authorization: string | undefined, accepted: ReadonlySet<string>): KeyAccess {
  const key = keyIn(authorization)
  if (key === undefined || key === '') throw missingKey()
  const maskedKey = mask(key)
  if (key.includes('expired')) throw expired(maskedKey)
  if (!wellFormed.test(key) || key.includes('revoked')) throw invalid(maskedKey)
  const isOfOrganization = key.startsWith('sk_org_')
  const without = withoutPattern.exec(key)?.[1]
  if (without !== undefined) return { maskedKey, without: kindsOf(without), isOfOrganization }
  if (!demoKeys.includes(key) && !accepted.has(key)) throw invalid(maskedKey)
  return { maskedKey, without: new Set(), isOfOrganization }
}

/**
 * Refuses a request for another account than this one, and one with a key of an organization that names no account or
 * no version (docs.stripe.com/context, docs.stripe.com/keys/organization-api-keys).
 */
export function requireAccount(access: KeyAccess, headers: Headers, accountId: string): void {
  const context = headers.get('stripe-context')
  if (access.isOfOrganization && context === null)
    throw new Refusal(
      400,
      'Please include the Stripe-Context header with your target account when using an Organization API key.',
    )
  if (access.isOfOrganization && headers.get('stripe-version') === null)
    throw new Refusal(400, 'Please include the Stripe-Version header when using an Organization API key.')
  if (context !== null && context !== accountId)
    throw new Refusal(
      403,
      `The provided key '${access.maskedKey}' does not have access to account '${context}' (or that account does not exist). Application access may have been revoked.`,
      { code: 'account_invalid' },
    )
}

/** Refuses with 403 if the key excludes one of these kinds. */
export function requirePermission(
  access: KeyAccess,
  kinds: Iterable<string>,
  accountId: string,
  { refusalCode, refusalNames }: StripeAnswers,
): void {
  for (const kind of kinds) {
    if (!access.without.has(kind)) continue
    const permission = Object.values(permissions).find((entry) => entry.kinds.includes(kind))?.permission
    const code = refusalCode ?? undefined
    if (!refusalNames)
      throw new Refusal(403, 'The provided key does not have the required permissions.', { code })
    throw lacking(access.maskedKey, accountId, permission ?? 'rak_unknown_read', code)
  }
}

function kindsOf(words: string): ReadonlySet<string> {
  return new Set(words.split('_and_').flatMap((word) => permissions[word]?.kinds ?? []))
}

function keyIn(authorization: string | undefined): string | undefined {
  const [scheme, value] = (authorization ?? '').trim().split(/\s+/, 2)
  if (value === undefined) return undefined
  if (scheme?.toLowerCase() === 'bearer') return value
  if (scheme?.toLowerCase() !== 'basic') return undefined
  return Buffer.from(value, 'base64').toString('utf8').split(':', 1)[0]
}

function mask(key: string): string {
  const prefix = /^[a-z]{2,3}_(?:org_)?(?:test|live)_/.exec(key)?.[0] ?? ''
  return `${prefix}****${key.slice(prefix.length).slice(-4)}`
}

function invalid(maskedKey: string): Refusal {
  return new Refusal(401, `Invalid API Key provided: ${maskedKey}`)
}

function expired(maskedKey: string): Refusal {
  return new Refusal(401, `Expired API Key provided: ${maskedKey}`, { code: 'api_key_expired' })
}

/** Recordings of 2026 have the code together with the newer words; earlier ones have neither. */
function lacking(maskedKey: string, accountId: string, permission: string, code?: string): Refusal {
  const denied = `The provided key '${maskedKey}' does not have the required permissions for this endpoint on account '${accountId}'.`
  const name = Object.values(permissions).find((entry) => entry.permission === permission)?.name
  const message =
    code === undefined
      ? `${denied} Having the '${permission}' permission would allow this request to continue.`
      : `Permission denied. ${denied} Enabling "${name ?? 'Unknown'} Read" ('${permission.replace(/^rak_/, '')}') permissions on this key would allow this request to continue.`
  return new Refusal(403, message, { code })
}

/** The answer for a key that was valid until now, but was rolled, deleted, or lost a permission. */
export function expiredKey(authorization: string): Refusal {
  return expired(mask(keyIn(authorization) ?? ''))
}

export function invalidKey(authorization: string): Refusal {
  return invalid(mask(keyIn(authorization) ?? ''))
}

export function lacksPermission(authorization: string, accountId: string, permission: string): Refusal {
  const { refusalCode } = usualAnswers
  return lacking(mask(keyIn(authorization) ?? ''), accountId, permission, refusalCode ?? undefined)
}

function missingKey(): Refusal {
  return new Refusal(
    401,
    'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth ' +
      "(e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, " +
      'or we can help at https://support.stripe.com/.',
    { headers: { 'www-authenticate': 'Bearer realm="Stripe"' } },
  )
}
