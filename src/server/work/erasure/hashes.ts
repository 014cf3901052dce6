import { createHmac, randomBytes } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import { findErasureKey, keepErasureKey, type WordKind } from '../../store/erasure/erasures.ts'
import type { Tenant } from '../../store/postgres/database.ts'

type Seal = Deps['seal']

/** What is remembered of erased people, which nobody reads back without the organization's key. */
export type Hashes = {
  /** The id of an erasure, of the customer's id. */
  ofCustomer(customerId: string): string
  ofWord(kind: WordKind, word: string): string
}

const keyBytes = 32
/** 128 bits tell any number of people apart. */
const hashLength = 32
/** So much of the hash tells people apart who were erased in one organization. */
const shownLength = 10

/** Where the key of the hashes is sealed to. */
export function erasureSealPlace(organizationId: number) {
  return { organizationId, provider: 'erasure', field: 'key' }
}

/** Undefined where nobody was ever erased in the organization. */
export async function findHashes(seal: Seal, tenant: Tenant): Promise<Hashes | undefined> {
  const sealed = await findErasureKey(tenant)
  return sealed === undefined ? undefined : hashesBy(open(seal, tenant, sealed))
}

/** The organization's hashes, under a key that is made for the first erasure. */
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
