import { Badge, Table } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import type { BridgeAnswer, MovementsAnswer } from '#contract/mrr.ts'
import { partText, periodLabel, periodText } from '../../../components/charts/movements/movement-words.ts'
import { rangeText } from '../../../components/date-range/range-words.ts'
import { BridgeCells, BridgeHeads, useBridgeColumns } from '../bridge-cells.tsx'
import { BridgeTable } from '../bridge-table.tsx'
import { RowName } from '../events-cell.tsx'
import { ChangeRow } from './change-row.tsx'

type Days = { from: string; to: string }
type MovementsTableProps = {
  answer: MovementsAnswer
  /** The period before, when it is compared. */
  before: MovementsAnswer | undefined
}

/**
 * Lists each period from its start to its end, newest first. Every figure leads to its events. Drawn again only when a
 * figure changes.
 */
export const MovementsTable = memo(function MovementsTable({ answer, before }: MovementsTableProps) {
  const { currency, periods, total, from, to } = answer
  const columns = useBridgeColumns([total, ...periods, before?.total])
  return (
    <BridgeTable aria-label="MRR movements">
      <Table.Thead>
        <Table.Tr>
          <BridgeHeads name="Period" columns={columns} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {periods.toReversed().map((period) => (
          <BridgeRow
            key={period.name}
            name={
              <>
                {periodLabel(period.name)}{' '}
                {partText(period) === null ? null : (
                  <Badge size="xs" variant="light">
                    {partText(period)}
                  </Badge>
                )}
              </>
            }
            label={period.isRunning ? periodLabel(period.name) : periodText(period)}
            days={period}
            bridge={period}
            currency={currency}
            columns={columns}
          />
        ))}
      </Table.Tbody>
      <Table.Tfoot>
        {from === null || to === null ? null : (
          <BridgeRow
            name="All of these"
            label="all of these"
            days={{ from, to }}
            bridge={total}
            currency={currency}
            columns={columns}
          />
        )}
        {before === undefined || before.from === null || before.to === null ? null : (
          <>
            <BridgeRow
              name="Period before"
              note={rangeText({ from: before.from, to: before.to })}
              label="the period before"
              days={{ from: before.from, to: before.to }}
              bridge={before.total}
              currency={before.currency}
              columns={columns}
            />
            <ChangeRow columns={columns} bridge={total} before={before.total} currency={currency} />
          </>
        )}
      </Table.Tfoot>
    </BridgeTable>
  )
})

type BridgeRowProps = {
  name: ReactNode
  note?: string
  label: string
  days: Days
  bridge: BridgeAnswer
  currency: string
  columns: readonly string[]
}

function BridgeRow({ name, note, ...cells }: BridgeRowProps) {
  return (
    <Table.Tr>
      <RowName note={note}>{name}</RowName>
      <BridgeCells {...cells} preposition="in" />
    </Table.Tr>
  )
}
