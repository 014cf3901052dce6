import { getMrrSegments } from '#contract/mrr.ts'
import type { Day } from '#domain/date-range.ts'
import { dayOfDate } from '#domain/instant.ts'
import { bridgeOfRange, type MonthMovement, type MovementBridge } from '#domain/movement.ts'
import {
  between,
  type LevelDays,
  levelDays,
  revaluedBridge,
  shareOut,
  type WorthOf,
} from '#domain/reporting/revalued.ts'
import { isSize, type SegmentKind, sizeFloors } from '#domain/segment.ts'
import { type Router, serve } from '../../http/serve.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { currencyOfNothing, getReporting } from '../../store/reporting/reporting.ts'
import { loadValues } from '../../store/reporting/values.ts'
import { listSegmentMovements, type SegmentTotal } from '../../store/totals/read-movements.ts'
import { type AskedDays, askedDays } from '../asked-days.ts'
import { besideOf, convertedOf } from './converted.ts'

export function serveSegments(router: Router): void {
  serve(router, getMrrSegments, ({ deps, inOrganization }, { query }) =>
    inOrganization(async (tenant) => {
      const today = dayOfDate(deps.now())
      const { currency, segments, total, beside } = await readSegments(tenant, query, today)
      const page = segments.slice((query.page - 1) * query.limit, query.page * query.limit)
      return {
        currency,
        by: query.by,
        segments: page.map((segment) => ({
          ...segment,
          share: total.end > 0 ? segment.end / total.end : null,
        })),
        totalCount: segments.length,
        total,
        otherCurrencies: beside.map((part) => ({ currency: part.currency, ...part.total })),
      }
    }),
  )
}

/** All segments of a kind on some days, what they add up to, and what has no rate beside them. */
export async function readSegments(tenant: Tenant, query: AskedDays & { by: SegmentKind }, today: Day) {
  const asked = askedDays(query)
  const rows = await listSegmentMovements(tenant, query.by, asked)
  const ends = levelDays(asked, today)
  const reporting = await getReporting(tenant)
  const worthOf = await loadValues(tenant, reporting, rows, [ends.start, ends.end])
  const figuresOf = (own: readonly (SegmentTotal & MonthMovement)[], worth: WorthOf | null) => {
    const total = bridgeOfRange(own)
    return worth === null
      ? { segments: sorted(query.by, eachOf(own)), total }
      : {
          segments: sorted(query.by, revalued(own, ends, worth)),
          total: revaluedBridge(total, own, ends, worth),
        }
  }
  return {
    currency: reporting.currency ?? currencyOfNothing,
    ...figuresOf(convertedOf(rows), worthOf),
    beside: besideOf(rows, ends.end, worthOf).map((part) => ({
      currency: part.currency,
      ...figuresOf(part.own, part.worthOf),
    })),
  }
}

type Segment = MovementBridge & { value: string }

function eachOf(rows: readonly (MonthMovement & { value: string })[]): Segment[] {
  return [...Map.groupBy(rows, ({ value }) => value)].map(([value, own]) => ({
    value,
    ...bridgeOfRange(own),
  }))
}

/** Each segment's part of the revalued total. */
function revalued(
  rows: readonly (SegmentTotal & MonthMovement)[],
  { start, end }: LevelDays,
  worthOf: WorthOf,
): Segment[] {
  const before = rows.filter(({ month }) => month === '')
  const [starts, ends] = [sumsOf(shareOut(before, start, worthOf)), sumsOf(shareOut(rows, end, worthOf))]
  return eachOf(rows).map((segment) =>
    between(segment, starts.get(segment.value) ?? 0, ends.get(segment.value) ?? 0),
  )
}

function sumsOf(shares: readonly { part: SegmentTotal; cents: number }[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { part, cents } of shares) sums.set(part.value, (sums.get(part.value) ?? 0) + cents)
  return sums
}

/** Each segment that had MRR or a movement: sizes from the largest down, others by their MRR, the highest first. */
function sorted(kind: SegmentKind, segments: readonly Segment[]): Segment[] {
  const floorOf = ({ value }: Segment) => (kind === 'size' && isSize(value) ? sizeFloors[value] : -1)
  return segments
    .filter(({ start, end, moves }) => start !== 0 || end !== 0 || moves.some(({ events }) => events > 0))
    .sort(
      (a, b) => floorOf(b) - floorOf(a) || b.end - a.end || b.start - a.start || (a.value < b.value ? -1 : 1),
    )
}
