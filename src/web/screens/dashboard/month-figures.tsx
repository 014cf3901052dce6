import { Text } from '@mantine/core'
import { Fragment } from 'react'
import { counted } from '../../components/counted.ts'
import { eventsAddress } from '../../components/events-address.ts'
import { formatMoneyChange } from '../../components/figures/format-money.ts'
import { MoneyChange } from '../../components/figures/money.tsx'
import { formatShare } from '../../components/figures/share.ts'
import { Term } from '../../components/terms/term.tsx'
import { formatMonth } from '../../ui/dates.ts'
import { StatCard, StatCards } from '../../ui/stat-card.tsx'
import { leadTo } from './card-link.tsx'
import type { Trends } from './trends.ts'

type MonthFiguresProps = { trends: Trends | null; isLoading: boolean }

/** A line may break after the sign of a yen. */
const inOneLine = { whiteSpace: 'nowrap' } as const

/** Shows net new MRR and churn of the running month, each with a link to its events. */
export function MonthFigures({ trends, isLoading }: MonthFiguresProps) {
  const isUnread = trends === null && !isLoading
  const { month, currency = 'usd' } = trends ?? {}
  const { from = '', to = '', net = 0, moves = [], start = 0, name = '' } = month ?? {}
  const churn = moves.find(({ movement }) => movement === 'Churn') ?? { change: 0, events: 0 }
  const gains = moves.filter(({ change }) => change !== 0)
  return (
    <StatCards>
      <StatCard
        label="Net New MRR"
        explained={<Term name="netNew">Net New MRR</Term>}
        value={isUnread ? 'N/A' : <MoneyChange amountCents={net} currency={currency} />}
        isLoading={isLoading}
        linked={leadTo(eventsAddress({ from, to }))}
        caption={
          isUnread ? undefined : (
            <Text size="xs" mih={twoLines}>
              {isLoading ? '' : `${formatMonth(name)} so far${gains.length === 0 ? '' : ': '}`}
              {gains.map(({ movement, change }, at) => (
                <Fragment key={movement}>
                  {at === 0 ? '' : ', '}
                  {movement} <span style={inOneLine}>{formatMoneyChange(change, currency)}</span>
                </Fragment>
              ))}
            </Text>
          )
        }
      />
      <StatCard
        label="Churned MRR"
        explained={<Term name="churn">Churned MRR</Term>}
        value={isUnread ? 'N/A' : <MoneyChange amountCents={churn.change} currency={currency} />}
        isLoading={isLoading}
        linked={leadTo(eventsAddress({ mrrStatus: 'Churn', from, to }))}
        caption={
          isUnread ? undefined : (
            <Text size="xs" mih={twoLines}>
              {isLoading ? '' : `${formatMonth(name)} so far: ${counted(churn.events, 'subscription')}`}
              {start > 0 && churn.change !== 0
                ? `, ${formatShare(-churn.change / start)} of the MRR before`
                : ''}
            </Text>
          )
        }
      />
    </StatCards>
  )
}

/** The place that is kept for a caption until it is known. */
const twoLines = 'calc(2 * var(--mantine-font-size-xs) * var(--mantine-line-height-xs))'
