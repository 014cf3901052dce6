import { billingIntervalLabel } from './subscription.ts'

/** What subscriptions are split by in analytics. */
export const segmentKinds = ['product', 'plan', 'currency', 'interval', 'size'] as const
export type SegmentKind = (typeof segmentKinds)[number]

/** The bands of a subscription's highest MRR, by the least that is in each, in minor units. */
export const sizeFloors = { xs: 0, s: 5_000, m: 20_000, l: 100_000, xl: 500_000 } as const
export type SizeBand = keyof typeof sizeFloors

/** The band as two amounts: the least in it, and the least in the next one; null for the highest. */
export function boundsOfSize(size: SizeBand): { from: number; to: number | null } {
  const from = sizeFloors[size]
  const above = Object.values(sizeFloors).filter((floor) => floor > from)
  return { from, to: above.length === 0 ? null : Math.min(...above) }
}

/** Whether a text names a band. */
export function isSize(text: string): text is SizeBand {
  return Object.hasOwn(sizeFloors, text)
}

/** A segment's name without amounts; 'size' needs a currency to be told. */
export function segmentLabel(kind: Exclude<SegmentKind, 'size'>, value: string): string {
  if (value === '') return kind === 'interval' ? 'Unknown interval' : `Unknown ${kind}`
  if (kind === 'interval') return billingIntervalLabel(Number(value))
  return kind === 'currency' ? value.toUpperCase() : value
}
