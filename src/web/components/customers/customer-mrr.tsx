import { Text } from '@mantine/core'
import type { CustomerEntry } from '#contract/customers/customers.ts'
import { formatMoney } from '../figures/format-money.ts'
import { Money } from '../figures/money.tsx'

type CustomerMrrProps = {
  customer: Pick<
    CustomerEntry,
    'currentMrr' | 'reportingCurrency' | 'otherCurrencies' | 'uncountedSubscriptions'
  >
}

/** Shows a customer's MRR, with what the amount cannot include. */
export function CustomerMrr({ customer }: CustomerMrrProps) {
  const { currentMrr, reportingCurrency, otherCurrencies, uncountedSubscriptions } = customer
  const others = otherCurrencies.map(({ mrr, currency }) => formatMoney(mrr, currency))
  return (
    <>
      {currentMrr === 0 && others.length > 0 ? (
        others.join(' and ')
      ) : (
        <Money amountCents={currentMrr} currency={reportingCurrency} />
      )}
      {currentMrr === 0 || others.length === 0 ? null : <Text size="xs">and {others.join(' and ')}</Text>}
      {uncountedSubscriptions === 0 ? null : <Text size="xs">{uncountedSubscriptions} not counted</Text>}
    </>
  )
}
