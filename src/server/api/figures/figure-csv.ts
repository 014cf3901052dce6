import {
  exportCohorts,
  exportMovements,
  exportMrrTrend,
  exportRetention,
  exportSegments,
  exportSnapshots,
} from '#contract/lists/figure-exports.ts'
import { decimalOfCents } from '#domain/currency.ts'
import { bridgeOfRange, type MovementBridge, movements, periodsOf } from '#domain/movement.ts'
import { boundsOfSize, isSize, type SegmentKind, segmentLabel } from '#domain/segment.ts'
import type { Context } from '../../http/context.ts'
import { type Router, serve } from '../../http/serve.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { getReportingCurrency } from '../../store/reporting/reporting.ts'
import { listSegmentMovements } from '../../store/totals/read-movements.ts'
import { type AskedDays, askedDays } from '../asked-days.ts'
import { listFile, rowsPerPage } from '../lists/list-csv.ts'
import { convertedOf, unconvertedOf } from './converted.ts'
import { readTrend } from './dashboard.ts'
import { readMovements } from './movements.ts'
import { readSnapshots } from './mrr.ts'
import { readCohorts, readRetention } from './retention.ts'
import { segmentsOf } from './segments.ts'

/** Serves every chart as a file of the same figures. What has no rate has lines of its own, in its own currency. */
export function serveFigureCsv(router: Router): void {
  serveBridgeCsv(router)
  serveCohortCsv(router)
  serveTrendCsv(router)
}

function serveBridgeCsv(router: Router): void {
  serve(router, exportMovements, (context, { query }) =>
    figureFile(context, 'movements', ['Period', 'From', 'To', ...bridgeHead], async (tenant, { today }) => {
      const { rows, range } = await readMovements(tenant, query, today)
      if (range === null) return []
      const reporting = { currency: await getReportingCurrency(tenant), own: convertedOf(rows) }
      return [reporting, ...unconvertedOf(rows)].flatMap(({ currency, own }) =>
        periodsOf(own, range, query.interval, today).map((period) => [
          ...[period.name, period.from, period.to],
          ...bridgeCells(period, currency),
        ]),
      )
    }),
  )

  serve(router, exportSegments, (context, { query }) =>
    figureFile(context, `segments-${query.by}`, ['Segment', ...bridgeHead, 'Share'], async (tenant) => {
      const rows = await listSegmentMovements(tenant, query.by, askedDays(query))
      const currency = await getReportingCurrency(tenant)
      return [{ currency, own: convertedOf(rows) }, ...unconvertedOf(rows)].flatMap((part) => {
        const total = bridgeOfRange(part.own).end
        return segmentsOf(part.own).map(({ value, ...bridge }) => [
          ...[nameOf(query.by, value, currency), ...bridgeCells(bridge, part.currency)],
          total > 0 ? share(bridge.end / total) : '',
        ])
      })
    }),
  )
}

function serveCohortCsv(router: Router): void {
  serve(router, exportRetention, (context, { query }) =>
    figureFile(context, 'retention', retentionHead, async (tenant, { now }) => {
      const currency = await getReportingCurrency(tenant)
      return (await readRetention(tenant, query.to, now)).map((row) => [
        ...[String(row.months), row.from, row.to],
        ...[row.start, row.expansion, row.contraction, row.end].map((cents) =>
          decimalOfCents(cents, currency),
        ),
        ...[currency.toUpperCase(), share(row.nrr), share(row.grr)],
      ])
    }),
  )

  serve(router, exportCohorts, (context, { query }) =>
    figureFile(context, 'cohorts', cohortHead, async (tenant, { now }) => {
      const currency = await getReportingCurrency(tenant)
      return (await readCohorts(tenant, query, now)).flatMap(({ cohort, cells }) =>
        cells.map(({ month, mrr, customers }) => [
          ...[cohort === '' ? `Before ${cells[0]?.month}` : cohort, month, decimalOfCents(mrr, currency)],
          ...[currency.toUpperCase(), String(customers)],
        ]),
      )
    }),
  )
}

function serveTrendCsv(router: Router): void {
  serve(router, exportSnapshots, (context, { query }) =>
    figureFile(context, 'mrr-snapshots', snapshotHead, async (tenant) => {
      const isAsked = within(query)
      const { reportingCurrency, snapshots } = await readSnapshots(tenant)
      return snapshots
        .filter(({ month }) => isAsked(`${month}-01`))
        .toSorted((one, other) => (one.month < other.month ? -1 : 1))
        .flatMap(({ month, otherCurrencies, ...own }) =>
          [{ currency: reportingCurrency, ...own }, ...otherCurrencies].map((row) => [
            ...[month, decimalOfCents(row.mrr, row.currency), row.currency.toUpperCase()],
            String(row.activeSubscriptions),
          ]),
        )
    }),
  )

  serve(router, exportMrrTrend, (context, { query }) =>
    figureFile(context, 'mrr-trend', ['Date', 'MRR', 'Currency'], async (tenant, { today }) => {
      const isAsked = within(query)
      const { mrrTrend, reportingCurrency: currency } = await readTrend(tenant, today)
      return mrrTrend
        .filter(({ date }) => isAsked(date))
        .map(({ date, mrr }) => [date, decimalOfCents(mrr, currency), currency.toUpperCase()])
    }),
  )
}

const bridgeHead = ['Start', ...movements, 'Net', 'End', 'Currency']
const retentionHead = [
  ...['Months', 'First Month', 'Last Month', 'Start', 'Expansion', 'Contraction', 'End', 'Currency'],
  ...['NRR', 'GRR'],
]
const cohortHead = ['First Paid', 'Month', 'MRR', 'Currency', 'Customers']
const snapshotHead = ['Month', 'MRR', 'Currency', 'Active Subscriptions']

type Clock = { now: Date; today: string }

/** The figures are totals, a few lines; they are read before the answer begins, so that a refusal can still be told. */
async function figureFile(
  context: Context,
  name: string,
  head: readonly string[],
  read: (tenant: Tenant, clock: Clock) => Promise<string[][]>,
): Promise<Response> {
  const now = context.deps.now()
  const lines = await context.inOrganization((tenant) =>
    read(tenant, { now, today: now.toISOString().slice(0, 10) }),
  )
  return listFile(context, { name, head, pages: pagesOf(lines) })
}

async function* pagesOf(lines: readonly string[][]): AsyncGenerator<string[][], undefined> {
  for (let at = 0; at < lines.length; at += rowsPerPage) yield lines.slice(at, at + rowsPerPage)
  return undefined
}

function bridgeCells({ start, moves, net, end }: MovementBridge, currency: string): string[] {
  const cells = [start, ...moves.map(({ change }) => change), net, end]
  return [...cells.map((cents) => decimalOfCents(cents, currency)), currency.toUpperCase()]
}

/** A ratio with as many digits as it has: 0.98 is 98%. */
const share = (ratio: number | null) => (ratio === null ? '' : String(ratio))

function nameOf(kind: SegmentKind, value: string, currency: string): string {
  if (kind !== 'size') return segmentLabel(kind, value)
  if (!isSize(value)) return 'Unknown size'
  const { from, to } = boundsOfSize(value)
  const least = decimalOfCents(from, currency)
  return to === null ? `${least} and more` : `${least} to under ${decimalOfCents(to, currency)}`
}

function within(query: AskedDays): (day: string) => boolean {
  const { from, to } = askedDays(query)
  return (day) => (from === null || day >= from) && (to === null || day <= to)
}
