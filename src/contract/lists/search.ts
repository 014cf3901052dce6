import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { searched } from '../fields.ts'

const hit = z.object({
  kind: z.enum(['customer', 'subscription', 'invoice']),
  id: z.string(),
  /** What the list of its kind calls it: a customer by its own name, the others by the company; else by its address. */
  title: z.string(),
  detail: z.string(),
  /** The record whose screen shows it. An invoice is shown by its subscription, or by its customer without one. */
  opens: z.object({ kind: z.enum(['customer', 'subscription']), id: z.string() }),
})
export type SearchHit = z.output<typeof hit>

export const searchRecords = endpoint({
  method: 'GET',
  path: '/api/search',
  access: 'member',
  summary:
    'A few customers, subscriptions and invoices by name, address, company or the start of an id or of an invoice number. The number of a record in HubSpot finds what it was made from, and a link the record whose id is in it.',
  query: z.strictObject({
    query: searched.refine((value) => value.length >= 2, 'must have two characters'),
  }),
  response: z.object({
    hits: z.array(hit),
    /** Whether the text is the whole id of each hit. */
    isId: z.boolean(),
  }),
})
