import type { Deps } from '../../deps.ts'
import type { PaymentsAccount, PaymentsReader } from '../../providers/payments.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { Refusal } from '../../refusal.ts'
import {
  deleteConnection,
  findConnection,
  type ProviderConnection,
  saveConnection,
  setConnectionWarning,
} from '../../store/connections/connections.ts'
import { listSomeCustomerIds } from '../../store/payments/customers.ts'
import { clearPaymentAccount, findPaymentAccount } from '../../store/payments/payment-account.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { cancelRuns } from '../../store/runs/runs.ts'
import { updateSettings } from '../../store/setup/settings.ts'
import { tellOwners } from '../mail/tell-owners.ts'
import { forgetWebhook } from './payment-webhook.ts'
import {
  accountInWords,
  findPayments,
  isKeptKey,
  isOther,
  maskKey,
  openPayments,
  paymentsSealPlace,
} from './payments-connection.ts'
import { readKey, readKeyAccount } from './payments-key.ts'

type ConnectOptions = {
  /** The account that an organization's key is to read. */
  account?: string | undefined
  resetData?: boolean
  byUserId?: number | null
}

/**
 * Checks a key with the provider and saves it sealed. A refusal says what to do and changes nothing. A key of another
 * account needs `resetData`, which deletes the imported data and stops runs. Owners learn of a changed key.
 */
export async function connectPayments(
  deps: Deps,
  organizationId: number,
  input: string,
  { account: keyAccount, resetData = false, byUserId = null }: ConnectOptions = {},
): Promise<{ message: string }> {
  const apiKey = readKey(input, deps.payments.name)
  const namedAccount = readKeyAccount(apiKey, keyAccount, deps.payments.name)
  const before = await findPayments(deps, organizationId)
  // An import with the earlier key may be running. If both keys belong to one account, they share its request budget.
  const accountId = namedAccount ?? before?.account_id ?? null
  const reader = deps.payments.open(apiKey, { organizationId, accountId, isPersonWaiting: true })
  const account = await reader.check()
  if (account.missingPermissions.length > 0) {
    const missing = account.missingPermissions.join(', ')
    throw new Refusal(
      'provider_refused',
      `This key lacks read permission for: ${missing}. Edit the restricted key in the ${deps.payments.name} Dashboard and try again.`,
    )
  }
  const isKnownHere = await knowsOurCustomers(deps, organizationId, reader)
  const sealedSecret = deps.seal.seal(paymentsSealPlace(organizationId), apiKey)
  return inOrganization(deps.database, organizationId, async (tenant) => {
    const existing = await findConnection(tenant, 'payments')
    const mirror = await findPaymentAccount(tenant)
    const isReset = existing !== undefined && mirror !== undefined && isOther(mirror, account, isKnownHere)
    if (isReset && !resetData) throw otherAccount(deps, account)
    if (isReset) await resetPayments(deps, tenant)
    // Until an import has saved its plan it has named no account, and would assign what it reads to the new one.
    else if (existing && isOther(asMirror(existing), account, null))
      await cancelRuns(tenant, deps.now(), otherConnected(deps))
    await saveConnection(tenant, {
      provider: 'payments',
      accountId: account.accountId ?? (isKnownHere ? (mirror?.account_id ?? null) : null),
      isLive: account.isLive,
      sealedSecret,
      secretHint: maskKey(apiKey),
      details: {
        accountCreatedAt: account.createdAt,
        missingOptionalPermissions: account.missingOptionalPermissions,
        mayReadChanges: account.mayReadChanges,
        // If the key may not read its account, this shows whose objects it can read.
        isMirrorKnown: isReset ? null : isKnownHere,
      },
      at: deps.now(),
    })
    const replaced = existing ?? mirror
    // An organization's key can be the same for another account.
    const isSameKey =
      existing !== undefined &&
      isKeptKey(deps, existing, apiKey) &&
      !isOther(asMirror(existing), account, null)
    if (replaced && !isSameKey)
      await tellOwners(deps, tenant, byUserId, otherKey(deps, apiKey, account, replaced))
    const { name } = deps.payments
    const done = existing ? `${name} API key updated` : `Connected to ${name}`
    return { message: `${done}${withoutOptional(account)}` }
  })
}

function otherConnected({ payments }: Pick<Deps, 'payments'>): string {
  return `Stopped because another ${payments.name} account was connected.`
}

function asMirror({ account_id, is_live }: ProviderConnection) {
  return { account_id, is_live: is_live ?? false }
}

function otherKey(
  { payments: { name } }: Pick<Deps, 'payments'>,
  apiKey: string,
  account: PaymentsAccount,
  before: Pick<ProviderConnection, 'account_id' | 'is_live'>,
) {
  const now = accountInWords(name, account.accountId, account.isLive)
  return {
    subject: `Another ${name} key was connected`,
    deed: `connected the key ${maskKey(apiKey)} of ${now} in place of ${accountInWords(name, before.account_id, before.is_live)}`,
  }
}

/**
 * Deletes all data of the earlier account in the transaction that saves the new key, so that two accounts never mix.
 */
async function resetPayments(deps: Pick<Deps, 'payments' | 'now'>, tenant: Tenant): Promise<void> {
  await cancelRuns(tenant, deps.now(), otherConnected(deps))
  await forgetWebhook(tenant)
  await clearPaymentAccount(tenant)
  await deleteConnection(tenant, 'payments')
  await updateSettings(tenant, {
    currentStep: 'import',
    setupComplete: false,
    dataImported: false,
    dataSynced: false,
  })
}

function withoutOptional({ missingOptionalPermissions: missing, mayReadChanges }: PaymentsAccount): string {
  if (missing.length === 0) return ''
  const effect = mayReadChanges ? '' : ' Each scheduled import then reads everything again.'
  return `. The key lacks read permission for: ${missing.join(', ')}.${effect}`
}

/** Whether the provider, asked with this key, knows customers that we hold; null if we hold none. */
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

function otherAccount({ payments }: Pick<Deps, 'payments'>, { accountId, isLive }: PaymentsAccount): Refusal {
  const name = accountId === null ? '' : ` (${accountId}, ${isLive ? 'live' : 'test'} mode)`
  return new Refusal(
    'other_account',
    `This key belongs to another ${payments.name} account${name} than the imported data. ` +
      'To change accounts, what was imported has to be deleted first.',
  )
}

/** Asks the provider whether the stored key still works, and saves the answer as the connection's warning. */
export async function verifyPayments(
  deps: Deps,
  organizationId: number,
): Promise<{
  connected: boolean
  hasApiKey: boolean
  maskedApiKey: string | null
  accountId: string | null
}> {
  const connection = await findPayments(deps, organizationId)
  if (!connection) return { connected: false, hasApiKey: false, maskedApiKey: null, accountId: null }
  const ping = async () => openPayments(deps, connection).ping()
  const warning = await ping().then(
    () => null,
    (error: unknown) => {
      if (error instanceof ProviderError && error.kind === 'unauthorized') return error.message
      throw error
    },
  )
  await inOrganization(deps.database, organizationId, (tenant) =>
    setConnectionWarning(tenant, connection, warning),
  )
  const { secret_hint: maskedApiKey, account_id: accountId } = connection
  return { connected: warning === null, hasApiKey: true, maskedApiKey, accountId }
}
