import { getInvoice } from '#contract/customers/customers.ts'
import { type SearchHit, searchRecords } from '#contract/lists/search.ts'
import { useEndpoint } from '../client.ts'
import { freshMs } from './freshness.ts'

/** Reads the invoice that a person searched for; null for none. */
export function useFoundInvoice(invoiceId: string | null) {
  const input = invoiceId === null ? null : { params: { invoiceId } }
  const { data, error } = useEndpoint(getInvoice, input, { staleTime: freshMs.records })
  return invoiceId === null ? null : { invoiceId, invoice: data, error }
}

/** The server refuses a shorter text. */
const shortest = 2

/** The records whose whole id or number was searched for in a list that does not have them. */
export function useFoundElsewhere(search: string, totalCount: number | undefined): SearchHit[] {
  const wanted = search.trim()
  const isAsked = totalCount === 0 && wanted.length >= shortest
  const { data } = useEndpoint(searchRecords, isAsked ? { query: { query: wanted } } : null, {
    staleTime: freshMs.records,
  })
  return isAsked && data?.isId ? data.hits : []
}
