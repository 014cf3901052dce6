import type { Deps } from '../../deps.ts'
import { Refusal } from '../../refusal.ts'
import { type Actor, recordAudit } from '../../store/accounts/audit.ts'
import {
  eraseFromIndex,
  eraseMatches,
  eraseMentions,
  findInCrm,
  type OwnWords,
} from '../../store/erasure/erase-mentions.ts'
import {
  eraseBilling,
  eraseCustomers,
  eraseRunRecords,
  lockPerson,
  readPerson,
  rewriteRecords,
} from '../../store/erasure/erase-rows.ts'
import {
  type ErasureReason,
  type HashedWord,
  listUnerasedAmong,
  saveErasure,
} from '../../store/erasure/erasures.ts'
import { forgetFormerTexts } from '../../store/lists/customer-texts.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { cancelRuns, findRunInProgress } from '../../store/runs/runs.ts'
import { getHashes, type Hashes, pseudonymOf } from './hashes.ts'
import { findOwnWords } from './own-words.ts'

type Needs = Pick<Deps, 'database' | 'seal' | 'now' | 'crm'>

export type ErasureRequest = {
  customerId: string
  reason: ErasureReason
  /** Null if no person asked for it. */
  actor: Actor | null
  /** Hashes of the person's words, known from before a backup was restored. */
  remembered?: readonly HashedWord[]
}

/**
 * Erases a person: the customer and others with the same e-mail address. Deletes names, addresses and texts; keeps
 * amounts under a pseudonym, and keyed hashes that prevent re-import. One transaction, during which no run writes.
 * Returns the erasures' ids.
 */
export function eraseCustomer(
  deps: Needs,
  organizationId: number,
  request: ErasureRequest,
): Promise<string[]> {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    await holdRuns(deps, tenant)
    const ids = await eraseWithin(tenant, { seal: deps.seal, at: deps.now() }, request)
    if (ids.length === 0) throw unknownCustomer()
    return ids
  })
}

/** Says that there is nobody to erase. */
export function unknownCustomer(): Refusal {
  return new Refusal('not_found', 'There is no such customer. Reload the page.')
}

/**
 * The same within a run's transaction. Does nothing if there is no such customer, nor for one that is erased already, as
 * the second of two with one address is after the first.
 */
export async function eraseWithin(
  tenant: Tenant,
  { seal, at }: { seal: Deps['seal']; at: Date },
  { customerId, reason, actor, remembered = [] }: ErasureRequest,
): Promise<string[]> {
  const people = await lockPerson(tenant, customerId)
  if (people.length === 0) return []
  const erasedBefore = people.find(({ id }) => id === customerId)?.erasureId
  if (erasedBefore) return [erasedBefore]
  const ids = people.map(({ id }) => id)
  const hashes = await getHashes(seal, tenant)
  const words = await findOwnWords(tenant, ids, await readPerson(tenant, ids))
  const erased = ids.map((id) => ({ id, erasureId: hashes.ofCustomer(id) }))
  const named = erased.map((one) => ({ ...one, pseudonym: pseudonymOf(one.erasureId) }))
  const first = (named.find(({ id }) => id === customerId) ?? named[0])?.pseudonym ?? ''
  const counts = await eraseRows(tenant, ids, words, named, first)
  const hashed = [...hashedWords(hashes, words), ...remembered]
  for (const { id, erasureId, pseudonym } of named) {
    const inCrm = await findInCrm(tenant, id, first)
    await saveErasure(tenant, { id: erasureId, pseudonym, reason, counts, inCrm, words: hashed }, at)
    await recordAudit(tenant, actor, { action: 'customer_erased', subject: pseudonym })
  }
  return erased.map(({ erasureId }) => erasureId)
}

/**
 * Erases those of these customers whom the provider has redacted since we read them, while we still hold their words
 * to search for. With `deletedAlone`, as for invoices, it erases only deleted customers.
 */
export async function eraseRedacted(
  tenant: Tenant,
  place: { seal: Deps['seal']; at: Date },
  customerIds: readonly string[],
  { deletedAlone }: { deletedAlone: boolean },
): Promise<void> {
  for (const customerId of await listUnerasedAmong(tenant, customerIds, deletedAlone)) {
    await eraseWithin(tenant, place, { customerId, reason: 'redacted', actor: null })
  }
}

/**
 * No run writes until this transaction ends. An import checks the erasures before it saves its next page. A push
 * holds many names in memory, so we stop it.
 */
async function holdRuns(deps: Needs, tenant: Tenant): Promise<void> {
  const run = await findRunInProgress(tenant)
  const stopped = run?.kind === 'push' ? run.id : ''
  await cancelRuns(tenant, deps.now(), 'Stopped, because a customer was erased. Start it again.', stopped)
}

async function eraseRows(
  tenant: Tenant,
  ids: readonly string[],
  words: OwnWords,
  named: readonly { id: string; erasureId: string; pseudonym: string }[],
  pseudonym: string,
): Promise<Record<string, number>> {
  const customers = await eraseCustomers(tenant, named)
  const { invoices, payments, events } = await eraseBilling(tenant, ids)
  await eraseRunRecords(tenant, ids)
  await eraseMatches(tenant, ids)
  const { records, renamedIds } = await eraseFromIndex(tenant, words, pseudonym)
  const mentions = await eraseMentions(tenant, words, pseudonym)
  await forgetFormerTexts(tenant, [...ids, ...renamedIds])
  const crmRecords = await rewriteRecords(tenant, ids)
  return { customers, invoices, payments, events, indexRecords: records, mentions, crmRecords }
}

function hashedWords(hashes: Hashes, { names, addresses, hosts }: OwnWords): HashedWord[] {
  const of = (kind: HashedWord['kind'], words: readonly string[]) =>
    words.map((word) => ({ kind, hash: hashes.ofWord(kind, word) }))
  return [...of('address', addresses), ...of('name', names), ...of('host', hosts)]
}
