import { inHubspotLabels } from '#contract/lists/list-words.ts'
import { valueLabel } from '#domain/crm-record.ts'
import { decimalOfCents } from '#domain/currency.ts'
import { recountFieldLabel } from '#domain/recount.ts'
import type { Context } from '../../http/context.ts'
import {
  listRecounts,
  listReportCustomers,
  listReportMonths,
  listReportRecords,
  type RecordCursor,
} from '../../store/recount/read-report.ts'
import { streamCsv } from '../csv.ts'
import { rowsPerPage } from '../lists/list-csv.ts'
import { readChanges } from './recount-record.ts'

export const recountsHead = [
  ...['Report ID', 'Started (UTC)', 'Completed (UTC)', 'From Rules', 'To Rules', 'From Policy', 'To Policy'],
  ...['Months', 'Customers', 'Records', 'HubSpot Records', 'Read At (UTC)', 'Read By'],
]

/** All recounts, newest first. */
export function recountPages({ inOrganization }: Context): AsyncGenerator<string[][], undefined> {
  const time = (at: Date | null) => at?.toISOString() ?? ''
  return pagesOf(
    (page) => inOrganization(async (tenant) => (await listRecounts(tenant, page)).recounts),
    (row) => [
      [
        ...[String(row.id), time(row.started_at), time(row.completed_at)],
        ...[row.from_rules, row.to_rules, row.from_policy, row.to_policy].map(String),
        ...[row.month_count, row.customer_count, row.record_count, row.crm_record_count].map(String),
        ...[time(row.read_at), row.read_by ?? ''],
      ],
    ],
  )
}

type InOrganization = Context['inOrganization']

const head = [
  ...['Concerning', 'Month', 'Customer ID', 'Customer', 'Record ID', 'Record', 'In HubSpot'],
  ...['Currency', 'Figure', 'Before', 'After'],
]

/** Everything that a recount changed as CSV, one figure per line. */
export function streamRecount(inOrganization: InOrganization, recountId: number): ReadableStream<Uint8Array> {
  return streamCsv(head, linesOf(inOrganization, recountId))
}

async function* linesOf(inOrganization: InOrganization, id: number): AsyncGenerator<string[][], undefined> {
  yield* pagesOf(
    (page) => inOrganization((tenant) => listReportMonths(tenant, id, page)),
    (row) => {
      const { month, currency } = row
      const line = lineOf({ concerning: 'Month', month, currency })
      return [
        line(
          'MRR on the 1st',
          decimalOfCents(row.mrrBefore, currency),
          decimalOfCents(row.mrrAfter, currency),
        ),
        line('Subscriptions', String(row.subscriptionsBefore), String(row.subscriptionsAfter)),
      ]
    },
  )
  yield* pagesOf(
    (page) => inOrganization((tenant) => listReportCustomers(tenant, id, page)),
    (row) => {
      const { customerId, currency } = row
      const customer = row.companyName ?? row.customerName ?? row.customerEmail ?? ''
      const line = lineOf({ concerning: 'Customer', customerId, customer, currency })
      return [
        line('Current MRR', decimalOfCents(row.mrrBefore, currency), decimalOfCents(row.mrrAfter, currency)),
        line('Changed events', '', String(row.eventCount)),
      ]
    },
  )
  for (let after: RecordCursor | null = null; ; ) {
    const page: { limit: number; after: RecordCursor | null } = { limit: rowsPerPage, after }
    const rows = await inOrganization((tenant) => listReportRecords(tenant, id, page))
    if (rows.length > 0)
      yield rows.flatMap((row) => {
        const { customerId, recordKey, label, currency } = row
        const { inHubspot, changes } = readChanges(row)
        const concerning = row.kind === 'event' ? 'Event' : 'Subscription'
        const customer = row.customerName ?? ''
        const line = lineOf({
          concerning,
          customerId,
          customer,
          recordKey,
          label,
          inHubspot: inHubspotLabels[inHubspot],
          currency,
        })
        return changes.map(({ field, before, after: is }) =>
          line(recountFieldLabel(field), valueLabel(field, before ?? ''), valueLabel(field, is ?? '')),
        )
      })
    const last = rows.at(-1)
    if (!last || rows.length < rowsPerPage) return undefined
    after = last
  }
}

async function* pagesOf<Row>(
  list: (page: { limit: number; offset: number }) => Promise<Row[]>,
  linesOfRow: (row: Row) => string[][],
): AsyncGenerator<string[][], undefined> {
  for (let offset = 0; ; offset += rowsPerPage) {
    const rows = await list({ limit: rowsPerPage, offset })
    if (rows.length > 0) yield rows.flatMap(linesOfRow)
    if (rows.length < rowsPerPage) return undefined
  }
}

type Line = {
  concerning: string
  month?: string
  customerId?: string
  customer?: string
  recordKey?: string
  label?: string
  inHubspot?: string
  currency: string
}

const lineOf =
  (line: Line) =>
  (figure: string, before: string, after: string): string[] => [
    ...[line.concerning, line.month ?? '', line.customerId ?? '', line.customer ?? '', line.recordKey ?? ''],
    ...[line.label ?? '', line.inHubspot ?? '', line.currency.toUpperCase(), figure, before, after],
  ]
