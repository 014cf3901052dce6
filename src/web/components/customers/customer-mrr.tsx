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

/** Shows a customer's MRR, and in a line below it what the amount cannot include. */
export function CustomerMrr({ customer }: CustomerMrrProps) {
  const { currentMrr, reportingCurrency, otherCurrencies, uncountedSubscriptions } = customer
  const others = otherCurrencies.map(({ mrr, currency }) => formatMoney(mrr, currency))
  const isInOthers = currentMrr === 0 && others.length > 0
  const notes = [
    ...(isInOthers || others.length === 0 ? [] : [`and ${others.join(' and ')}`]),
    ...(uncountedSubscriptions === 0
      ? []
      : [`${uncountedSubscriptions.toLocaleString('en-US')} not counted`]),
  ]
  return (
    <>
      {isInOthers ? others.join(' and ') : <Money amountCents={currentMrr} currency={reportingCurrency} />}
      {notes.length === 0 ? null : <Text size="xs">{notes.join(', ')}</Text>}
    </>
  )
}
