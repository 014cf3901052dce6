import { Text } from '@mantine/core'
import type { getDashboardStats } from '#contract/dashboard.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { formatMoney } from './format-money.ts'

/** What is earned in other currencies: shown beside the dollar total, never added to it. */
export function OtherCurrencies({
  totals,
}: {
  totals: ResponseOf<typeof getDashboardStats>['otherCurrencies']
}) {
  if (totals.length === 0) return null
  const amounts = totals.map((total) => formatMoney(total.mrr, total.currency)).join(', ')
  return <Text size="xs">Not included: {amounts}</Text>
}
