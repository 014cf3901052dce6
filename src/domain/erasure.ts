import { providerNames } from './provider-names.ts'

const { crm } = providerNames

/** What we count when we erase a person, as the wording that people read. */
export const countedInErasure = {
  customers: 'Customers put under a pseudonym',
  invoices: 'Invoices freed of names, addresses and texts',
  payments: 'Payments freed of digits',
  events: 'MRR changes freed of digits of a payment method',
  indexRecords: `Companies and contacts of ${crm} whose words are no longer kept here`,
  mentions: 'Messages, log lines and decisions freed of mentions',
  crmRecords: `Records in ${crm} to be rewritten`,
} as const
