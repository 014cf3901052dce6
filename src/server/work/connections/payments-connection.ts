import type { Deps } from '../../deps.ts'
import type { PaymentsAccount, PaymentsReader } from '../../providers/payments.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { Refusal } from '../../refusal.ts'
import { findConnection, type ProviderConnection } from '../../store/connections/connections.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { oneLine } from '../mail/tell-owners.ts'

/** Where the key is sealed to. */
export function paymentsSealPlace(organizationId: number) {
  return { organizationId, provider: 'payments', field: 'apiKey' }
}

/** Where the secret is sealed to that webhooks are signed with. */
export function webhookSealPlace(organizationId: number) {
  return { organizationId, provider: 'payments', field: 'webhookSecret' }
}

/** What a person may see of a key: which kind it is and its last four characters. */
export function maskKey(apiKey: string): string {
  const prefix = /^(?:sk|rk)_(?:(?:test|live)_)?/.exec(apiKey)?.[0] ?? ''
  const rest = apiKey.slice(prefix.length)
  return `${prefix}••••${rest.length > 8 ? rest.slice(-4) : ''}`
}

/** The organization's connection to its payment provider; undefined where there is none. */
export function findPayments(
  deps: Pick<Deps, 'database'>,
  organizationId: number,
): Promise<ProviderConnection | undefined> {
  return inOrganization(deps.database, organizationId, (tenant) => findConnection(tenant, 'payments'))
}

type KeyDeps = Pick<Deps, 'seal' | 'payments'>

/** A reader on the key of the connection; without a signal a person waits for it. Throws where the key cannot be opened. */
export function openPayments(
  deps: KeyDeps,
  connection: ProviderConnection,
  signal?: AbortSignal,
): PaymentsReader {
  const { organization_id: organizationId, account_id: accountId, sealed_secret } = connection
  const apiKey = openKey(deps, organizationId, sealed_secret)
  return deps.payments.open(apiKey, {
    organizationId,
    accountId,
    ...(signal ? { signal } : { isPersonWaiting: true }),
  })
}

/** A key that was sealed under a ring we no longer have, or that was tampered with, is as good as refused. */
function openKey({ seal, payments }: KeyDeps, organizationId: number, sealed: string): string {
  try {
    return seal.open(paymentsSealPlace(organizationId), sealed)
  } catch (cause) {
    const message = `The stored ${payments.name} API key cannot be read any more. Enter it again.`
    throw new ProviderError('unauthorized', message, { cause })
  }
}

/** Whether the connection keeps this very key; one that cannot be opened any more is another. */
export function isKeptKey(deps: KeyDeps, connection: ProviderConnection, apiKey: string): boolean {
  try {
    return openKey(deps, connection.organization_id, connection.sealed_secret) === apiKey
  } catch {
    return false
  }
}

/** An account in words, for a mail. */
export function accountInWords(name: string, accountId: string | null, isLive: boolean | null): string {
  const mode = isLive === null ? '' : ` (${isLive ? 'live' : 'test'} mode)`
  return accountId === null ? `${name}${mode}` : `${name} account ${oneLine(accountId)}${mode}`
}

export function notConnected({ payments }: Pick<Deps, 'payments'>): Refusal {
  return new Refusal('not_connected', `Connect ${payments.name} first.`)
}

type Mirror = { account_id: string | null; is_live: boolean }

/** Whether the key leads to another account, or another mode of it, than the objects that we hold came from. */
export function isOther(
  mirror: Mirror,
  account: Pick<PaymentsAccount, 'accountId' | 'isLive'>,
  isKnownHere: boolean | null,
): boolean {
  if (mirror.is_live !== account.isLive) return true
  if (mirror.account_id !== null && account.accountId !== null) return mirror.account_id !== account.accountId
  return isKnownHere === false
}

/** As the provider's page of keys names it. Whose key lacked it from the beginning has been told so. */
const paymentsPermission = 'Payment Intents'

const isText = (value: unknown): value is string => typeof value === 'string'

/** What a connection knows beside its columns: what `connectPayments` found out about the account. */
export function readDetails(details: unknown): {
  accountCreatedAt: number | null
  isMirrorKnown: boolean | null
  /** Permissions that can be done without and that the key lacks, by the provider's names. */
  missingOptionalPermissions: string[]
  /** What imports said last of lists that the key has no permission for any more; null where they could be read again. */
  unread: string | null
  mayReadChanges: boolean
} {
  const fields: Record<string, unknown> = { ...(typeof details === 'object' ? details : {}) }
  const { accountCreatedAt, isMirrorKnown, missingOptionalPermissions, unreadList, leftOutList } = fields
  const missing = Array.isArray(missingOptionalPermissions) ? missingOptionalPermissions.map(String) : []
  return {
    accountCreatedAt: typeof accountCreatedAt === 'number' ? accountCreatedAt : null,
    isMirrorKnown: typeof isMirrorKnown === 'boolean' ? isMirrorKnown : null,
    missingOptionalPermissions: missing,
    unread: [unreadList, missing.includes(paymentsPermission) ? null : leftOutList].find(isText) ?? null,
    mayReadChanges: fields['mayReadChanges'] !== false,
  }
}
