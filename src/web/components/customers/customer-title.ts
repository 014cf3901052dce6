import type { CustomerEntry } from '#contract/customers/customers.ts'

/** What a customer is called: the name, else the email, else the id. */
export function customerTitle(
  customer: Pick<CustomerEntry, 'customerName' | 'customerEmail' | 'customerId'>,
): string {
  return customer.customerName || customer.customerEmail || customer.customerId
}
