import { Text } from '@mantine/core'
import type { Subscription } from '#contract/subscriptions.ts'
import { ConvertedMoney } from '../figures/converted-money.tsx'

/** Shows the MRR of a subscription with what it is in totals, or that it is not counted, with the reason on hover. */
export function SubscriptionMrr({ subscription: row }: { subscription: Subscription }) {
  if (row.unsupportedReason !== null)
    return (
      <Text span size="sm" title={row.unsupportedReason}>
        Not counted
      </Text>
    )
  return (
    <ConvertedMoney
      amountCents={row.currentMrr}
      currency={row.currency}
      reportingCents={row.reportingMrr}
      reportingCurrency={row.reportingCurrency}
      rateText={row.rateText}
    />
  )
}
