import type { CrmTarget } from '#domain/crm-record.ts'
import type { CrmCompany, CrmContact } from '../../providers/crm.ts'
import { forgetGone } from '../../store/crm-index.ts'
import { releaseGoneCompanies, releaseGoneContacts } from '../../store/crm-index-changes.ts'
import { addRunErrors, inRun } from '../../store/runs.ts'
import { indexCompanies, indexContacts } from '../match/index-rows.ts'
import { contactGone } from '../match/refresh-index.ts'
import { matchSessionOf, type PushSession } from './push-session.ts'

/**
 * Looks at the companies or contacts whose association was refused. Matches follow one that was merged; where one is
 * gone, its customers wait again. Gives the ids that lead to nothing any more, without waiting for the next listing.
 */
export async function recheckTargets(
  session: PushSession,
  target: CrmTarget,
  recordIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (target === 'subscription' || recordIds.length === 0) return new Set()
  const { deps, claim, access } = session
  const ids = [...new Set(recordIds)]
  const lookedFrom = deps.now()
  const found = target === 'company' ? await readCompanies(session, ids) : await readContacts(session, ids)
  const standing = new Set(found.map(({ recordId }) => recordId))
  const isMerged = (id: string) => found.some(({ mergedIds }) => mergedIds.includes(id))
  const moved = ids.filter((id) => !standing.has(id))
  const gone = moved.filter((id) => !isMerged(id))
  await inRun(deps.database, claim, async (tenant) => {
    const { portalId } = access
    const isCompany = target === 'company'
    await forgetGone(tenant, portalId, isCompany ? 'crm_companies' : 'crm_contacts', moved)
    if (gone.length === 0) return
    const customers = isCompany
      ? await releaseGoneCompanies(tenant, portalId, lookedFrom, deps.now())
      : await releaseGoneContacts(tenant, portalId, lookedFrom, contactGone(deps))
    const message = isCompany
      ? `The company of this customer was deleted in ${deps.crm.name}. Where no other is found, it waits in Match Review.`
      : contactGone(deps)
    const errors = customers.map((sourceId) => ({ sourceId, message }))
    await addRunErrors(tenant, claim.runId, errors, deps.now())
  })
  return new Set(moved)
}

async function readCompanies(session: PushSession, ids: readonly string[]): Promise<CrmCompany[]> {
  const { deps, access } = session
  const found = await deps.crm.readCompanies(access, ids)
  await indexCompanies(matchSessionOf(session), found, deps.now())
  return found
}

async function readContacts(session: PushSession, ids: readonly string[]): Promise<CrmContact[]> {
  const { deps, access } = session
  const found = await deps.crm.readContacts(access, ids)
  await indexContacts(matchSessionOf(session), found, deps.now())
  return found
}
