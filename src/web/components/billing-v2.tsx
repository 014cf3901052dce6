import { Text } from '@mantine/core'
import type { getDashboardStats } from '#contract/dashboard.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { counted } from './counted.ts'
import { formatMoney } from './figures/format-money.ts'

type Totals = ResponseOf<typeof getDashboardStats>['billedByBillingV2']

/**
 * Shows the amounts that Stripe bills by Billing v2, because no figure includes them. Renders nothing without such
 * amounts.
 */
export function BillingV2({ totals }: { totals: Totals | undefined }) {
  if (totals === undefined || totals.invoices === 0) return null
  const amounts = totals.amounts.map(({ amount, currency }) => formatMoney(amount, currency))
  return (
    <Text component="div" size="xs">
      Billed by Billing v2, not counted: {counted(totals.invoices, 'invoice')}, {amounts.join(', ')}
    </Text>
  )
}
