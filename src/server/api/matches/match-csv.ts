import { reasonLabels, reviewLabels } from '#contract/lists/list-words.ts'
import { exportMatches } from '#contract/lists/match-export.ts'
import { decimalOfCents } from '#domain/currency.ts'
import { type Router, serve } from '../../http/serve.ts'
import { type ListedMatch, readMatches, wholeMatches } from '../../store/lists/match-list.ts'
import { getReportingCurrency } from '../../store/reporting/reporting.ts'
import { linesOf, listFile } from '../lists/list-csv.ts'

export function serveMatchCsv(router: Router): void {
  serve(router, exportMatches, (context, { query }) => {
    const pages = linesOf(
      context,
      (tenant) => wholeMatches(tenant, query),
      async (tenant, ids) => {
        const currency = await getReportingCurrency(tenant)
        return (await readMatches(tenant, query.state, ids)).map((row) => lineOf(row, currency))
      },
    )
    return listFile(context, { name: `matches-${query.state}`, head, pages })
  })
}

const head = [
  ...['Customer ID', 'Customer Name', 'Customer Email', 'State', 'Evidence', 'MRR', 'Currency'],
  ...['MRR in Other Currencies', 'Subscriptions Not Counted', 'HubSpot Company ID', 'Company', 'Candidates'],
]

function lineOf(row: ListedMatch, reporting: string): string[] {
  const money = (currency: string, cents: number) =>
    `${currency.toUpperCase()} ${decimalOfCents(cents, currency)}`
  return [
    ...[row.customerId, row.customerName ?? '', row.email ?? '', reviewLabels[row.state]],
    reasonLabels[row.evidence],
    ...[decimalOfCents(row.mrrCents, reporting), reporting.toUpperCase()],
    row.others.map(({ currency, mrrCents }) => money(currency, mrrCents)).join('; '),
    ...[String(row.uncountedSubscriptions), row.companyRecordId ?? '', row.companyName ?? ''],
    row.candidates.map(({ name, recordId }) => `${name ?? 'Unnamed'} (${recordId})`).join('; '),
  ]
}
