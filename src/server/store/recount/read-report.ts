import { sql } from 'kysely'
import type { CrmKind } from '#domain/crm-record.ts'
import type { Tenant } from '../postgres/database.ts'
import type { RecountRow } from './recounts.ts'

type Page = { limit: number; offset: number }

/** A page of the recounts, newest first, and the number of all. */
export async function listRecounts(
  tenant: Tenant,
  page: Page,
): Promise<{ recounts: RecountRow[]; totalCount: number }> {
  const ofOrganization = tenant.sql
    .selectFrom('recounts')
    .where('organization_id', '=', tenant.organizationId)
  const recounts = await ofOrganization
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const { count } = await ofOrganization
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { recounts, totalCount: count }
}

export function findRecount(tenant: Tenant, id: number): Promise<RecountRow | undefined> {
  return tenant.sql
    .selectFrom('recounts')
    .selectAll()
    .where('organization_id', '=', tenant.organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The newest report with a change that no owner or admin has read. */
export async function findUnreadRecount(tenant: Tenant): Promise<RecountRow | undefined> {
  const { rows } = await sql<RecountRow>`
    select * from recounts
     where organization_id = ${tenant.organizationId} and completed_at is not null and read_at is null
       and month_count + customer_count + record_count > 0
     order by started_at desc, id desc limit 1`.execute(tenant.sql)
  return rows[0]
}

/** Saves the first reader of a report; returns whether this was the first time. */
export async function markRecountRead(tenant: Tenant, id: number, by: string, at: Date): Promise<boolean> {
  const marked = await tenant.sql
    .updateTable('recounts')
    .set({ read_at: at, read_by: by })
    .where('organization_id', '=', tenant.organizationId)
    .where('id', '=', id)
    .where('completed_at', 'is not', null)
    .where('read_at', 'is', null)
    .executeTakeFirst()
  return marked.numUpdatedRows > 0n
}

/** The number of rows in each list of a report. */
export async function countReportRows(tenant: Tenant, id: number) {
  const count = (table: string) => sql`
    (select count(*) from ${sql.table(table)} c
      where c.organization_id = ${tenant.organizationId} and c.recount_id = ${id})`
  const { rows } = await sql<{ months: number; customers: number; records: number }>`
    select ${count('recount_months')} as months, ${count('recount_customers')} as customers,
           ${count('recount_records')} as records`.execute(tenant.sql)
  return rows[0] ?? { months: 0, customers: 0, records: 0 }
}

export type ReportMonth = {
  month: string
  currency: string
  mrrBefore: number
  mrrAfter: number
  subscriptionsBefore: number
  subscriptionsAfter: number
}

/** Months with their MRR on the 1st, newest first. */
export async function listReportMonths(tenant: Tenant, id: number, page: Page): Promise<ReportMonth[]> {
  const { rows } = await sql<ReportMonth>`
    select month, currency, mrr_before_cents as "mrrBefore", mrr_after_cents as "mrrAfter",
           subscriptions_before as "subscriptionsBefore", subscriptions_after as "subscriptionsAfter"
      from recount_months where organization_id = ${tenant.organizationId} and recount_id = ${id}
     order by month desc, currency limit ${page.limit} offset ${page.offset}`.execute(tenant.sql)
  return rows
}

export type ReportCustomer = {
  customerId: string
  customerName: string | null
  customerEmail: string | null
  companyName: string | null
  currency: string
  mrrBefore: number
  mrrAfter: number
  eventCount: number
}

/** Customers with their current names, the largest change of MRR first. */
export async function listReportCustomers(tenant: Tenant, id: number, page: Page): Promise<ReportCustomer[]> {
  const { rows } = await sql<ReportCustomer>`
    select r.customer_id as "customerId", c.name as "customerName", c.email as "customerEmail",
           c.company_name as "companyName", r.currency, r.mrr_before_cents as "mrrBefore",
           r.mrr_after_cents as "mrrAfter", r.event_count as "eventCount"
      from recount_customers r
      left join customers c on c.organization_id = r.organization_id and c.id = r.customer_id
     where r.organization_id = ${tenant.organizationId} and r.recount_id = ${id}
     order by abs(r.mrr_after_cents - r.mrr_before_cents) desc, r.customer_id, r.currency
     limit ${page.limit} offset ${page.offset}`.execute(tenant.sql)
  return rows
}

// A rebuild saved these values from the same types.
export type ReportRecord = {
  kind: CrmKind
  recordKey: string
  customerId: string
  customerName: string | null
  currency: string
  label: string
  before: Record<string, string> | null
  after: Record<string, string> | null
  isInCrm: boolean
}

/** Where the next page of records begins. */
export type RecordCursor = Pick<ReportRecord, 'customerId' | 'kind' | 'recordKey'>

/** Subscriptions and events by customer, each subscription before its events. */
export async function listReportRecords(
  tenant: Tenant,
  id: number,
  page: { limit: number } & ({ offset: number } | { after: RecordCursor | null }),
): Promise<ReportRecord[]> {
  const after = 'after' in page ? page.after : null
  const goesOn = after
    ? sql`and (r.customer_id > ${after.customerId} or (r.customer_id = ${after.customerId}
               and (r.kind < ${after.kind} or (r.kind = ${after.kind} and r.source_id > ${after.recordKey}))))`
    : sql``
  const { rows } = await sql<ReportRecord>`
    select r.kind, r.source_id as "recordKey", r.customer_id as "customerId", c.name as "customerName", r.currency,
           r.label, r.before, r.after, r.is_in_crm as "isInCrm"
      from recount_records r
      left join customers c on c.organization_id = r.organization_id and c.id = r.customer_id
     where r.organization_id = ${tenant.organizationId} and r.recount_id = ${id} ${goesOn}
     order by r.customer_id, r.kind desc, r.source_id
     limit ${page.limit} offset ${'offset' in page ? page.offset : 0}`.execute(tenant.sql)
  return rows
}
