import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id, serviceKey } from './fields.ts'

const objectStates = z.object({
  isReady: z.boolean(),
  objects: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      state: z.enum(['ready', 'missing', 'failed']),
      reason: z.string().nullable(),
    }),
  ),
  advice: z.string().nullable(),
})

export const getHubspotObjects = endpoint({
  method: 'GET',
  path: '/api/hubspot/objects',
  access: 'member',
  summary: 'Whether the two custom objects exist in HubSpot, and why not.',
  response: objectStates,
})

export const createHubspotObjects = endpoint({
  method: 'POST',
  path: '/api/hubspot/objects',
  access: 'admin',
  audit: 'hubspot_objects_created',
  summary: 'Finds or creates the two custom objects and their properties (the objects step, Retry).',
  response: objectStates,
})

export const createHubspotObjectsByKey = endpoint({
  method: 'POST',
  path: '/api/hubspot/objects/by-key',
  access: 'admin',
  audit: 'hubspot_objects_created',
  summary:
    'The same with a service key of the connected account, which is used for this call only and never stored.',
  body: z.strictObject({ serviceKey }),
  response: objectStates,
})

export const getHubspotObjectPlan = endpoint({
  method: 'GET',
  path: '/api/hubspot/objects/plan',
  access: 'member',
  summary: 'What a person enters in HubSpot to make both objects by hand.',
  response: z.object({
    objects: z.array(
      z.object({
        name: z.string(),
        singular: z.string(),
        plural: z.string(),
        primaryDisplay: z.string(),
        secondaryDisplay: z.array(z.string()),
        searchable: z.array(z.string()),
        associations: z.array(z.string()),
        properties: z.array(
          z.object({
            name: z.string(),
            label: z.string(),
            /** As HubSpot's settings call the type. */
            type: z.string(),
            isUnique: z.boolean(),
            options: z.array(z.object({ label: z.string(), value: z.string() })),
          }),
        ),
      }),
    ),
  }),
})

export const checkHubspotObjects = endpoint({
  method: 'GET',
  path: '/api/hubspot/objects/check',
  access: 'admin',
  summary: 'Looks for both objects by name in HubSpot and says how each property differs. Writes nothing.',
  response: z.object({
    objects: z.array(
      z.object({
        name: z.string(),
        label: z.string(),
        /** null: HubSpot has no object of this name. */
        objectTypeId: z.string().nullable(),
        /** Whether Tributary made it, or a person confirmed it before. */
        isOurs: z.boolean(),
        differences: z.array(
          z.object({
            /** null for the object itself. */
            property: z.string().nullable(),
            /** `blocks`: must be put right in HubSpot; `missing`: Tributary may add it; `looks`: only for people. */
            effect: z.enum(['blocks', 'missing', 'looks']),
            text: z.string(),
          }),
        ),
      }),
    ),
  }),
})

export const takeOverHubspotObjects = endpoint({
  method: 'POST',
  path: '/api/hubspot/objects/take-over',
  access: 'admin',
  audit: 'hubspot_objects_taken_over',
  summary:
    'A person confirms by name that objects which somebody else made may be used. Those that do not fit are refused; what the others lack is added.',
  body: z.strictObject({
    objects: z
      .array(z.strictObject({ name: id, objectTypeId: id }))
      .min(1)
      .max(2),
  }),
  response: objectStates,
})
