import type { Deps } from '../deps.ts'
import type { PaymentsAccount, PaymentsReader } from '../providers/payments.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { Refusal } from '../refusal.ts'
import { findConnection, saveConnection, setConnectionWarning } from '../store/connections.ts'
import { listSomeCustomerIds } from '../store/customers.ts'
import { inOrganization } from '../store/database.ts'
import { findPaymentMirror } from '../store/payment-mirror.ts'
import { isOther, maskKey, openPayments, paymentsSealPlace } from './payments-connection.ts'

const keyMaxLength = 500

/**
 * Checks a key against the provider and keeps it sealed; also replaces the key that is kept. Anything wrong is refused
 * with what to do about it and leaves everything as it was.
 */
export async function connectPayments(
  deps: Deps,
  organizationId: number,
  input: string,
): Promise<{ message: string }> {
  const apiKey = readKey(input)
  const reader = deps.payments.open(apiKey, { organizationId, isPersonWaiting: true })
  const account = await reader.check()
  if (account.missingPermissions.length > 0)
    throw new Refusal(
      'provider_refused',
      `This key lacks read permission for: ${account.missingPermissions.join(', ')}. ` +
        'Edit the restricted key in the Stripe Dashboard and try again.',
    )
  const isKnownHere = await knowsOurCustomers(deps, organizationId, reader)
  const sealedSecret = deps.seal.seal(paymentsSealPlace(organizationId), apiKey)
  return inOrganization(deps.database, organizationId, async (tenant) => {
    const existing = await findConnection(tenant, 'payments')
    const mirror = await findPaymentMirror(tenant)
    if (existing && mirror && isOther(mirror, account, isKnownHere)) throw otherAccount(account)
    await saveConnection(tenant, {
      provider: 'payments',
      accountId: account.accountId ?? (isKnownHere ? (mirror?.account_id ?? null) : null),
      isLive: account.isLive,
      sealedSecret,
      secretHint: maskKey(apiKey),
      details: {
        accountCreatedAt: account.createdAt,
        missingOptionalPermissions: account.missingOptionalPermissions,
        // Where the key may not read its account, this tells whose objects it sees.
        isMirrorKnown: isKnownHere,
      },
      at: deps.now(),
    })
    return { message: existing ? 'Stripe API key updated' : 'Connected to Stripe' }
  })
}

/** The key as it will be sent; people paste it with spaces, line ends and marks that cannot be seen. */
function readKey(input: string): string {
  const apiKey = input.replace(/[\s\p{Cf}]/gu, '')
  if (apiKey === '') throw new Refusal('invalid_request', 'Please enter your Stripe secret API key.')
  if (apiKey.startsWith('sk_org'))
    throw new Refusal(
      'invalid_request',
      'This is an organization key. Enter a secret or restricted key of the one account to import from.',
    )
  const isKey = /^(?:sk|rk)_[A-Za-z0-9_]+$/.test(apiKey) && apiKey.length <= keyMaxLength
  if (!isKey) throw new Refusal('invalid_request', 'API key must start with sk_.')
  return apiKey
}

/** Whether the provider knows, under this key, customers that we hold; null when we hold none to ask for. */
async function knowsOurCustomers(
  deps: Deps,
  organizationId: number,
  reader: PaymentsReader,
): Promise<boolean | null> {
  const ids = await inOrganization(deps.database, organizationId, (tenant) => listSomeCustomerIds(tenant, 2))
  if (ids.length === 0) return null
  for (const id of ids) if (await reader.fetchObject('customers', id)) return true
  return false
}

function otherAccount({ accountId, isLive }: PaymentsAccount): Refusal {
  const name = accountId === null ? '' : ` (${accountId}, ${isLive ? 'live' : 'test'} mode)`
  return new Refusal(
    'conflict',
    `This key belongs to another Stripe account${name} than the imported data. ` +
      'Disconnect Stripe first; the next import then starts over with the new account.',
  )
}

/** Asks the provider whether the stored key still works, and keeps what it says as the connection's warning. */
export async function verifyPayments(
  deps: Deps,
  organizationId: number,
): Promise<{ connected: boolean; hasApiKey: boolean; maskedApiKey: string | null }> {
  const connection = await inOrganization(deps.database, organizationId, (tenant) =>
    findConnection(tenant, 'payments'),
  )
  if (!connection) return { connected: false, hasApiKey: false, maskedApiKey: null }
  const warning = await openPayments(deps, organizationId)
    .then((opened) => opened?.reader.ping())
    .then(
      () => null,
      (error: unknown) => {
        if (error instanceof ProviderError && error.kind === 'unauthorized') return error.message
        throw error
      },
    )
  await inOrganization(deps.database, organizationId, (tenant) =>
    setConnectionWarning(tenant, 'payments', warning),
  )
  return { connected: warning === null, hasApiKey: true, maskedApiKey: connection.secret_hint }
}
