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

const keyMaxLength = 500

/**
 * Checks a key with the provider and saves it sealed. A refusal says what to do and changes nothing. A key of another
 * account needs `resetData`, which deletes the imported data and stops runs. Owners learn of a changed key.
 */
export async function connectPayments(
  deps: Deps,
  organizationId: number,
  input: string,
  { resetData = false, byUserId = null }: { resetData?: boolean; byUserId?: number | null } = {},
): Promise<{ message: string }> {
  const apiKey = readKey(input, deps.payments.name)
  const before = await findPayments(deps, organizationId)
  // An import with the earlier key may be running. If both keys belong to one account, they share its request budget.
  const accountId = before?.account_id ?? null
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
    const before = existing ?? mirror
    const isSameKey = existing !== undefined && isKeptKey(deps, existing, apiKey)
    if (before && !isSameKey)
      await tellOwners(deps, tenant, byUserId, otherKey(deps, apiKey, account, before))
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
  const effect = mayReadChanges ? '' : ' Each scheduled import then reads everything anew.'
  return `. The key lacks read permission for: ${missing.join(', ')}.${effect}`
}

const secretKeyWanted = 'API key must start with sk_.'
const notWholeKey = (name: string) =>
  `This is no whole key of ${name}: it is too long, too short, or holds other characters than letters, digits and underscores. Copy it from ${name} again.`

/** Keys that people confuse with the right one, each with what to enter instead. */
const wrongKeys: readonly [RegExp, string][] = [
  [
    /^[sr]k_org/,
    'This is an organization key, which works for several accounts. Open the one account to import from there, make a restricted key in it, and enter that key.',
  ],
  [/^pk_/, `This is a publishable key, which may not read data. Enter the secret key: ${secretKeyWanted}`],
  [/^whsec_/, `This is the signing secret of a webhook. Enter the secret key: ${secretKeyWanted}`],
]

/** The key as it will be sent: people paste it with spaces, line breaks and invisible characters. */
function readKey(input: string, name: string): string {
  const apiKey = input.replace(/[\s\p{Cf}]/gu, '')
  if (apiKey === '') throw new Refusal('invalid_request', `Please enter your ${name} secret API key.`)
  const wrong = wrongKeys.find(([form]) => form.test(apiKey))
  if (wrong) throw new Refusal('invalid_request', wrong[1])
  if (!/^[sr]k_/.test(apiKey)) throw new Refusal('invalid_request', secretKeyWanted)
  const isKey = /^[A-Za-z0-9_]+$/.test(apiKey) && apiKey.length <= keyMaxLength
  if (!isKey) throw new Refusal('invalid_request', notWholeKey(name))
  return apiKey
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
): Promise<{ connected: boolean; hasApiKey: boolean; maskedApiKey: string | null }> {
  const connection = await findPayments(deps, organizationId)
  if (!connection) return { connected: false, hasApiKey: false, maskedApiKey: null }
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
  return { connected: warning === null, hasApiKey: true, maskedApiKey: connection.secret_hint }
}
