import { Text } from '@mantine/core'
import type { MovementsAnswer } from '#contract/mrr.ts'
import { formatMoney, formatMoneyChange } from '../../figures/format-money.ts'
import { ChartTooltip } from '../chart-tooltip.tsx'
import { fxName, periodText } from './movement-words.ts'

type Period = MovementsAnswer['periods'][number]
type PeriodTooltipProps = {
  period: Period
  /** The period that it is compared with. */
  before: Period | undefined
  currency: string
}

/** Whether anything in a period leads to an event. */
export const hasEvents = ({ moves }: Period) => moves.some(({ events }) => events > 0)

/** Tells a period from its start to its end, and how much the one before it moved. */
export function PeriodTooltip({ period, before, currency }: PeriodTooltipProps) {
  return (
    <ChartTooltip title={periodText(period)}>
      <Text size="sm">Start: {formatMoney(period.start, currency)}</Text>
      {period.moves
        .filter(({ events }) => events > 0)
        .map(({ movement, change, events }) => (
          <Text key={movement} size="sm">
            {movement}: {formatMoneyChange(change, currency)} ({events.toLocaleString('en-US')})
          </Text>
        ))}
      <Text size="sm">Net: {formatMoneyChange(period.net, currency)}</Text>
      {period.fx ? (
        <Text size="sm">
          {fxName}: {formatMoneyChange(period.fx, currency)}
        </Text>
      ) : null}
      <Text size="sm">End: {formatMoney(period.end, currency)}</Text>
      {before === undefined ? null : (
        <Text size="sm">
          Net in {periodText(before)}: {formatMoneyChange(before.net, currency)}
        </Text>
      )}
      {hasEvents(period) ? (
        <Text size="xs" c="dimmed" aria-hidden>
          Opens its events
        </Text>
      ) : null}
    </ChartTooltip>
  )
}
