import type { CrmConvertedField } from '#domain/reporting/crm-converted.ts'
import type { PropertySpelling } from './property.ts'

const currency: PropertySpelling = {
  name: 'reporting_currency_code',
  label: 'Reporting currency',
  description: 'Currency of the converted amount, as its three-letter code; empty without an exchange rate.',
  type: 'string',
}

const rate: PropertySpelling = {
  name: 'reporting_rate',
  label: 'Exchange rate',
  description: 'Rate of the converted amount, with its day and source; empty where none was needed.',
  type: 'string',
}

/** What both objects have besides, where an organization converts amounts. These names must never change either. */
export const convertedOfSubscription: Record<CrmConvertedField<'subscription'>, PropertySpelling> = {
  convertedMrr: {
    name: 'reporting_mrr',
    label: 'MRR in reporting currency',
    description:
      'MRR in the one currency of all totals, to add up across currencies; empty without an exchange rate.',
    type: 'number',
    currency: 'convertedCurrency',
  },
  convertedCurrency: currency,
  convertedRate: rate,
}

export const convertedOfEvent: Record<CrmConvertedField<'event'>, PropertySpelling> = {
  convertedChange: {
    name: 'reporting_mrr_change',
    label: 'MRR change in reporting currency',
    description:
      'MRR change in the one currency of all totals, to add up across currencies; empty without an exchange rate.',
    type: 'number',
    currency: 'convertedCurrency',
  },
  convertedCurrency: currency,
  convertedRate: rate,
}
