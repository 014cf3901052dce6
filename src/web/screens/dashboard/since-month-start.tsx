import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { eventsAddress } from '../../components/events-address.ts'
import { MoneyChange } from '../../components/figures/money.tsx'
import { formatDay } from '../../ui/dates.ts'
import type { Trend } from './trends.ts'

type Days = { from: string; to: string }

/** Says by how much an amount has changed in the running month. The change of MRR leads to its events. */
export function MoneySince({
  values,
  sinceMonthStart,
  month,
  currency,
  isLinked = false,
}: Trend & { month: Days; currency: string; isLinked?: boolean }) {
  const before = values.at(-2) ?? 0
  const text = (
    <>
      <MoneyChange amountCents={sinceMonthStart} currency={currency} />
      {before <= 0 ? null : ` (${percentChange(sinceMonthStart / before)})`} {since(month)}
    </>
  )
  return (
    <Text size="xs">{isLinked ? <ToEvents to={eventsAddress(daysOf(month))}>{text}</ToEvents> : text}</Text>
  )
}

/** Says by how many the paying subscriptions have changed in the running month. */
export function CountSince({ sinceMonthStart, month }: Trend & { month: Days }) {
  const mrrStatus = 'New,Reactivation,Churn'
  return (
    <Text size="xs">
      <ToEvents to={eventsAddress({ mrrStatus, ...daysOf(month) })}>
        {sinceMonthStart > 0 ? '+' : ''}
        {sinceMonthStart.toLocaleString('en-US')} paying {since(month)}
      </ToEvents>
    </Text>
  )
}

function ToEvents({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={to} inherit c="inherit" underline="always">
      {children}
    </Anchor>
  )
}

const daysOf = ({ from, to }: Days) => ({ from, to })

/** Writes 'since Nov 1'. */
function since({ from }: Days): string {
  return `since ${formatDay(from).split(',')[0]}`
}

const percentFormat = new Intl.NumberFormat('en-US', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})

/** Writes a share of change: 0.042 is '+4.2%'. */
function percentChange(share: number): string {
  return percentFormat.format(share)
}
