import type { CrmPair, CrmPort } from '../crm.ts'
import type { CrmAccess } from '../crm-directory.ts'
import { pairsAnswer } from './answers.ts'
import type { HubspotClient } from './client.ts'
import { unanswered } from './hubspot-error.ts'
import { isRefusal } from './in-halves.ts'
import { readRecords } from './read-records.ts'
import { companyTypeId, contactTypeId, limits, paths } from './version.ts'

export type AssociationTarget = Parameters<CrmPort['associate']>[2]

/** HubSpot's "Primary" between a contact and a company (associations guide). */
const primaryTypeId = 1

/**
 * The associations of each record and whether HubSpot calls them primary, page by page. Most records appear once. A page
 * that names itself as the next one is the last.
 */
export async function readTies(
  call: HubspotClient,
  access: CrmAccess,
  from: string,
  to: string,
  fromIds: readonly string[],
): Promise<Map<string, { recordId: string; isPrimary: boolean }[]>> {
  const found = new Map<string, { recordId: string; isPrimary: boolean }[]>()
  const seen = new Set<string>()
  let inputs: { id: string; after?: string }[] = fromIds.map((id) => ({ id }))
  while (inputs.length > 0) {
    const answer = await call(access, {
      method: 'POST',
      path: paths.associationBatch(from, to, 'read'),
      json: { inputs },
      answer: pairsAnswer,
    })
    const next: typeof inputs = []
    const asked = { method: 'POST', path: paths.associationBatch(from, to, 'read') }
    for (const { from: source, to: targets, paging } of answer.results ?? []) {
      const ties = (Array.isArray(targets) ? targets : []).map(({ toObjectId, associationTypes = [] }) => ({
        recordId: toObjectId,
        isPrimary: associationTypes.some(
          ({ category, typeId }) => category === 'HUBSPOT_DEFINED' && typeId === primaryTypeId,
        ),
      }))
      found.set(source.id, [...(found.get(source.id) ?? []), ...ties])
      const after = paging?.next?.after
      const isSame = inputs.some((input) => input.id === source.id && input.after === after)
      if (after === undefined || isSame || ties.length === 0) continue
      // Pages that lead back to an earlier one never end, and what they leave out is unknown.
      const page = `${source.id} ${after}`
      if (seen.has(page)) throw unanswered(asked)
      seen.add(page)
      next.push({ id: source.id, after })
    }
    inputs = next
  }
  return found
}

/** Reads the current state in HubSpot: which pairs are associated, and whether a record exists. */
export function createPairLooks(call: HubspotClient) {
  const listAssociated: CrmPort['listAssociated'] = async (access, from, to, fromIds) => {
    const ties = await readTies(call, access, from, typeIdOf(to), fromIds)
    return new Map([...ties].map(([id, list]) => [id, list.map(({ recordId }) => recordId)]))
  }

  /** Returns a function that says whether a pair is associated now. */
  const look = async (access: CrmAccess, from: string, to: AssociationTarget, pairs: readonly CrmPair[]) => {
    const fromIds = [...new Set(pairs.map(({ fromId }) => fromId))]
    const found = new Map<string, string[]>()
    for (let start = 0; start < fromIds.length; start += limits.pairsPerRead) {
      const ids = fromIds.slice(start, start + limits.pairsPerRead)
      for (const [id, toIds] of await listAssociated(access, from, to, ids)) found.set(id, toIds)
    }
    return ({ fromId, toId }: CrmPair) => found.get(fromId)?.includes(toId) ?? false
  }

  return {
    listAssociated,
    look,
    async isThere(access: CrmAccess, to: AssociationTarget, id: string): Promise<boolean> {
      const records = await readRecords(call, access, typeIdOf(to), { ids: [id], properties: [] })
      return records.some((record) => record.id === id)
    },
    /** A refusal does not say whether the pair exists or one of its records was deleted. */
    async stands(access: CrmAccess, from: string, to: AssociationTarget, pair: CrmPair): Promise<boolean> {
      try {
        return (await look(access, from, to, [pair]))(pair)
      } catch (error) {
        if (!isRefusal(error)) throw error
        return error.kind !== 'not_found'
      }
    },
  }
}

export function typeIdOf(target: AssociationTarget): string {
  if (target === 'company') return companyTypeId
  return target === 'contact' ? contactTypeId : target.objectTypeId
}
