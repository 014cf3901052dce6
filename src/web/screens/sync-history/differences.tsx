import { Text } from '@mantine/core'
import type { RunRecord } from '#contract/runs/run-records.ts'
import { fieldLabels, valueLabel } from '#domain/crm-record.ts'
import { centsOfDecimal } from '#domain/currency.ts'
import { formatMoney } from '../../components/figures/format-money.ts'
import { formatDay, formatInstant } from '../../ui/dates.ts'

type Difference = NonNullable<RunRecord['differences']>[number]

/** Says what a sync wrote over since the sync before, value by value. */
export function differenceTexts(differences: RunRecord['differences']): string[] {
  if (differences === null) return []
  if (differences.length === 0) return ['Other fields than its figures']
  return differences.filter((one) => !isSaidBy(differences, one)).map(textOf)
}

/**
 * A renewal is on the day on which the period ends, and an amount in the reporting currency needs no conversion. One of
 * both is enough.
 */
function isSaidBy(all: readonly Difference[], { field, before, after, currency }: Difference): boolean {
  if (field === 'periodEnd')
    return all.some(
      (one) =>
        one.field === 'nextRenewalOn' &&
        before.startsWith(one.before) &&
        after.startsWith(one.after) &&
        one.before !== '' &&
        one.after !== '',
    )
  if (field !== 'convertedMrr') return false
  const text = JSON.stringify([before, after, currency])
  return all.some(
    (one) => one.field === 'mrr' && JSON.stringify([one.before, one.after, one.currency]) === text,
  )
}

function textOf(difference: Difference): string {
  const { before, after } = difference
  const label = fieldLabels[difference.field]
  const [from, to] = valueTexts(difference)
  if (before === '') return `${label} set to ${to}`
  return after === '' ? `${label} ${from} removed` : `${label} from ${from} to ${to}`
}

/** The values before and after, as a person reads them. */
function valueTexts({ field, before, after, currency }: Difference): [string, string] {
  if (currency !== null) return [amountText(before, currency.before), amountText(after, currency.after)]
  if (!/(At|On|End)$/.test(field)) return [valueLabel(field, before), valueLabel(field, after)]
  const days: [string, string] = [formatDay(before), formatDay(after)]
  return days[0] === days[1] ? [formatInstant(before), formatInstant(after)] : days
}

function amountText(decimal: string, currency: string): string {
  const code = currency.toLowerCase()
  const cents = code === '' ? null : centsOfDecimal(decimal, code)
  return cents === null ? decimal : formatMoney(cents, code)
}

/** The lines below what a sync did with a record. */
export function Differences({ differences }: Pick<RunRecord, 'differences'>) {
  return differenceTexts(differences).map((text) => (
    <Text key={text} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  ))
}
