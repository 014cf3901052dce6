import { Text } from '@mantine/core'
import type { RunRecord } from '#contract/sync.ts'
import type { ToldField } from '#domain/crm-differences.ts'
import { centsOfDecimal } from '#domain/currency.ts'
import { labelOf } from '#domain/subscription.ts'
import { formatMoney } from '../../components/figures/format-money.ts'
import { formatDay } from '../../ui/dates.ts'

const labels: Record<ToldField, string> = {
  status: 'Status',
  mrr: 'MRR',
  currency: 'Currency',
  quantity: 'Quantity',
  productName: 'Product',
  billingInterval: 'Billing interval',
  nextRenewalOn: 'Next renewal',
  cancelAt: 'Cancellation',
  endedAt: 'End',
  trialEnd: 'Trial end',
  periodEnd: 'Period end',
}

type Differences = Pick<RunRecord, 'differences' | 'subscription'>

/** Says what a sync wrote over, value by value. */
export function differenceTexts({ differences, subscription }: Differences): string[] {
  if (differences === null) return []
  if (differences.length === 0) return ['Name, customer or calculation']
  const currencies = differences.find(({ field }) => field === 'currency')
  const known = subscription?.currency ?? 'usd'
  const hasRenewal = differences.some(({ field }) => field === 'nextRenewalOn')
  return differences.flatMap(({ field, before, after }) => {
    // A renewal is on the day on which the period ends.
    if (field === 'periodEnd' && hasRenewal) return []
    const from = valueText(field, before, currencies?.before.toLowerCase() ?? known)
    const to = valueText(field, after, currencies?.after.toLowerCase() ?? known)
    if (before === '') return [`${labels[field]} set to ${to}`]
    return [after === '' ? `${labels[field]} ${from} removed` : `${labels[field]} from ${from} to ${to}`]
  })
}

/** A value of a record as a person reads it. */
function valueText(field: ToldField, value: string, currency: string): string {
  if (field === 'status') return labelOf(value)
  if (field === 'mrr') {
    const cents = centsOfDecimal(value, currency)
    return cents === null ? value : formatMoney(cents, currency)
  }
  return field.endsWith('At') || field.endsWith('On') || field.endsWith('End') ? formatDay(value) : value
}

/** The lines below what a sync did with a record. */
export function Differences(row: Differences) {
  return differenceTexts(row).map((text) => (
    <Text key={text} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  ))
}
