import { Card, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Subscription } from '#contract/subscriptions.ts'
import { counted } from '../../components/counted.ts'
import { SubscriptionMrr } from '../../components/customers/subscription-mrr.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useClock } from '../../ui/clock.ts'
import { daysUntil, formatDay } from '../../ui/dates.ts'

/** The facts that one looks for first. */
export function FactsStrip({ subscription }: { subscription: Subscription }) {
  const now = useClock()
  const { productName, quantity, status } = subscription
  const seats = quantity ?? 1
  return (
    <Card withBorder component="section" aria-label="At a glance">
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Fact name="MRR">
          <SubscriptionMrr subscription={subscription} />
        </Fact>
        <Fact name="Status">
          <StatusBadge status={status} />
        </Fact>
        <Fact name="Plan">
          {productName || 'Unknown Product'} × {seats.toLocaleString('en-US')}
        </Fact>
        <Fact name="Renewal">{renewalText(subscription, now())}</Fact>
      </SimpleGrid>
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="div" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  )
}

/** Says when the subscription renews, or why it does not. */
export function renewalText(
  subscription: Pick<Subscription, 'nextRenewalDate' | 'currentPeriodEnd' | 'endsOn' | 'status'>,
  now: Date,
): string {
  const { nextRenewalDate: day, currentPeriodEnd, endsOn, status } = subscription
  if (endsOn !== null) return `${daysUntil(endsOn, now) < 0 ? 'Was to end' : 'Ends'} on ${formatDay(endsOn)}`
  if (day === null) {
    const isEnding =
      status !== 'canceled' && currentPeriodEnd !== null && Date.parse(currentPeriodEnd) > now.getTime()
    return isEnding ? `Ends on ${formatDay(currentPeriodEnd)}` : 'Does not renew'
  }
  // Stripe still drafts its invoices, but collects none of them.
  if (status === 'unpaid') return 'Does not renew while unpaid'
  const days = daysUntil(day, now)
  if (days < 0) return `Was due on ${formatDay(day)}`
  if (days === 0) return 'Renews today'
  return `Renews in ${counted(days, 'day')}`
}
