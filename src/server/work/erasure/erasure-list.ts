import type { Deps } from '../../deps.ts'
import { listOrganizations } from '../../store/accounts/organizations.ts'
import { type Deletion, deleteUserRow, findDeleted, listDeletions } from '../../store/erasure/deletions.ts'
import {
  type ErasureReason,
  findErased,
  findErasureKey,
  type HashedWord,
  keepErasureKey,
  listErasedWords,
  listErasures,
  listUnerasedIds,
  saveErasure,
} from '../../store/erasure/erasures.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { deleteOrganizationAgain } from './delete-organization.ts'
import { eraseCustomer } from './erase-customer.ts'
import { findHashes, pseudonymOf } from './hashes.ts'

type Needs = Pick<Deps, 'database' | 'seal' | 'crm' | 'now' | 'log'>

/**
 * What was erased and deleted, for use on a database restored from an older backup. It contains numbers and keyed
 * hashes, but no names.
 */
export type ErasureList = {
  format: 'tributary-erasures-1'
  deletions: { kind: Deletion['kind']; subjectId: number; createdAt: string }[]
  organizations: {
    id: number
    createdAt: string
    /** Can be opened with the same SEAL_KEYS. */
    sealedKey: string
    erasures: { id: string; reason: ErasureReason; words: HashedWord[] }[]
  }[]
}

const erasuresMax = 1_000_000
const customersPerLook = 1_000

/**
 * What a restored backup has to forget again: ids of deleted organizations and people, and keyed hashes, without
 * names.
 */
export async function exportErasures({ database }: Needs): Promise<ErasureList> {
  const deletions = await listDeletions(database)
  const organizations: ErasureList['organizations'] = []
  for (const { id, createdAt } of await listOrganizations(database)) {
    const one = await inOrganization(database, id, readErasures)
    if (one !== null) organizations.push({ id, createdAt: createdAt.toISOString(), ...one })
  }
  return {
    format: 'tributary-erasures-1',
    deletions: deletions.map((one) => ({ ...one, createdAt: one.createdAt.toISOString() })),
    organizations,
  }
}

async function readErasures(tenant: Tenant) {
  const sealedKey = await findErasureKey(tenant)
  if (sealedKey === undefined) return null
  const erasures: ErasureList['organizations'][number]['erasures'] = []
  for (const { id, reason } of await listErasures(tenant, erasuresMax)) {
    erasures.push({
      id,
      // The database accepts only these values.
      reason: reason as ErasureReason,
      words: await listErasedWords(tenant, id),
    })
  }
  return { sealedKey, erasures }
}

export type AppliedErasures = { deleted: number; erased: number; remembered: number }

/**
 * Repeats the deletions and erasures of the list in this database, and remembers people who are not in it. May be
 * repeated.
 */
export async function applyErasures(deps: Needs, list: ErasureList): Promise<AppliedErasures> {
  const applied: AppliedErasures = { deleted: 0, erased: 0, remembered: 0 }
  for (const deletion of list.deletions) {
    const found = await findDeleted(deps.database, { ...deletion, createdAt: new Date(deletion.createdAt) })
    if (!found) continue
    if (deletion.kind === 'organization') await deleteOrganizationAgain(deps, found.id)
    else await deleteUserRow(deps.database, found)
    applied.deleted += 1
  }
  const standing = await listOrganizations(deps.database)
  for (const one of list.organizations) {
    const isHere = standing.some(
      ({ id, createdAt }) => id === one.id && createdAt.toISOString() === one.createdAt,
    )
    if (!isHere) continue
    await inOrganization(deps.database, one.id, (tenant) => keepErasureKey(tenant, one.sealedKey))
    applied.erased += await eraseAgain(deps, one)
    applied.remembered += await rememberRest(deps, one)
  }
  return applied
}

async function eraseAgain(
  deps: Needs,
  { id: organizationId, erasures }: ErasureList['organizations'][number],
): Promise<number> {
  const byId = new Map(erasures.map((erasure) => [erasure.id, erasure]))
  let count = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: { after: string; limit: number } = { after, limit: customersPerLook }
    const ids: string[] = await inOrganization(deps.database, organizationId, (tenant) =>
      listUnerasedIds(tenant, page),
    )
    const hashes = await inOrganization(deps.database, organizationId, (tenant) =>
      findHashes(deps.seal, tenant),
    )
    for (const customerId of ids) {
      const erasure = byId.get(hashes?.ofCustomer(customerId) ?? '')
      if (!erasure) continue
      const { reason, words } = erasure
      await eraseCustomer(deps, organizationId, { customerId, reason, actor: null, remembered: words })
      count += 1
    }
    after = ids.at(-1)
  }
  return count
}

/** People that are not in this database are left out when the provider sends them. */
function rememberRest(
  deps: Needs,
  { id: organizationId, erasures }: ErasureList['organizations'][number],
): Promise<number> {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    const known = await findErased(
      tenant,
      erasures.map(({ id }) => id),
    )
    const rest = erasures.filter(({ id }) => !known.has(id))
    for (const { id, reason, words } of rest) {
      const erasure = { id, pseudonym: pseudonymOf(id), reason, counts: {}, inCrm: null, words }
      await saveErasure(tenant, erasure, deps.now())
    }
    return rest.length
  })
}
