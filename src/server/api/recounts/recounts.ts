import {
  exportRecount,
  exportRecounts,
  getRecount,
  listRecountCustomers,
  listRecountMonths,
  listRecountRecords,
  listRecounts,
  markRecountRead,
  type Recount as WireRecount,
} from '#contract/recounts.ts'
import { differencesBetween } from '#domain/mrr/receipts/rule-book-version.ts'
import { type Router, serve } from '../../http/serve.ts'
import { Refusal } from '../../refusal.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import {
  countReportRows,
  findRecount,
  listReportCustomers,
  listReportMonths,
  listReportRecords,
  listRecounts as listStoredRecounts,
  markRecountRead as markStoredRecountRead,
} from '../../store/recount/read-report.ts'
import type { RecountRow } from '../../store/recount/recounts.ts'
import { csvFile } from '../csv.ts'
import { listFile } from '../lists/list-csv.ts'
import { recountPages, recountsHead, streamRecount } from './recount-csv.ts'
import { toWireRecord } from './recount-record.ts'

const offsetOf = ({ page, limit }: { page: number; limit: number }) => ({ limit, offset: (page - 1) * limit })

export function serveRecounts(router: Router): void {
  serve(router, listRecounts, ({ inOrganization }, { query }) =>
    inOrganization(async (tenant) => {
      const { recounts, totalCount } = await listStoredRecounts(tenant, offsetOf(query))
      return { recounts: recounts.map(toWireRecount), totalCount }
    }),
  )

  serve(router, exportRecounts, (context) =>
    listFile(context, { name: 'recounts', head: recountsHead, pages: recountPages(context) }),
  )

  serve(router, getRecount, ({ inOrganization }, { params }) =>
    inOrganization(async (tenant) => toWireRecount(await requireRecount(tenant, params.recountId))),
  )

  serve(router, listRecountMonths, ({ inOrganization }, { params: { recountId }, query }) =>
    inOrganization(async (tenant) => {
      await requireRecount(tenant, recountId)
      const { months: totalCount } = await countReportRows(tenant, recountId)
      return { months: await listReportMonths(tenant, recountId, offsetOf(query)), totalCount }
    }),
  )

  serve(router, listRecountCustomers, ({ inOrganization }, { params: { recountId }, query }) =>
    inOrganization(async (tenant) => {
      await requireRecount(tenant, recountId)
      const { customers: totalCount } = await countReportRows(tenant, recountId)
      return { customers: await listReportCustomers(tenant, recountId, offsetOf(query)), totalCount }
    }),
  )

  serve(router, listRecountRecords, ({ inOrganization }, { params: { recountId }, query }) =>
    inOrganization(async (tenant) => {
      await requireRecount(tenant, recountId)
      const { records: totalCount } = await countReportRows(tenant, recountId)
      const records = await listReportRecords(tenant, recountId, offsetOf(query))
      return { records: records.map(toWireRecord), totalCount }
    }),
  )

  serve(router, exportRecount, async ({ inOrganization }, { params: { recountId } }) => {
    await inOrganization((tenant) => requireRecount(tenant, recountId))
    return csvFile('what-changed.csv', streamRecount(inOrganization, recountId))
  })

  serve(router, markRecountRead, ({ deps, actor, inOrganization }, { params: { recountId } }) =>
    inOrganization(async (tenant) => {
      const { completed_at } = await requireRecount(tenant, recountId)
      if (completed_at === null)
        throw new Refusal('conflict', 'It is still being counted. Wait until it is complete.')
      const isFirst = await markStoredRecountRead(tenant, recountId, actor.email, deps.now())
      if (isFirst) await recordAudit(tenant, actor, { action: 'recount_read', subject: String(recountId) })
      return { success: true as const, message: 'Marked as read.' }
    }),
  )
}

/**
 * Finds a recount of the caller's organization. One of another organization gets the same answer as one that does
 * not exist.
 */
async function requireRecount(tenant: Tenant, id: number): Promise<RecountRow> {
  const found = await findRecount(tenant, id)
  if (!found) throw new Refusal('not_found', 'There is no such report. Choose one on Rule Changes.')
  return found
}

function toWireRecount(recount: RecountRow): WireRecount {
  const [before, after] = [centsOf(recount.mrr_before), centsOf(recount.mrr_after)]
  const currencies = [...new Set([...before.keys(), ...after.keys()])].sort()
  return {
    recountId: String(recount.id),
    fromRules: recount.from_rules,
    toRules: recount.to_rules,
    fromPolicy: recount.from_policy,
    toPolicy: recount.to_policy,
    differences: differencesBetween(recount.from_rules, recount.to_rules),
    startedAt: recount.started_at.toISOString(),
    completedAt: recount.completed_at?.toISOString() ?? null,
    currentMrr: currencies.map((currency) => ({
      currency,
      before: before.get(currency) ?? 0,
      after: after.get(currency) ?? 0,
    })),
    monthCount: recount.month_count,
    customerCount: recount.customer_count,
    recordCount: recount.record_count,
    hubspotRecordCount: recount.crm_record_count,
    readAt: recount.read_at?.toISOString() ?? null,
    readBy: recount.read_by,
  }
}

function centsOf(byCurrency: unknown): Map<string, number> {
  const fields = typeof byCurrency === 'object' && byCurrency !== null ? byCurrency : {}
  return new Map(Object.entries(fields).map(([currency, cents]) => [currency, Number(cents)]))
}
