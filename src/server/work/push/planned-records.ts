import { createHash } from 'node:crypto'
import {
  type CrmKind,
  type CrmValues,
  crmKinds,
  valuesOfEvent,
  valuesOfSubscription,
} from '#domain/crm-record.ts'
import type { CrmWrite } from '../../providers/crm.ts'
import { confirmAgain } from '../../store/crm-links.ts'
import { inOrganization, type Tenant } from '../../store/database.ts'
import { listEventsToPush, listSubscriptionsToPush, type PushState } from '../../store/push-sources.ts'
import { inRun } from '../../store/runs.ts'
import type { PushSession } from './push-session.ts'

/** A record that the CRM does not hold as it is here. */
export type PlannedRecord = CrmWrite & { hash: string }

const rowsPerPage = 1_000

/**
 * What has to be written, in the order of ids, a page of rows in memory at a time. Asks the CRM nothing: unchanged
 * records are told by the hash of what it confirmed last. `settle` is given those whose row was merely written again.
 */
export async function* plannedRecords(
  session: PushSession,
  kind: CrmKind,
  settle: (unchanged: string[]) => Promise<void> = async () => {},
): AsyncGenerator<PlannedRecord> {
  const { deps, claim, access } = session
  let afterId = ''
  for (;;) {
    access.signal?.throwIfAborted()
    const page = await inOrganization(deps.database, claim.organizationId, (tenant) =>
      listPage(session, tenant, kind, afterId),
    )
    const unchanged: string[] = []
    for (const { key, values, state } of page) {
      const hash = hashOf(values)
      if (isDue(session, state, hash)) yield { key, values, hash }
      else if (state.state === 'confirmed' && state.isOlder) unchanged.push(key)
    }
    await settle(unchanged)
    const last = page.at(-1)
    if (!last || page.length < rowsPerPage) return
    afterId = last.key
  }
}

/** How many records have to be written. Takes note on the way of those that need not be. */
export async function countPlanned(session: PushSession): Promise<number> {
  const { deps, claim, access } = session
  let count = 0
  for (const kind of crmKinds) {
    const settle = async (unchanged: string[]) => {
      if (unchanged.length === 0) return
      await inRun(deps.database, claim, (tenant) =>
        confirmAgain(tenant, access.portalId, kind, unchanged, deps.now()),
      )
    }
    for await (const _ of plannedRecords(session, kind, settle)) count++
  }
  return count
}

type Row = CrmWrite & { state: PushState }

async function listPage(
  { access, links }: PushSession,
  tenant: Tenant,
  kind: CrmKind,
  afterId: string,
): Promise<Row[]> {
  if (kind === 'subscription') {
    const rows = await listSubscriptionsToPush(tenant, access.portalId, afterId, rowsPerPage)
    return rows.map((row) => ({
      key: row.id,
      state: row,
      values: valuesOfSubscription({ ...row, url: links.subscription(row.id) }),
    }))
  }
  const rows = await listEventsToPush(tenant, access.portalId, afterId, rowsPerPage)
  return rows.map((row) => ({
    key: row.id,
    state: row,
    values: valuesOfEvent({
      ...row,
      subscriptionUrl: links.subscription(row.subscriptionId),
      invoiceUrl: row.invoiceId === null ? null : links.invoice(row.invoiceId),
    }),
  }))
}

function hashOf(values: CrmValues): string {
  const sorted = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url')
}

function isDue({ retriesFailed, claim }: PushSession, state: PushState, hash: string): boolean {
  if (state.state === 'confirmed' && state.confirmedHash === hash) return false
  if (state.state !== 'failed' || state.refusedHash !== hash) return true
  return retriesFailed && state.runId !== claim.runId
}
