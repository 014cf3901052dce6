import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id, instant } from './fields.ts'

/** Says what was done about a person, without saying who the person was. */
const erasure = z.object({
  id: z.string(),
  pseudonym: z.string(),
  reason: z.enum(['asked', 'redacted', 'deleted']),
  erasedAt: instant,
  /** Counts what was changed, by kind. */
  counts: z.record(z.string(), z.int()),
  /** When the last of our records in HubSpot was rewritten; null while some may still hold the old data. */
  hubspotRewrittenAt: instant.nullable(),
  /**
   * `none`: we knew no contact in HubSpot. `kept`: the contact still exists, and a person can delete it there for
   * good.
   */
  hubspotContact: z.enum(['none', 'kept', 'deleted']),
  hubspotContactDeletedAt: instant.nullable(),
})
export type Erasure = z.output<typeof erasure>

const settings = z.object({ erasesDeletedCustomers: z.boolean() })

export const listErasures = endpoint({
  method: 'GET',
  path: '/api/erasures',
  access: 'admin',
  summary:
    'The people who were erased, as pseudonyms, the newest first, and who is erased without being asked for.',
  response: z.object({
    erasures: z.array(erasure),
    settings,
    /** Counts the customers that are deleted in Stripe and not erased here. */
    deletedCustomers: z.int(),
  }),
})

/** The others of an erasure are counted up to here. */
export const countedOthersMax = 1_000

export const getErasureQuestion = endpoint({
  method: 'GET',
  path: '/api/customers/{customerId}/erasure-question',
  access: 'admin',
  summary: 'Whom an erasure of this customer takes, for the question before it.',
  params: z.strictObject({ customerId: id }),
  response: z.object({
    customerName: z.string().nullable(),
    customerEmail: z.string().nullable(),
    /** How many others have the same email address. 1,000 may be more. */
    otherCount: z.int().max(countedOthersMax),
  }),
})

export const eraseCustomer = endpoint({
  method: 'POST',
  path: '/api/erasures',
  access: 'admin',
  audit: 'in_work',
  summary: 'Erases the person behind a customer of Stripe; amounts stay under a pseudonym.',
  body: z.strictObject({ customerId: id }),
  response: z.object({ erasures: z.array(erasure) }),
})

export const getErasure = endpoint({
  method: 'GET',
  path: '/api/erasures/{erasureId}',
  access: 'admin',
  summary: 'What was done about one erased person.',
  params: z.strictObject({ erasureId: id }),
  response: erasure,
})

export const downloadCertificate = endpoint({
  method: 'GET',
  path: '/api/erasures/{erasureId}/certificate',
  access: 'admin',
  answers: 'file',
  summary: 'The same as a text to keep.',
  params: z.strictObject({ erasureId: id }),
  response: z.any(),
})

export const deleteErasedContact = endpoint({
  method: 'POST',
  path: '/api/erasures/{erasureId}/delete-contact',
  access: 'admin',
  audit: 'in_work',
  summary: "Lets HubSpot delete the erased person's contact for good, as its own privacy deletion does.",
  params: z.strictObject({ erasureId: id }),
  response: erasure,
})

export const saveErasureSettings = endpoint({
  method: 'PUT',
  path: '/api/settings/erasure',
  access: 'admin',
  audit: 'settings_changed',
  summary: 'Whether whoever is deleted in Stripe is erased here within a day.',
  body: settings.strict(),
  response: settings,
})
