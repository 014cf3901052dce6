import { Text } from '@mantine/core'
import type { getDashboardStats } from '#contract/dashboard.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { formatMoney } from './figures/format-money.ts'
import { Term } from './terms/term.tsx'

export type CurrencyTotals = ResponseOf<typeof getDashboardStats>['otherCurrencies']

type OtherCurrenciesProps = {
  totals: CurrencyTotals
  /** Whether it stands where nothing can be pressed, such as in the tooltip of a chart. */
  isPlain?: boolean
}

/** Shows MRR and subscriptions in currencies without a rate beside the total, which never includes them. */
export function OtherCurrencies({ totals, isPlain = false }: OtherCurrenciesProps) {
  if (totals.length === 0) return null
  const amounts = totals.map(({ mrr, currency, activeSubscriptions }) => {
    return `${formatMoney(mrr, currency)} (${activeSubscriptions.toLocaleString('en-US')} active)`
  })
  const text = `Not included: ${amounts.join(', ')}`
  return <Text size="xs">{isPlain ? text : <Term name="notIncluded">{text}</Term>}</Text>
}
