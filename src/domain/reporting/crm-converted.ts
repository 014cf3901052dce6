import { decimalOfCents } from '../currency.ts'

/**
 * The fields by which records in several currencies can be summed. Only organizations that convert amounts have them, and
 * only as far as the CRM takes them: a record is complete without them.
 */
export const convertedFields = {
  subscription: ['convertedMrr', 'convertedCurrency', 'convertedRate'],
  event: ['convertedChange', 'convertedCurrency', 'convertedRate'],
} as const
type Kind = keyof typeof convertedFields
export type CrmConvertedField<Of extends Kind> = (typeof convertedFields)[Of][number]

/** The converted fields that records of each kind have. */
export type ConvertedFields = Readonly<Record<Kind, readonly string[]>>
export const noConvertedFields: ConvertedFields = { subscription: [], event: [] }

/** A row's amount in minor units of the reporting currency, null without a rate; and the rate in words. */
export type CrmConverted = { reportingCents: number | null; reportingRate: string | null }

/** The values of these converted fields. Without a rate all are empty, so that nobody sums what is not converted. */
export function convertedValues(
  kind: Kind,
  fields: readonly string[],
  { reportingCents, reportingRate }: CrmConverted,
  currency: string | null,
): Record<string, string> {
  if (fields.length === 0) return {}
  const isKnown = reportingCents !== null && currency !== null
  const amount = isKnown ? decimalOfCents(reportingCents, currency) : ''
  const all: Record<string, string> = {
    [kind === 'subscription' ? 'convertedMrr' : 'convertedChange']: amount,
    convertedCurrency: isKnown ? currency.toUpperCase() : '',
    convertedRate: isKnown ? (reportingRate ?? '') : '',
  }
  return Object.fromEntries(fields.map((field) => [field, all[field] ?? '']))
}
