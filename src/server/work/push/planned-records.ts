import { type CrmKind, crmKinds } from '#domain/crm-record.ts'
import type { CrmWrite } from '../../providers/crm.ts'
import { confirmAgain, type ReadRecord } from '../../store/crm/crm-links.ts'
import { countUnsent, type PushState } from '../../store/crm/push-sources.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { inRun } from '../../store/runs/runs.ts'
import { listLedgerRows } from './ledger-rows.ts'
import type { PushSession } from './push-session.ts'

/** A record whose current values the CRM does not have yet. */
export type PlannedRecord = CrmWrite & {
  /** Its own id for the record of a subscription. */
  subscriptionId: string
  hash: string
  /** What the CRM confirmed last, to be compared; null where that is not known. */
  told: PushState['told']
  outdated: PushState['outdated']
  /** Whether the CRM already refused it once for a reason that concerns the whole account. */
  wasHeld: boolean
}

const rowsPerPage = 1_000

/**
 * Yields what has to be written, by id, with one page of rows in memory. Asks the CRM nothing: the hash that it
 * confirmed last identifies unchanged records. `settle` receives those whose row was only saved again.
 */
export async function* plannedRecords(
  session: PushSession,
  kind: CrmKind,
  settle: (unchanged: ReadRecord[]) => Promise<void> = async () => {},
): AsyncGenerator<PlannedRecord> {
  const { deps, claim, access, scope } = session
  let afterId = ''
  for (;;) {
    access.signal?.throwIfAborted()
    const page = await inOrganization(deps.database, claim.organizationId, (tenant) =>
      listLedgerRows(session, tenant, kind, { afterId, limit: rowsPerPage, scope }),
    )
    const unchanged: ReadRecord[] = []
    for (const { key, subscriptionId, values, isNew, hash, state } of page) {
      const wasHeld = state.state === 'failed' && state.refusedHash === null
      if (isDue(session, state, hash)) {
        // One with the confirmed values differs in the CRM, and how is not known.
        const told = state.confirmedHash === hash ? null : state.told
        yield { key, subscriptionId, values, isNew, hash, told, wasHeld, outdated: state.outdated }
      } else if (state.state === 'confirmed' && state.isOlder)
        unchanged.push({ sourceId: key, outdated: state.outdated })
    }
    await settle(unchanged)
    const last = page.at(-1)
    if (!last || page.length < rowsPerPage) return
    afterId = last.key
  }
}

/**
 * Counts the records of each kind to be written, and marks those that need no write. If nothing was ever sent, all
 * are due and we read none.
 */
export async function countPlanned(session: PushSession): Promise<Record<CrmKind, number>> {
  const { deps, claim, access, onlyFailed } = session
  const counts = { subscription: 0, event: 0 }
  for (const kind of crmKinds) {
    const unsent = await inOrganization(deps.database, claim.organizationId, (tenant) =>
      countUnsent(tenant, access.portalId, kind),
    )
    if (unsent !== undefined) {
      counts[kind] = onlyFailed ? 0 : unsent
      continue
    }
    const settle = async (unchanged: ReadRecord[]) => {
      if (unchanged.length === 0) return
      await inRun(deps.database, claim, (tenant) =>
        confirmAgain(tenant, access.portalId, kind, unchanged, deps.now()),
      )
    }
    for await (const _ of plannedRecords(session, kind, settle)) counts[kind]++
  }
  return counts
}

/**
 * A record that the CRM refused, or that somebody deleted there, is due again after a change or a person's request.
 */
function isDue({ retriesFailed, onlyFailed, claim }: PushSession, state: PushState, hash: string): boolean {
  const isParked = state.state === 'failed' || state.state === 'removed'
  if (onlyFailed && !isParked && state.state !== 'pending') return false
  if (state.state === 'confirmed' && state.confirmedHash === hash) return false
  if (!isParked || state.refusedHash !== hash) return true
  return retriesFailed && state.runId !== claim.runId
}
