import {
  exportCohorts,
  exportMovements,
  exportMrrTrend,
  exportRetention,
  exportSegments,
  exportSnapshots,
} from '#contract/lists/figure-exports.ts'
import { decimalOfCents } from '#domain/currency.ts'
import { dayOfDate } from '#domain/instant.ts'
import { type MovementBridge, movements } from '#domain/movement.ts'
import { boundsOfSize, isSize, type SegmentKind, segmentLabel } from '#domain/segment.ts'
import type { Context } from '../../http/context.ts'
import { type Router, serve } from '../../http/serve.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { getReportingCurrency } from '../../store/reporting/reporting.ts'
import { type AskedDays, askedDays } from '../asked-days.ts'
import { listFile, rowsPerPage } from '../lists/list-csv.ts'
import { readTrend } from './dashboard.ts'
import { readMovements } from './movements.ts'
import { readSnapshots } from './mrr.ts'
import { readCohorts, readRetention } from './retention.ts'
import { readSegments } from './segments.ts'

/** Serves every chart as a file of the same figures. What has no rate has lines of its own, in its own currency. */
export function serveFigureCsv(router: Router): void {
  serveBridgeCsv(router)
  serveCohortCsv(router)
  serveTrendCsv(router)
}

function serveBridgeCsv(router: Router): void {
  serve(router, exportMovements, (context, { query }) =>
    bridgeFile(context, 'movements', [['Period', 'From', 'To'], []], async (tenant, { today }) => {
      const { currency: reporting, range, periods, beside } = await readMovements(tenant, query, today)
      if (range === null) return []
      return [{ currency: reporting, periods }, ...beside].flatMap((part) =>
        part.periods.map((bridge) => ({
          before: [bridge.name, bridge.from, bridge.to],
          bridge,
          currency: part.currency,
          after: [],
        })),
      )
    }),
  )

  serve(router, exportSegments, (context, { query }) =>
    bridgeFile(context, `segments-${query.by}`, [['Segment'], ['Share']], async (tenant, { today }) => {
      const { currency, segments, beside } = await readSegments(tenant, query, today)
      return [{ currency, segments }, ...beside].flatMap((part) => {
        const total = part.segments.reduce((sum, { end }) => sum + end, 0)
        return part.segments.map((bridge) => ({
          before: [nameOf(query.by, bridge.value, currency)],
          bridge,
          currency: part.currency,
          after: [total > 0 ? share(bridge.end / total) : ''],
        }))
      })
    }),
  )
}

type BridgeLine = { before: string[]; bridge: MovementBridge; currency: string; after: string[] }

/** A file of bridges, with a column for exchange rates where levels are revalued. */
async function bridgeFile(
  context: Context,
  name: string,
  [before, after]: [before: string[], after: string[]],
  read: (tenant: Tenant, clock: Clock) => Promise<BridgeLine[]>,
): Promise<Response> {
  const lines = await context.inOrganization((tenant) => read(tenant, clockOf(context)))
  const hasFx = lines.some(({ bridge }) => bridge.fx !== undefined)
  const fxHead = hasFx ? ['Exchange Rates'] : []
  const head = [...before, 'Start', ...movements, 'Net', ...fxHead, 'End', 'Currency', ...after]
  const cells = lines.map((line) => [
    ...line.before,
    ...bridgeCells(line.bridge, line.currency, hasFx),
    ...line.after,
  ])
  return listFile(context, { name, head, pages: pagesOf(cells) })
}

function serveCohortCsv(router: Router): void {
  serve(router, exportRetention, (context, { query }) =>
    figureFile(context, 'retention', retentionHead, async (tenant, { now }) => {
      const currency = await getReportingCurrency(tenant)
      return (await readRetention(tenant, query.to, now)).retention.map((row) => [
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
      return (await readCohorts(tenant, query, now)).cohorts.flatMap(({ cohort, cells }) =>
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
            ...[String(row.activeSubscriptions), startOf(`${month}-01`)],
          ]),
        )
    }),
  )

  serve(router, exportMrrTrend, (context, { query }) =>
    figureFile(context, 'mrr-trend', ['Date', 'MRR', 'Currency', 'As Of (UTC)'], async (tenant, { now }) => {
      const isAsked = within(query)
      const { mrrTrend, reportingCurrency: currency } = await readTrend(tenant, now)
      return mrrTrend
        .map(({ date, mrr }, at) => ({
          date,
          mrr,
          asOf: at === mrrTrend.length - 1 ? now.toISOString() : startOf(date),
        }))
        .filter(({ date }) => isAsked(date))
        .map(({ date, mrr, asOf }) => [date, decimalOfCents(mrr, currency), currency.toUpperCase(), asOf])
    }),
  )
}

/** The instant of a figure that is true at the start of a day. */
const startOf = (day: string) => new Date(day).toISOString()

const retentionHead = [
  ...['Months', 'First Month', 'Last Month', 'Start', 'Expansion', 'Contraction', 'End', 'Currency'],
  ...['NRR', 'GRR'],
]
const cohortHead = ['First Paid', 'Month', 'MRR', 'Currency', 'Customers']
const snapshotHead = ['Month', 'MRR', 'Currency', 'Active Subscriptions', 'As Of (UTC)']

type Clock = { now: Date; today: string }

function clockOf({ deps }: Context): Clock {
  const now = deps.now()
  return { now, today: dayOfDate(now) }
}

/** The figures are totals, a few lines; they are read before the answer begins, so that a refusal can still be told. */
async function figureFile(
  context: Context,
  name: string,
  head: readonly string[],
  read: (tenant: Tenant, clock: Clock) => Promise<string[][]>,
): Promise<Response> {
  const lines = await context.inOrganization((tenant) => read(tenant, clockOf(context)))
  return listFile(context, { name, head, pages: pagesOf(lines) })
}

async function* pagesOf(lines: readonly string[][]): AsyncGenerator<string[][], undefined> {
  for (let at = 0; at < lines.length; at += rowsPerPage) yield lines.slice(at, at + rowsPerPage)
  return undefined
}

function bridgeCells(
  { start, moves, net, fx = 0, end }: MovementBridge,
  currency: string,
  hasFx: boolean,
): string[] {
  const cells = [start, ...moves.map(({ change }) => change), net, ...(hasFx ? [fx] : []), end]
  return [...cells.map((cents) => decimalOfCents(cents, currency)), currency.toUpperCase()]
}

/** A ratio with four digits: 0.9800 is 98%. */
const share = (ratio: number | null) => (ratio === null ? '' : ratio.toFixed(4))

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
