import { createHmac, randomBytes } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import { findErasureKey, keepErasureKey, type WordKind } from '../../store/erasure/erasures.ts'
import type { Tenant } from '../../store/postgres/database.ts'

type Seal = Deps['seal']

/** What we remember about erased people; unreadable without the organization's key. */
export type Hashes = {
  /** The erasure id, derived from the customer's id. */
  ofCustomer(customerId: string): string
  ofWord(kind: WordKind, word: string): string
}

const keyBytes = 32
/** 128 bits are enough to keep all people distinct. */
const hashLength = 32
/** This many characters keep the people distinct who were erased in one organization. */
const shownLength = 10

/** The place to which the key of the hashes is sealed. */
export function erasureSealPlace(organizationId: number) {
  return { organizationId, provider: 'erasure', field: 'key' }
}

/** Undefined if nobody was ever erased in the organization. */
export async function findHashes(seal: Seal, tenant: Tenant): Promise<Hashes | undefined> {
  const sealed = await findErasureKey(tenant)
  return sealed === undefined ? undefined : hashesBy(open(seal, tenant, sealed))
}

/** The organization's hashes; the first erasure creates their key. */
export async function getHashes(seal: Seal, tenant: Tenant): Promise<Hashes> {
  const made = seal.seal(erasureSealPlace(tenant.organizationId), randomBytes(keyBytes).toString('base64url'))
  return hashesBy(open(seal, tenant, await keepErasureKey(tenant, made)))
}

export function pseudonymOf(erasureId: string): string {
  return `Erased customer ${erasureId.slice(0, shownLength)}`
}

function open(seal: Seal, { organizationId }: Tenant, sealed: string): string {
  return seal.open(erasureSealPlace(organizationId), sealed)
}

function hashesBy(key: string): Hashes {
  const hash = (kind: string, text: string) =>
    createHmac('sha256', key).update(`${kind}\n${text}`).digest('hex').slice(0, hashLength)
  return {
    ofCustomer: (customerId) => hash('customer', customerId),
    ofWord: (kind, word) => hash(kind, word.trim().toLowerCase()),
  }
}
