import { createHash } from 'node:crypto'
import { type CrmKind, type CrmValues, valuesOfEvent, valuesOfSubscription } from '#domain/crm-record.ts'
import { convertedValues } from '#domain/reporting/crm-converted.ts'
import type { CrmWrite } from '../../providers/crm.ts'
import {
  listEventsToPush,
  listSubscriptionsToPush,
  type PushState,
  type SourcePage,
} from '../../store/crm/push-sources.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { getReporting } from '../../store/reporting/reporting.ts'
import type { PushSession } from './push-session.ts'

/** A record as it should be, with what we know about it in the CRM. */
export type LedgerRow = CrmWrite & { subscriptionId: string; hash: string; state: PushState }

/** Rows of the ledger by id, as the values of CRM records. */
export async function listLedgerRows(
  { access, links, converted }: Pick<PushSession, 'access' | 'links' | 'converted'>,
  tenant: Tenant,
  kind: CrmKind,
  page: SourcePage,
): Promise<LedgerRow[]> {
  const fields = converted[kind]
  // Together with the rows, since a person may change it while a push runs.
  const currency = fields.length === 0 ? null : (await getReporting(tenant)).currency
  if (kind === 'subscription') {
    const rows = await listSubscriptionsToPush(tenant, access.portalId, page)
    return rows.map((row) =>
      ledgerRow(row, row.id, {
        ...valuesOfSubscription({ ...row, url: links.subscription(row.id) }),
        ...convertedValues(kind, fields, row, currency),
      }),
    )
  }
  const rows = await listEventsToPush(tenant, access.portalId, page)
  return rows.map((row) =>
    ledgerRow(row, row.subscriptionId, {
      ...valuesOfEvent({
        ...row,
        subscriptionUrl: links.subscription(row.subscriptionId),
        invoiceUrl: row.invoiceId === null ? null : links.invoice(row.invoiceId),
      }),
      ...convertedValues(kind, fields, row, currency),
    }),
  )
}

function ledgerRow(state: PushState & { id: string }, subscriptionId: string, values: CrmValues): LedgerRow {
  const sorted = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))
  const hash = createHash('sha256').update(JSON.stringify(sorted)).digest('base64url')
  return { key: state.id, subscriptionId, values, isNew: state.isNew, hash, state }
}
