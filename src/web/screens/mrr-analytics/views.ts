import type { MovementInterval } from '#domain/movement.ts'
import { type SegmentKind, segmentKinds } from '#domain/segment.ts'
import type { AddressChoice } from '../../components/address/use-address-choice.ts'

/** MRR as it was snapshotted each month, or as it is counted now. */
export type ChartView = 'historical' | 'real-time'

export type CohortView = 'share' | 'mrr' | 'customers'

/** What the address may say of the cards of the screen, each under its name there. */
export const views = {
  chart: { name: 'chart', values: ['historical', 'real-time'] } satisfies AddressChoice<ChartView>,
  interval: { name: 'interval', values: ['month', 'quarter'] } satisfies AddressChoice<MovementInterval>,
  segment: { name: 'by', values: segmentKinds } satisfies AddressChoice<SegmentKind>,
  cohort: { name: 'cohorts', values: ['share', 'mrr', 'customers'] } satisfies AddressChoice<CohortView>,
}
