import type { DeletedKind } from '../../store/crm/crm-deleted.ts'
import { forgetGone } from '../../store/crm/crm-index.ts'
import { releaseGoneCompanies, releaseGoneContacts } from '../../store/crm/crm-index-changes.ts'
import { contactGone } from './gone-texts.ts'
import { indexCompanies, indexContacts } from './index-rows.ts'
import type { MatchSession } from './session.ts'

/** The record that another record was merged into; `name` is set for a company. */
export type Heir = { recordId: string; name?: string | null }
/**
 * Records that no longer exist, each with the record it was merged into or null; and the customers that must now
 * wait.
 */
export type SeenAgain = { moved: ReadonlyMap<string, Heir | null>; released: string[] }

/**
 * Reads companies or contacts again after a refusal, without waiting for the next listing. Matches follow a merge;
 * customers of a deleted record wait again.
 */
export async function lookAgain(
  session: MatchSession,
  kind: DeletedKind,
  recordIds: readonly string[],
): Promise<SeenAgain> {
  if (recordIds.length === 0) return { moved: new Map(), released: [] }
  const { deps, access, write } = session
  const ids = [...new Set(recordIds)]
  const lookedFrom = deps.now()
  const found = kind === 'company' ? await readCompanies(session, ids) : await readContacts(session, ids)
  const standing = new Set(found.map(({ recordId }) => recordId))
  const heirOf = (id: string): Heir | null => found.find(({ mergedIds }) => mergedIds.includes(id)) ?? null
  const moved = new Map(ids.filter((id) => !standing.has(id)).map((id) => [id, heirOf(id)]))
  const gone = [...moved].flatMap(([id, heir]) => (heir === null ? [id] : []))
  if (gone.length === 0) return { moved, released: [] }
  const released = await write(async (tenant) => {
    await forgetGone(tenant, access.portalId, kind, gone, deps.now())
    return kind === 'company'
      ? releaseGoneCompanies(tenant, access.portalId, lookedFrom, deps.now())
      : releaseGoneContacts(tenant, access.portalId, lookedFrom, contactGone(deps))
  })
  return { moved, released }
}

async function readCompanies(session: MatchSession, ids: readonly string[]) {
  const found = await session.deps.crm.readCompanies(session.access, ids)
  await indexCompanies(session, found, session.deps.now())
  return found
}

async function readContacts(session: MatchSession, ids: readonly string[]) {
  const found = await session.deps.crm.readContacts(session.access, ids)
  await indexContacts(session, found, session.deps.now())
  return found
}
