import { Text } from '@mantine/core'
import type { Subscription } from '#contract/subscriptions.ts'
import { Money } from '../figures/money.tsx'

/** Shows the MRR of a subscription, or that it is not counted, with the reason on hover. */
export function SubscriptionMrr({ subscription: row }: { subscription: Subscription }) {
  if (row.unsupportedReason === null) return <Money amountCents={row.currentMrr} currency={row.currency} />
  return (
    <Text span size="sm" title={row.unsupportedReason}>
      Not counted
    </Text>
  )
}
