import { z } from 'zod'
import { changeKinds, crmKinds, crmTargets, linkChanges, toldFields } from '#domain/crm-record.ts'
import { endpoint } from '../endpoint.ts'
import { transaction } from '../events.ts'
import { id, limit, page } from '../fields.ts'
import { subscription } from '../subscriptions.ts'

/** A link that a sync wrote or removed. */
const recordLink = z.object({
  change: z.enum(linkChanges),
  target: z.enum(crmTargets),
  /** The name of the company, or the address of the contact; null where we do not know it. */
  name: z.string().nullable(),
  recordId: z.string(),
})

/** A record that a run changed, as it is now. */
const runRecord = z.object({
  recordKey: z.string(),
  change: z.enum(changeKinds),
  /** What a sync wrote over since the sync before, as texts of the record ('' for none); null where that is not known. */
  differences: z
    .array(
      z.object({
        field: z.enum(toldFields),
        before: z.string(),
        after: z.string(),
        /** The currency of an amount. */
        currency: z.object({ before: z.string(), after: z.string() }).nullable(),
      }),
    )
    .nullable(),
  /** The links that a sync wrote or removed; null where none are kept, as in runs of earlier releases. */
  links: z.array(recordLink).nullable(),
  /** Another run changed it later, or it is gone. */
  isChangedSince: z.boolean(),
  subscriptionId: z.string(),
  /** Null for a subscription, and for an event that is gone. */
  event: transaction.nullable(),
  /** Null for an event that is there. */
  subscription: subscription.nullable(),
  /** Its record in HubSpot; null where there is none. */
  hubspotLink: z.string().nullable(),
})
export type RunRecord = z.output<typeof runRecord>

export const listRunRecords = endpoint({
  method: 'GET',
  path: '/api/sync/import-status/{id}/records',
  access: 'member',
  summary:
    'The newest subscriptions or events that a run changed or linked, here or in HubSpot: those with changed figures first, then the newest.',
  params: z.strictObject({ id }),
  query: z.strictObject({
    kind: z.enum(crmKinds),
    /** Those that were changed themselves, or those whose links were; both where it is left out. */
    only: z.enum(['changed', 'linked']).optional(),
    page,
    limit: limit(10),
  }),
  response: z.object({
    records: z.array(runRecord),
    /** How many are kept. The run may have changed more. */
    totalCount: z.int(),
  }),
})
