import { exportTransactions, type Transaction } from '#contract/events.ts'
import { decimalOfCents } from '#domain/currency.ts'
import { labelOf } from '#domain/subscription.ts'
import { type Router, serve } from '../../http/serve.ts'
import { readEvents, wholeEvents } from '../../store/lists/event-list.ts'
import { readLinks } from '../links.ts'
import { toTransaction } from '../transaction.ts'
import { inReporting, linesOf, listFile } from './list-csv.ts'

export function serveEventCsv(router: Router): void {
  serve(router, exportTransactions, (context, { query }) => {
    const pages = linesOf(
      context,
      (tenant) => wholeEvents(tenant, query),
      async (tenant, ids) => {
        const links = await readLinks(context.deps, tenant)
        return (await readEvents(tenant, ids)).map((row) => lineOf(toTransaction(row, links)))
      },
    )
    return listFile(context, { name: 'events', head, pages })
  })
}

const head = [
  ...[
    'Event Date (UTC)',
    'Event ID',
    'Invoice',
    'Company',
    'Customer Name',
    'Customer Email',
    'Customer Domain',
  ],
  ...[
    'Payment Method',
    'Transaction Type',
    'Change Type',
    'Previous MRR',
    'Current MRR',
    'MRR Change',
    'Currency',
  ],
  ...['Previous Qty', 'Current Qty', 'Product', 'Subscription ID', 'HubSpot Company ID', 'Invoice Number'],
  ...['MRR Change in Reporting Currency', 'Reporting Currency', 'Exchange Rate'],
]

function lineOf(event: Transaction): string[] {
  const money = (cents: number) => decimalOfCents(cents, event.currency)
  return [
    ...[event.transactionDate, event.transactionId, event.invoiceId ?? '', event.companyName ?? ''],
    ...[event.customerName ?? '', event.customerEmail ?? '', event.customerDomain ?? ''],
    ...[event.paymentMethod ?? '', labelOf(event.mrrStatus), labelOf(event.changeType ?? '')],
    ...[money(event.previousMrr), money(event.currentMrr), money(event.mrrChange)],
    ...[event.currency.toUpperCase(), String(event.previousQuantity), String(event.currentQuantity)],
    ...[event.productName ?? '', event.relatedSubscriptionId ?? '', event.hubspotCompanyId ?? ''],
    ...[event.invoiceNumber ?? '', ...inReporting(event.reportingMrrChange, event)],
  ]
}
