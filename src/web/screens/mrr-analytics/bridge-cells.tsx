import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import type { BridgeAnswer } from '#contract/mrr.ts'
import { addDays, type DayRange } from '#domain/date-range.ts'
import { movements } from '#domain/movement.ts'
import { fxName } from '../../components/charts/movements/movement-words.ts'
import { type EventsFilter, eventsAddress } from '../../components/events-address.ts'
import { Money, MoneyChange } from '../../components/figures/money.tsx'
import { useIsNarrow } from '../../components/list-page/use-is-narrow.ts'
import { Term } from '../../components/terms/term.tsx'
import type { TermName } from '../../components/terms/terms.ts'
import { EventsCell } from './events-cell.tsx'
import { FxCell } from './fx-cell.tsx'

/**
 * The columns that lead from a start to an end. A phone has room for two beside a row's pinned name: end and net, which a
 * person compares down the rows; then what moved it.
 */
export function useBridgeColumns(bridges: readonly (BridgeAnswer | undefined)[]): string[] {
  const fx = bridges.some((bridge) => (bridge?.fx ?? 0) !== 0) ? [fxName] : []
  return useIsNarrow()
    ? ['End', 'Net', ...movements, ...fx, 'Start']
    : ['Start', ...movements, 'Net', ...fx, 'End']
}

const explained: Record<string, TermName> = {
  New: 'new',
  Reactivation: 'reactivation',
  Upgrade: 'upgrade',
  Downgrade: 'downgrade',
  Churn: 'churn',
  Net: 'netNew',
  [fxName]: 'exchangeRates',
}

/** The heads of a bridge's columns, after `name`, which stays in view while the table scrolls sideways. */
export function BridgeHeads({ name, columns }: { name: string; columns: readonly string[] }) {
  return (
    <>
      <Table.Th style={{ position: 'sticky', left: 0, zIndex: 1, background: 'var(--surface)' }}>
        {name}
      </Table.Th>
      {columns.map((title) => (
        <Table.Th key={title} ta="right">
          {explained[title] === undefined ? title : <Term name={explained[title]}>{title}</Term>}
        </Table.Th>
      ))}
    </>
  )
}

type BridgeCellsProps = {
  columns: readonly string[]
  bridge: BridgeAnswer
  currency: string
  days: DayRange
  /** Of the events of the row, beside their days. */
  filter?: EventsFilter
  /** The row in the name of a figure. */
  label: string
  /** Between a movement and the row: 'Churn in Oct 2026', 'Churn of Team'. */
  preposition: 'in' | 'of'
}

/** The figures of a row, each with its events. A revalued level has none: exchange rates made it too. */
export function BridgeCells(props: BridgeCellsProps) {
  const { columns, bridge, currency, days, filter, label, preposition } = props
  const { from, to } = days
  const levelAddress = (day: string | null) =>
    bridge.fx === undefined ? eventsAddress({ ...filter, to: day }) : undefined
  const cells: Record<string, ReactNode> = {
    Start: (
      <EventsCell
        key="Start"
        to={from === null ? null : levelAddress(addDays(from, -1))}
        label={`Start of ${label}`}
      >
        <Money amountCents={bridge.start} currency={currency} />
      </EventsCell>
    ),
    Net: (
      <EventsCell key="Net" to={eventsAddress({ ...filter, from, to })} label={`Net of ${label}`}>
        <MoneyChange amountCents={bridge.net} currency={currency} />
      </EventsCell>
    ),
    [fxName]: <FxCell key={fxName} bridge={bridge} currency={currency} />,
    End: (
      <EventsCell key="End" to={levelAddress(to)} label={`End of ${label}`}>
        <Money amountCents={bridge.end} currency={currency} />
      </EventsCell>
    ),
  }
  for (const { movement, change, events } of bridge.moves)
    cells[movement] = (
      <EventsCell
        key={movement}
        to={events === 0 ? null : eventsAddress({ ...filter, mrrStatus: movement, from, to })}
        label={`${movement} ${preposition} ${label}`}
      >
        <MoneyChange amountCents={change} currency={currency} />
      </EventsCell>
    )
  return columns.map((column) => cells[column])
}
