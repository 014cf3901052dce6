import { getMrrSegments } from '#contract/mrr.ts'
import { bridgeOfRange, type MonthMovement, type MovementBridge } from '#domain/movement.ts'
import { type Router, serve } from '../../http/serve.ts'
import { getReportingCurrency } from '../../store/reporting/reporting.ts'
import { listSegmentMovements } from '../../store/totals/read-movements.ts'
import { askedDays } from '../asked-days.ts'
import { convertedOf, otherBridges } from './converted.ts'

export function serveSegments(router: Router): void {
  serve(router, getMrrSegments, ({ inOrganization }, { query }) =>
    inOrganization(async (tenant) => {
      const rows = await listSegmentMovements(tenant, query.by, askedDays(query))
      const total = bridgeOfRange(convertedOf(rows))
      const segments = segmentsOf(convertedOf(rows))
      const page = segments.slice((query.page - 1) * query.limit, query.page * query.limit)
      return {
        currency: await getReportingCurrency(tenant),
        segments: page.map((segment) => ({
          ...segment,
          share: total.end > 0 ? segment.end / total.end : null,
        })),
        totalCount: segments.length,
        total,
        otherCurrencies: otherBridges(rows),
      }
    }),
  )
}

type Segment = MovementBridge & { value: string }

/** Each segment that had MRR or a movement, highest MRR first. */
export function segmentsOf(rows: readonly (MonthMovement & { value: string })[]): Segment[] {
  return [...Map.groupBy(rows, ({ value }) => value)]
    .map(([value, own]) => ({ value, ...bridgeOfRange(own) }))
    .filter(({ start, end, moves }) => start !== 0 || end !== 0 || moves.some(({ events }) => events > 0))
    .sort((a, b) => b.end - a.end || b.start - a.start || (a.value < b.value ? -1 : 1))
}
