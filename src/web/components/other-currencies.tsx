import { Text } from '@mantine/core'
import type { getDashboardStats } from '#contract/dashboard.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { formatMoney } from './figures/format-money.ts'

export type CurrencyTotals = ResponseOf<typeof getDashboardStats>['otherCurrencies']

/** Shows MRR and subscriptions in currencies without a rate beside the total, which never includes them. */
export function OtherCurrencies({ totals }: { totals: CurrencyTotals }) {
  if (totals.length === 0) return null
  const amounts = totals.map(({ mrr, currency, activeSubscriptions }) => {
    return `${formatMoney(mrr, currency)} (${activeSubscriptions.toLocaleString('en-US')} active)`
  })
  return <Text size="xs">Not included: {amounts.join(', ')}</Text>
}
