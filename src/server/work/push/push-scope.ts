import { forgetStanding, saveStanding } from '../../store/crm/crm-inspections.ts'
import {
  beginComparingAll,
  compareAllNext,
  findComparedAt,
  noteComparedAll,
  type PushScope,
  readDue,
  removeNotes,
} from '../../store/crm/push-due.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { noteInCrm } from '../../store/runs/freshness.ts'
import { inRun } from '../../store/runs/runs.ts'
import type { PushSession } from './push-session.ts'

/** Everything is compared at least this often, whatever the notes say: a new release may write other values. */
const compareAllEveryMs = 20 * 60 * 60_000

/** What a push compares, as far as we know before it looks at the CRM. A person's push of everything compares all. */
export async function openScope(session: Omit<PushSession, 'scope'>): Promise<PushScope> {
  const { deps, claim, access, basis, retriesFailed, onlyFailed, onlyDue } = session
  if (onlyFailed || (retriesFailed && !onlyDue)) return 'all'
  return inOrganization(deps.database, claim.organizationId, async (tenant) => {
    const comparedAt = await findComparedAt(tenant, access.portalId, basis)
    const isDue = comparedAt === null || deps.now().getTime() - comparedAt.getTime() > compareAllEveryMs
    return isDue ? 'all' : readDue(tenant)
  })
}

/** Fixes what this push compares, after matching and the look at the CRM, which may have changed or corrected more. */
export async function settleScope(session: PushSession): Promise<void> {
  const { deps, claim, access, basis, onlyFailed } = session
  await inRun(deps.database, claim, async (tenant) => {
    if (session.scope !== 'all') {
      const comparedAt = await findComparedAt(tenant, access.portalId, basis)
      session.scope = comparedAt === null ? 'all' : await readDue(tenant)
    }
    if (session.scope === 'all' && !onlyFailed) await beginComparingAll(tenant, access.portalId, basis)
    if (isAnyDue(session)) await forgetStanding(tenant, access.portalId)
  })
}

/** Adds what another matching changed. */
export async function extendScope(session: PushSession): Promise<void> {
  if (session.scope === 'all') return
  const { deps, claim } = session
  session.scope = await inOrganization(deps.database, claim.organizationId, readDue)
  // The records before were compared for fewer customers.
  if (session.scope === 'all') session.isLeftOpen = true
}

/** Whether the push has anything to compare. */
export function isAnyDue({ scope }: PushSession): boolean {
  return scope === 'all' || scope.notes.length > 0
}

/**
 * Call this in the transaction that ends the push. What was left open makes the next push compare everything. Returns
 * how many seconds each change took that stands in the CRM now.
 */
export async function closeScope(tenant: Tenant, session: PushSession, startedAt: Date): Promise<number[]> {
  const { scope, onlyFailed, deps, access } = session
  if (isAnyDue(session)) await saveStanding(tenant, access.portalId)
  if (session.isLeftOpen || session.held.explain(deps.crm.name) !== null) await compareAllNext(tenant)
  else if (scope === 'all' && !onlyFailed) await noteComparedAll(tenant, startedAt)
  if (scope !== 'all') await removeNotes(tenant, scope.notes)
  return isAnyDue(session) ? noteInCrm(tenant, access.portalId) : []
}
