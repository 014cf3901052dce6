import { Table } from '@mantine/core'
import type { BridgeAnswer, SegmentsAnswer } from '#contract/mrr.ts'
import { addDays, type DayRange } from '#domain/date-range.ts'
import { movements } from '#domain/movement.ts'
import type { SegmentKind } from '#domain/segment.ts'
import { joinValues } from '#domain/value-list.ts'
import { fxName } from '../../../components/charts/movements/movement-words.ts'
import { eventsAddress } from '../../../components/events-address.ts'
import { Money, MoneyChange } from '../../../components/figures/money.tsx'
import { formatShare } from '../../../components/figures/share.ts'
import { EventsCell, RowName } from '../events-cell.tsx'
import { FxCell } from '../fx-cell.tsx'
import { segmentName } from './segment-name.ts'

type SegmentsTableProps = { answer: SegmentsAnswer; kind: SegmentKind; days: DayRange }

/** Lists segments from the start of the days to their end, and all of them as a total. */
export function SegmentsTable({ answer, kind, days }: SegmentsTableProps) {
  const { currency, segments, total } = answer
  const hasFx = [total, ...segments].some(({ fx = 0 }) => fx !== 0)
  return (
    <Table.ScrollContainer minWidth={900} type="native" pos="relative" tabIndex={0}>
      <Table
        aria-label="Segments"
        withTableBorder
        horizontalSpacing={8}
        verticalSpacing={6}
        style={{ whiteSpace: 'nowrap' }}
      >
        <Table.Thead>
          <Table.Tr>
            {['Segment', 'Start', ...movements, 'Net', ...(hasFx ? [fxName] : []), 'End', 'Share'].map(
              (title, index) => (
                <Table.Th key={title} ta={index === 0 ? 'left' : 'right'}>
                  {title}
                </Table.Th>
              ),
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {segments.map(({ value, share, ...bridge }) => (
            <SegmentRow
              key={value}
              name={segmentName(kind, value, currency)}
              filter={filterOf(kind, value)}
              {...{ bridge, share, days, currency, hasFx }}
            />
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <SegmentRow
            name="All segments"
            filter={{}}
            bridge={total}
            share={total.end > 0 ? 1 : null}
            {...{ days, currency, hasFx }}
          />
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
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
  hasFx: boolean
}

function SegmentRow({ name, filter, bridge, share, days, currency, hasFx }: SegmentRowProps) {
  const { from, to } = days
  const addressOf = (days: { from?: string | null; to: string | null; mrrStatus?: string }) =>
    eventsAddress({ ...filter, ...days })
  const levelAddress = (day: string | null) => (bridge.fx === undefined ? addressOf({ to: day }) : undefined)
  const before = from === null ? null : levelAddress(addDays(from, -1))
  return (
    <Table.Tr>
      <RowName>{name}</RowName>
      <EventsCell to={before} label={`Start of ${name}`}>
        <Money amountCents={bridge.start} currency={currency} />
      </EventsCell>
      {bridge.moves.map(({ movement, change, events }) => (
        <EventsCell
          key={movement}
          to={events === 0 ? null : addressOf({ mrrStatus: movement, from, to })}
          label={`${movement} of ${name}`}
        >
          <MoneyChange amountCents={change} currency={currency} />
        </EventsCell>
      ))}
      <EventsCell to={addressOf({ from, to })} label={`Net of ${name}`}>
        <MoneyChange amountCents={bridge.net} currency={currency} />
      </EventsCell>
      {hasFx ? <FxCell bridge={bridge} currency={currency} /> : null}
      <EventsCell to={levelAddress(to)} label={`End of ${name}`}>
        <Money amountCents={bridge.end} currency={currency} />
      </EventsCell>
      <Table.Td ta="right" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {formatShare(share)}
      </Table.Td>
    </Table.Tr>
  )
}
