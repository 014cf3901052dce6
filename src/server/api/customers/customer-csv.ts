import { exportCustomers } from '#contract/customers/customers.ts'
import { matchLabel } from '#contract/lists/list-words.ts'
import { decimalOfCents } from '#domain/currency.ts'
import { type Router, serve } from '../../http/serve.ts'
import {
  type ListedCustomer,
  readCustomers,
  wholeCustomers,
} from '../../store/lists/customers/customer-list.ts'
import { getReportingCurrency } from '../../store/reporting/reporting.ts'
import { linesOf, listFile } from '../lists/list-csv.ts'

export function serveCustomerCsv(router: Router): void {
  serve(router, exportCustomers, (context, { query }) => {
    const pages = linesOf(
      context,
      (tenant) => wholeCustomers(tenant, query),
      async (tenant, ids) => {
        const currency = await getReportingCurrency(tenant)
        return (await readCustomers(tenant, ids)).map((row) => lineOf(row, currency))
      },
    )
    return listFile(context, { name: 'customers', head, pages })
  })
}

const head = [
  ...['Customer ID', 'Customer Name', 'Customer Email', 'Customer Domain', 'MRR', 'Currency'],
  ...['MRR in Other Currencies', 'Subscriptions Not Counted', 'First Paid (UTC)', 'Match', 'Company'],
  ...['HubSpot Company ID', 'Deleted in Stripe', 'Subscriptions', 'Products'],
]

function lineOf(row: ListedCustomer, reporting: string): string[] {
  const unnamed = row.productCount - row.productNames.length
  const products = unnamed > 0 ? [...row.productNames, `${unnamed} more`] : row.productNames
  const others = row.others.map(
    ({ currency, mrrCents }) => `${currency.toUpperCase()} ${decimalOfCents(mrrCents, currency)}`,
  )
  return [
    ...[row.customerId, row.customerName ?? '', row.email ?? '', row.domain ?? ''],
    ...[decimalOfCents(row.mrrCents, reporting), reporting.toUpperCase(), others.join('; ')],
    ...[String(row.uncountedSubscriptions), row.firstPaidAt?.toISOString() ?? '', matchLabel(row.matchState)],
    ...[row.companyName ?? '', row.companyRecordId ?? '', row.isDeleted ? 'yes' : 'no'],
    ...[String(row.subscriptionCount), products.join('; ')],
  ]
}
