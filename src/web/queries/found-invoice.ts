import { getInvoice } from '#contract/customers/customers.ts'
import { useEndpoint } from '../client.ts'
import { freshMs } from './freshness.ts'

/** Reads the invoice that a person searched for; null for none. */
export function useFoundInvoice(invoiceId: string | null) {
  const input = invoiceId === null ? null : { params: { invoiceId } }
  const { data, error } = useEndpoint(getInvoice, input, { staleTime: freshMs.records })
  return invoiceId === null ? null : { invoiceId, invoice: data, error }
}
