import { exportSubscriptions, type Subscription } from '#contract/subscriptions.ts'
import { decimalOfCents } from '#domain/currency.ts'
import { labelOf } from '#domain/subscription.ts'
import { type Router, serve } from '../../http/serve.ts'
import { readSubscriptions, wholeSubscriptions } from '../../store/lists/subscription-list.ts'
import { readLinks } from '../links.ts'
import { toSubscription } from '../subscription.ts'
import { inReporting, linesOf, listFile } from './list-csv.ts'
import { subscriptionQueryOf } from './subscription-query.ts'

export function serveSubscriptionCsv(router: Router): void {
  serve(router, exportSubscriptions, (context, { query }) => {
    const pages = linesOf(
      context,
      async (tenant) =>
        wholeSubscriptions(tenant, await subscriptionQueryOf(tenant, query, context.deps.now())),
      async (tenant, ids) => {
        const links = await readLinks(context.deps, tenant)
        return (await readSubscriptions(tenant, ids)).map((row) => lineOf(toSubscription(row, links)))
      },
    )
    return listFile(context, { name: 'subscriptions', head, pages })
  })
}

const head = [
  ...[
    'Last Updated (UTC)',
    'Subscription ID',
    'Company',
    'MRR',
    'Currency',
    'Product',
    'Status',
    'Customer Name',
  ],
  ...['Customer Email', 'Customer Domain', 'Customer ID', 'Quantity', 'Billing Interval', 'Interval in Days'],
  ...[
    'Period Start (UTC)',
    'Period End (UTC)',
    'Next Renewal',
    'View in Stripe',
    'HubSpot Company ID',
    'Not Counted Because',
  ],
  ...['MRR in Reporting Currency', 'Reporting Currency', 'Exchange Rate'],
]

function lineOf(row: Subscription): string[] {
  const number = (value: number | null) => (value === null ? '' : String(value))
  return [
    ...[
      row.updatedAt,
      row.subscriptionId,
      row.companyName ?? '',
      decimalOfCents(row.currentMrr, row.currency),
    ],
    ...[row.currency.toUpperCase(), row.productName ?? '', labelOf(row.status), row.customerName ?? ''],
    ...[row.customerEmail ?? '', row.customerDomain ?? '', row.customerId, number(row.quantity)],
    ...[row.billingInterval ?? '', number(row.billingIntervalDays), row.currentPeriodStart ?? ''],
    ...[row.currentPeriodEnd ?? '', row.nextRenewalDate ?? '', row.stripeLink ?? ''],
    ...[row.hubspotCompanyId ?? '', row.unsupportedReason ?? ''],
    ...inReporting(row.reportingMrr, row),
  ]
}
