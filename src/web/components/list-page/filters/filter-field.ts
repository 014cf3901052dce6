import { joinValues, splitValues } from '#domain/value-list.ts'
import { formatMonth } from '../../../ui/dates.ts'
import { formatMoney } from '../../figures/format-money.ts'

/** `chip` is the label of a chip, where that of the form says more, such as a number of rows. */
export type FilterOption = { value: string; label: string; chip?: string }

/** One filter of a list beside its main one. Values are texts as in the address. */
export type FilterField = {
  name: string
  label: string
  /**
   * `several` takes any of the options, `one` takes one of them, `day` takes a UTC day, `amount` takes minor units of
   * `currency`. Only links set `month` and `id`.
   */
  kind: 'several' | 'one' | 'day' | 'amount' | 'month' | 'id'
  options: readonly FilterOption[]
  /** Unknown while the options of the list are. */
  currency?: string
  isSigned?: boolean
  /** Says what a person would not expect of it. */
  note?: string
  /** The heading below which the form has it. */
  group?: string
  /** For both ends of one span, which share a line of the form: what it is of, and which end this is. */
  span?: { of: string; end: string }
}

/** The value of rows that lack one, as the address has it. */
export const withoutValue = joinValues([null])

/** The values of a filter that takes several, each as it stands alone in the address. */
export function valuesOf(text: string): string[] {
  return splitValues(text).map((value) => joinValues([value]))
}

export function textOfValues(values: readonly string[]): string {
  return values.join(',')
}

/** The filter at the other end of a span, and whether that is the first end; null for a filter that is no end of one. */
export function otherEndOf(name: string): { name: string; isFirst: boolean } | null {
  const [, of, end] = /^(.*)(from|From|to|To)$/.exec(name) ?? []
  if (of === undefined || end === undefined) return null
  const others: Record<string, string> = { from: 'to', From: 'To', to: 'from', To: 'From' }
  return { name: `${of}${others[end]}`, isFirst: end.toLowerCase() === 'to' }
}

/** What a chip says about a filter: 'Product: Team or Pro'. */
export function chipText({ label, kind, options, currency }: FilterField, text: string): string {
  const labelOf = (value: string) => {
    const option = options.find((one) => one.value === value)
    return option?.chip ?? option?.label ?? String(splitValues(value)[0] ?? 'None')
  }
  if (kind === 'month') return `${label}: ${formatMonth(text)}`
  if (kind === 'amount')
    return `${label} ${currency === undefined ? '...' : formatMoney(Number(text), currency)}`
  const words =
    kind === 'day' || kind === 'id' ? [text] : kind === 'one' ? [labelOf(text)] : valuesOf(text).map(labelOf)
  return `${label}: ${words.join(' or ')}`
}
