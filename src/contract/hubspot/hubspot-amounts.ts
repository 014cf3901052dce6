import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../fields.ts'

const amountsOfPortal = z.object({
  portalId: z.string(),
  /** Only objects that Tributary may use; none before they exist. */
  objects: z.array(
    z.object({
      label: z.string(),
      amounts: z.array(
        z.object({
          property: z.string(),
          /** The property of the same record that has the code of the amount's currency. */
          currencyProperty: z.string(),
          /** The property by which HubSpot shows the currency now; null: it shows a plain number. */
          boundTo: z.string().nullable(),
        }),
      ),
    }),
  ),
})

export const getHubspotAmounts = endpoint({
  method: 'GET',
  path: '/api/hubspot/objects/amounts',
  access: 'member',
  summary: 'Which amounts of the custom objects HubSpot shows in the currency of their own record.',
  response: amountsOfPortal,
})

export const bindHubspotAmounts = endpoint({
  method: 'POST',
  path: '/api/hubspot/objects/amounts',
  access: 'admin',
  audit: 'hubspot_amounts_bound',
  summary:
    'Has HubSpot show every amount that is a plain number in the currency of its record. Nobody can undo this, so a person confirms it for the portal that they saw.',
  body: z.strictObject({ portalId: id, isConfirmed: z.literal(true) }),
  response: amountsOfPortal.extend({
    /** Why some amounts are still plain numbers; null: none is. */
    problem: z.string().nullable(),
  }),
})
