import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type Movement, movements } from '#domain/movement.ts'
import { subscriptionStatuses } from '#domain/subscription.ts'
import { eventsAddress } from '../../components/events-address.ts'
import { formatMoney } from '../../components/figures/format-money.ts'
import { MoneyChange } from '../../components/figures/money.tsx'
import { paths } from '../../paths.ts'
import { formatDay } from '../../ui/dates.ts'
import type { Trend, Trends } from './trends.ts'

type Days = { from: string; to: string }

/**
 * Says by how much an amount has changed in the running month. The change of MRR leads to its events. `of` names what the
 * amount is of, where the card has another figure.
 */
export function MoneySince({
  values,
  sinceMonthStart,
  month,
  currency,
  isLinked = false,
  of,
}: Trend & { month: Days; currency: string; isLinked?: boolean; of?: string | undefined }) {
  const before = values.at(-2) ?? 0
  const text = (
    <>
      {of === undefined ? null : `${formatMoney(values.at(-1) ?? 0, currency)} ${of}, `}
      <MoneyChange amountCents={sinceMonthStart} currency={currency} />
      {before <= 0 || of !== undefined ? null : ` (${percentChange(sinceMonthStart / before)})`}{' '}
      {since(month)}
    </>
  )
  return (
    <Text size="xs">
      {isLinked ? <LinkInText to={eventsAddress(daysOf(month))}>{text}</LinkInText> : text}
    </Text>
  )
}

/** Says by how many the paying subscriptions have changed in the running month, and leads to what changed them. */
export function CountSince({ sinceMonthStart, month }: Trend & { month: Trends['month'] }) {
  const eventsOf = (wanted: Movement) => month.moves.find(({ movement }) => movement === wanted)?.events ?? 0
  const isToldByKinds = eventsOf('New') + eventsOf('Reactivation') - eventsOf('Churn') === sinceMonthStart
  // A month for free begins with a Downgrade and ends with an Upgrade.
  const mrrStatus = isToldByKinds ? 'New,Reactivation,Churn' : movements.join(',')
  const change = `${sinceMonthStart > 0 ? '+' : ''}${sinceMonthStart.toLocaleString('en-US')}`
  return (
    <Text size="xs">
      <LinkInText to={eventsAddress({ mrrStatus, ...daysOf(month) })}>
        {change} paying {since(month)}
      </LinkInText>
    </Text>
  )
}

/** Leads to the subscriptions that pay without being active, such as past due ones, which the card does not count. */
export function PayingNotActive({ count }: { count: number }) {
  if (count <= 0) return null
  return (
    <Text size="xs">
      <LinkInText to={payingNotActive}>
        {count.toLocaleString('en-US')} more {count === 1 ? 'pays' : 'pay'} without being active
      </LinkInText>
    </Text>
  )
}

type ActiveWithoutMrrProps = {
  count: number
  /** The currency of totals, where some have MRR in another one without a rate; null where none has. */
  otherThan: string | null | undefined
}

/** Says why the list of active subscriptions has more rows than the card. No link: a finger could not tell it from its neighbors. */
export function ActiveWithoutMrr({ count, otherThan }: ActiveWithoutMrrProps) {
  if (count <= 0 || otherThan === undefined) return null
  const are = `${count.toLocaleString('en-US')} more ${count === 1 ? 'is' : 'are'} active`
  const without = otherThan === null ? 'with no MRR' : `without MRR in ${otherThan.toUpperCase()}`
  return <Text size="xs">{`${are} ${without}`}</Text>
}

/** The subscriptions with MRR of every status but active. */
const payingNotActive = `${paths.subscriptions}?${new URLSearchParams({
  status: subscriptionStatuses.filter((status) => status !== 'active').join(','),
  mrrFrom: '1',
})}`

function LinkInText({ to, children }: { to: string; children: ReactNode }) {
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
