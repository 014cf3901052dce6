import { boundsOfSize, isSize, type SegmentKind, segmentLabel } from '#domain/segment.ts'
import { formatWhole } from '../../../components/figures/format-money.ts'

/** Names a segment for a person; a size is the band of a subscription's highest MRR. */
export function segmentName(kind: SegmentKind, value: string, currency: string): string {
  if (kind !== 'size') return segmentLabel(kind, value)
  if (!isSize(value)) return 'Unknown size'
  const { from, to } = boundsOfSize(value)
  if (to === null) return `${formatWhole(from, currency)} and more`
  return from === 0
    ? `Under ${formatWhole(to, currency)}`
    : `${formatWhole(from, currency)} to under ${formatWhole(to, currency)}`
}
