import type { Deps } from '../../deps.ts'
import type { PaymentsAccount, PaymentsReader } from '../../providers/payments.ts'
import { type OnHeard, ProviderError } from '../../providers/provider-error.ts'
import { Refusal } from '../../refusal.ts'
import { findConnection, type ProviderConnection } from '../../store/connections/connections.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { oneLine } from '../mail/tell-owners.ts'

/** The place to which the key is sealed. */
export function paymentsSealPlace(organizationId: number) {
  return { organizationId, provider: 'payments', field: 'apiKey' }
}

/** The place to which the webhook secret is sealed. */
export function webhookSealPlace(organizationId: number) {
  return { organizationId, provider: 'payments', field: 'webhookSecret' }
}

/** The part of a key that people may see: its kind and its last four characters. */
export function maskKey(apiKey: string): string {
  const prefix = /^(?:sk|rk)_(?:org_)?(?:(?:test|live)_)?/.exec(apiKey)?.[0] ?? ''
  const rest = apiKey.slice(prefix.length)
  return `${prefix}••••${rest.length > 8 ? rest.slice(-4) : ''}`
}

/** The organization's connection to its payment provider; undefined if there is none. */
export function findPayments(
  deps: Pick<Deps, 'database'>,
  organizationId: number,
): Promise<ProviderConnection | undefined> {
  return inOrganization(deps.database, organizationId, (tenant) => findConnection(tenant, 'payments'))
}

type KeyDeps = Pick<Deps, 'seal' | 'payments'>

/**
 * A reader with the connection's key; without a signal, a person waits for it. Throws if the key cannot be opened.
 */
export function openPayments(
  deps: KeyDeps,
  connection: ProviderConnection,
  signal?: AbortSignal,
  onHeard?: OnHeard,
): PaymentsReader {
  const {
    organization_id: organizationId,
    account_id: accountId,
    is_live: isLive,
    sealed_secret,
  } = connection
  const apiKey = openKey(deps, organizationId, sealed_secret)
  return deps.payments.open(apiKey, {
    organizationId,
    accountId,
    isLive,
    onHeard,
    ...(signal ? { signal } : { isPersonWaiting: true }),
  })
}

/**
 * We treat a key that we cannot open, because the ring lacks its version or somebody changed it, as a refused key.
 */
function openKey({ seal, payments }: KeyDeps, organizationId: number, sealed: string): string {
  try {
    return seal.open(paymentsSealPlace(organizationId), sealed)
  } catch (cause) {
    const message = `The stored ${payments.name} API key can no longer be read. Enter it again.`
    throw new ProviderError('unauthorized', message, { cause })
  }
}

/** Whether the connection holds exactly this key; false if the stored key cannot be opened. */
export function isKeptKey(deps: KeyDeps, connection: ProviderConnection, apiKey: string): boolean {
  try {
    return openKey(deps, connection.organization_id, connection.sealed_secret) === apiKey
  } catch {
    return false
  }
}

/** The account's name in a mail. */
export function accountInWords(name: string, accountId: string | null, isLive: boolean | null): string {
  const mode = isLive === null ? '' : ` (${isLive ? 'live' : 'test'} mode)`
  return accountId === null ? `${name}${mode}` : `${name} account ${oneLine(accountId)}${mode}`
}

export function notConnected({ payments }: Pick<Deps, 'payments'>): Refusal {
  return new Refusal('not_connected', `Connect ${payments.name} first.`)
}

type Mirror = { account_id: string | null; is_live: boolean }

/** Whether the key belongs to another account or mode than the objects that we hold. */
export function isOther(
  mirror: Mirror,
  account: Pick<PaymentsAccount, 'accountId' | 'isLive'>,
  isKnownHere: boolean | null,
): boolean {
  if (mirror.is_live !== account.isLive) return true
  if (mirror.account_id !== null && account.accountId !== null) return mirror.account_id !== account.accountId
  return isKnownHere === false
}

/** Named as on the provider's page of keys. A person whose key always lacked it was already warned. */
const paymentsPermission = 'Payment Intents'
/** Each import finds out whether the key has it. */
const changesPermission = 'Events'

const isText = (value: unknown): value is string => typeof value === 'string'

/** Connection details without columns of their own: what `connectPayments` found out about the account. */
export function readDetails(details: unknown): {
  accountCreatedAt: number | null
  isMirrorKnown: boolean | null
  /** Optional permissions that the key lacks, by the provider's names. */
  missingOptionalPermissions: string[]
  /** The last warning of an import about lists that the key may no longer read; null once they are readable again. */
  unread: string | null
  mayReadChanges: boolean
} {
  const fields: Record<string, unknown> = { ...(typeof details === 'object' ? details : {}) }
  const { accountCreatedAt, isMirrorKnown, missingOptionalPermissions, unreadList, leftOutList } = fields
  const mayReadChanges = fields['mayReadChanges'] !== false
  const told = Array.isArray(missingOptionalPermissions) ? missingOptionalPermissions.map(String) : []
  const others = told.filter((name) => name !== changesPermission)
  const missing = mayReadChanges ? others : [changesPermission, ...others]
  return {
    accountCreatedAt: typeof accountCreatedAt === 'number' ? accountCreatedAt : null,
    isMirrorKnown: typeof isMirrorKnown === 'boolean' ? isMirrorKnown : null,
    missingOptionalPermissions: missing,
    unread: [unreadList, missing.includes(paymentsPermission) ? null : leftOutList].find(isText) ?? null,
    mayReadChanges,
  }
}
