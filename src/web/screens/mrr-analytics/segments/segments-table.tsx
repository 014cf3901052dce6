import { Table } from '@mantine/core'
import type { BridgeAnswer, SegmentsAnswer } from '#contract/mrr.ts'
import type { DayRange } from '#domain/date-range.ts'
import type { SegmentKind } from '#domain/segment.ts'
import { joinValues } from '#domain/value-list.ts'
import { formatShare } from '../../../components/figures/share.ts'
import { BridgeCells, BridgeHeads, useBridgeColumns } from '../bridge-cells.tsx'
import { BridgeTable } from '../bridge-table.tsx'
import { RowName } from '../events-cell.tsx'
import { segmentName } from './segment-name.ts'

type SegmentsTableProps = { answer: SegmentsAnswer; kind: SegmentKind; days: DayRange }

/** Lists segments from the start of the days to their end, and all of them as a total. */
export function SegmentsTable({ answer, kind, days }: SegmentsTableProps) {
  const { currency, segments, total } = answer
  const bridge = useBridgeColumns([total, ...segments])
  // Without a first day, nothing is before the movements.
  const columns = days.from === null ? bridge.filter((title) => title !== 'Start') : bridge
  return (
    <BridgeTable aria-label="Segments">
      <Table.Thead>
        <Table.Tr>
          <BridgeHeads name="Segment" columns={columns} />
          <Table.Th ta="right">Share</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {segments.map(({ value, share, ...bridge }) => (
          <SegmentRow
            key={value}
            name={segmentName(kind, value, currency)}
            filter={filterOf(kind, value)}
            {...{ bridge, share, days, currency, columns }}
          />
        ))}
      </Table.Tbody>
      <Table.Tfoot style={{ borderTop: '2px solid var(--mantine-color-default-border)' }}>
        <SegmentRow
          name="All segments"
          filter={{}}
          bridge={total}
          share={total.end > 0 ? 1 : null}
          {...{ days, currency, columns }}
        />
      </Table.Tfoot>
    </BridgeTable>
  )
}

function filterOf(kind: SegmentKind, value: string): SegmentRowProps['filter'] {
  return { [kind]: joinValues([value === '' ? null : value]) }
}

type SegmentRowProps = {
  name: string
  /** The filter of the segment's events; empty for all of them. */
  filter: Partial<Record<SegmentKind, string>>
  bridge: BridgeAnswer
  share: number | null
  days: DayRange
  currency: string
  columns: readonly string[]
}

function SegmentRow({ name, share, ...cells }: SegmentRowProps) {
  return (
    <Table.Tr>
      <RowName>{name}</RowName>
      <BridgeCells {...cells} label={name} preposition="of" />
      <Table.Td ta="right" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {formatShare(share)}
      </Table.Td>
    </Table.Tr>
  )
}
