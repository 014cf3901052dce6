import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { cents, currency, done, instant, limit, page } from './fields.ts'

const recountId = z
  .string()
  .regex(/^[1-9][0-9]{0,14}$/)
  .transform(Number)

/** Counts what a recount of the whole ledger changed. */
export const recount = z.object({
  recountId: z.string(),
  /**
   * Versions of the rules (0 before they were recorded) and revisions of the organization's policy (0 before its
   * first choice).
   */
  fromRules: z.int(),
  toRules: z.int(),
  fromPolicy: z.int(),
  toPolicy: z.int(),
  /** Says what each newer version of the rules does differently. */
  differences: z.array(z.string()),
  startedAt: instant,
  /** Null while the recount runs; the numbers below are not known until it ends. */
  completedAt: instant.nullable(),
  currentMrr: z.array(z.object({ currency, before: cents, after: cents })),
  monthCount: z.int(),
  customerCount: z.int(),
  recordCount: z.int(),
  hubspotRecordCount: z.int(),
  /** Says who marked the report as read, and when; null until an owner or admin has. */
  readAt: instant.nullable(),
  readBy: z.string().nullable(),
})
export type Recount = z.output<typeof recount>

export const listRecounts = endpoint({
  method: 'GET',
  path: '/api/mrr/recounts',
  access: 'member',
  summary: 'Recounts of the whole ledger after its rules or policy changed, newest first.',
  query: z.strictObject({ page, limit: limit(10) }),
  response: z.object({ recounts: z.array(recount), totalCount: z.int() }),
})

export const exportRecounts = endpoint({
  method: 'GET',
  path: '/api/csv/recounts',
  access: 'member',
  answers: 'file',
  summary: 'All recounts of the ledger as a CSV file, newest first.',
  response: z.any(),
})

export const getRecount = endpoint({
  method: 'GET',
  path: '/api/mrr/recounts/{recountId}',
  access: 'member',
  summary: 'One recount: why it was done and how much changed.',
  params: z.strictObject({ recountId }),
  response: recount,
})

const paged = { params: z.strictObject({ recountId }), query: z.strictObject({ page, limit: limit(25) }) }

export const recountMonth = z.object({
  month: z.string(),
  currency,
  mrrBefore: cents,
  mrrAfter: cents,
  subscriptionsBefore: z.int(),
  subscriptionsAfter: z.int(),
})
export type RecountMonth = z.output<typeof recountMonth>

export const listRecountMonths = endpoint({
  ...paged,
  method: 'GET',
  path: '/api/mrr/recounts/{recountId}/months',
  access: 'member',
  summary: 'The months whose MRR on the 1st a recount changed, newest first.',
  response: z.object({ months: z.array(recountMonth), totalCount: z.int() }),
})

export const recountCustomer = z.object({
  customerId: z.string(),
  customerName: z.string().nullable(),
  customerEmail: z.string().nullable(),
  companyName: z.string().nullable(),
  currency,
  mrrBefore: cents,
  mrrAfter: cents,
  /** Counts events that are new, gone or have other figures. */
  eventCount: z.int(),
})
export type RecountCustomer = z.output<typeof recountCustomer>

export const listRecountCustomers = endpoint({
  ...paged,
  method: 'GET',
  path: '/api/mrr/recounts/{recountId}/customers',
  access: 'member',
  summary: 'The customers whose MRR or events a recount changed, the largest change of MRR first.',
  response: z.object({ customers: z.array(recountCustomer), totalCount: z.int() }),
})

export const recountRecord = z.object({
  kind: z.enum(['subscription', 'event']),
  recordKey: z.string(),
  customerId: z.string(),
  customerName: z.string().nullable(),
  label: z.string(),
  /** Says what the next sync does to the record in HubSpot; 'none' when there is no record. */
  inHubspot: z.enum(['created', 'updated', 'removed', 'none']),
  changes: z.array(
    z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
})
export type RecountRecord = z.output<typeof recountRecord>

export const listRecountRecords = endpoint({
  ...paged,
  method: 'GET',
  path: '/api/mrr/recounts/{recountId}/records',
  access: 'member',
  summary: 'The subscriptions and events whose figures a recount changed, customer by customer.',
  response: z.object({ records: z.array(recountRecord), totalCount: z.int() }),
})

export const exportRecount = endpoint({
  method: 'GET',
  path: '/api/mrr/recounts/{recountId}/export',
  access: 'member',
  answers: 'file',
  summary: 'Everything that a recount changed as a CSV file.',
  params: z.strictObject({ recountId }),
  response: z.any(),
})

export const markRecountRead = endpoint({
  method: 'POST',
  path: '/api/mrr/recounts/{recountId}/read',
  access: 'admin',
  audit: 'in_work',
  summary: 'Notes that the report was read, so that it is announced no more. A second call changes nothing.',
  params: z.strictObject({ recountId }),
  response: done,
})
