import { Table, Text } from '@mantine/core'
import type { BridgeAnswer } from '#contract/mrr.ts'
import { fxName } from '../../../components/charts/movements/movement-words.ts'
import { MoneyChange } from '../../../components/figures/money.tsx'
import { formatShare } from '../../../components/figures/share.ts'
import { EventsCell, RowName } from '../events-cell.tsx'

type ChangeRowProps = {
  columns: readonly string[]
  bridge: BridgeAnswer
  before: BridgeAnswer
  currency: string
}

/** How each figure differs from that of the period before, in money and in its size. No event stands for it. */
export function ChangeRow({ columns, bridge, before, currency }: ChangeRowProps) {
  const [now, then] = [figuresOf(bridge), figuresOf(before)]
  return (
    <Table.Tr>
      <RowName>Change</RowName>
      {columns.map((column) => {
        const [figure, former] = [now[column] ?? 0, then[column] ?? 0]
        const isEmpty = figure === 0 && former === 0
        return (
          <EventsCell key={column} to={isEmpty ? null : undefined} label={`Change of ${column}`}>
            <MoneyChange amountCents={figure - former} currency={currency} />
            <Text size="xs" c="dimmed">
              {sizeText(figure, former)}
            </Text>
          </EventsCell>
        )
      })}
    </Table.Tr>
  )
}

/** Churn of -$30.00 after -$10.00 is '200.0% more'. Empty where the sign changed, since there is no share of that. */
function sizeText(figure: number, former: number): string {
  const share = former === 0 || figure * former < 0 ? 0 : Math.abs(figure / former) - 1
  return share === 0 ? '' : `${formatShare(Math.abs(share))} ${share > 0 ? 'more' : 'less'}`
}

/** The figures of a bridge by the names of their columns. */
function figuresOf({ start, moves, net, fx = 0, end }: BridgeAnswer): Record<string, number> {
  const moved = Object.fromEntries(moves.map(({ movement, change }) => [movement, change]))
  return { Start: start, ...moved, Net: net, [fxName]: fx, End: end }
}
