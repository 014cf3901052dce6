import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { done, id, serviceKey } from './fields.ts'

const connectionState = {
  dbConnected: z.boolean(),
  /** null means that the state is not known right now. */
  apiConnected: z.boolean().nullable(),
}

export const getConnectionStatus = endpoint({
  method: 'GET',
  path: '/api/connection-status',
  access: 'member',
  summary: 'Both connections of the organization and the number of records that could not be pushed.',
  response: z.object({
    hubspot: z.object({
      ...connectionState,
      warning: z.string().nullable(),
      portalId: z.string().nullable(),
      /** The domain that HubSpot names for the portal; null where it names none, as with a service key. */
      portalDomain: z.string().nullable(),
      /** The portal that was used before, until a person has said whether the other one is meant. */
      earlierPortalId: z.string().nullable(),
      /** The service key that connects the portal; null for the consent to an app. */
      maskedKey: z.string().nullable(),
    }),
    stripe: z.object({
      ...connectionState,
      accountId: z.string().nullable(),
      apiKeyFirstChars: z.string().nullable(),
      /** Says what to do about the key; null when nothing is wrong. */
      warning: z.string().nullable(),
      /** The optional permissions that the key lacks, under the names that Stripe's key page uses. */
      missingOptionalPermissions: z.array(z.string()),
    }),
    syncErrorCount: z.int(),
  }),
})

export const connectStripe = endpoint({
  method: 'POST',
  path: '/api/stripe/connect',
  access: 'admin',
  audit: 'stripe_connected',
  summary:
    'Checks a secret or restricted key against Stripe and keeps it sealed. Also replaces the key; one of another account only with `resetData`, which deletes what was imported.',
  body: z.strictObject({
    apiKey: z.string().max(1_000),
    /** The account to read (`acct_…`): needed with an organization's key, refused with a key of one account. */
    account: z.string().max(1_000).optional(),
    resetData: z.boolean().optional(),
  }),
  response: z.object({ connected: z.boolean(), message: z.string() }),
})

export const getStripeKeyGuide = endpoint({
  method: 'GET',
  path: '/api/stripe/key-guide',
  access: 'member',
  summary: "Stripe's pages that make a key with exactly the needed read permissions, and what they are for.",
  response: z.object({
    pages: z.object({ live: z.string(), test: z.string() }),
    /** Under the names that Stripe's key page uses; each with read access only. */
    permissions: z.array(z.object({ name: z.string(), isOptional: z.boolean(), use: z.string() })),
  }),
})

export const verifyStripe = endpoint({
  method: 'GET',
  path: '/api/stripe/verify',
  access: 'member',
  summary: 'Asks Stripe whether the stored key still works.',
  response: z.object({
    connected: z.boolean(),
    hasApiKey: z.boolean(),
    maskedApiKey: z.string().nullable(),
    accountId: z.string().nullable(),
  }),
})

export const disconnectStripe = endpoint({
  method: 'POST',
  path: '/api/stripe/disconnect',
  access: 'admin',
  audit: 'stripe_disconnected',
  summary: 'Forgets the key, stops running work and resets the setup.',
  response: done,
})

export const getHubspotAuthUrl = endpoint({
  method: 'GET',
  path: '/api/hubspot/auth-url',
  access: 'admin',
  summary: 'An authorization address of HubSpot with a single-use state of ten minutes.',
  query: z.strictObject({ returnTo: z.enum(['popup', 'data-sync']).default('popup') }),
  response: z.object({ authUrl: z.string() }),
})

export const hubspotCallback = endpoint({
  method: 'GET',
  path: '/api/hubspot/callback',
  access: 'public',
  summary: 'Where HubSpot sends the browser after consent or refusal. Proves itself by state and session.',
  query: z.looseObject({}),
  response: z.undefined(),
  answers: 'page',
})

export const verifyHubspot = endpoint({
  method: 'GET',
  path: '/api/hubspot/verify',
  access: 'member',
  summary: 'Asks HubSpot whether the connection works.',
  response: z.object({ connected: z.boolean() }),
})

export const getHubspotWays = endpoint({
  method: 'GET',
  path: '/api/hubspot/ways',
  access: 'member',
  summary: 'How HubSpot can be connected here: by an app, and which scopes a service key needs.',
  response: z.object({
    hasApp: z.boolean(),
    /** What will hinder the way by the app, with what to do; null if nothing is known. */
    appProblem: z.string().nullable(),
    keyPlace: z.string(),
    keyScopes: z.array(
      z.object({
        name: z.string(),
        use: z.string(),
        isOptional: z.boolean(),
        /** Whether the scope is for creating the custom objects. */
        makesObjects: z.boolean(),
      }),
    ),
  }),
})

export const connectHubspotByKey = endpoint({
  method: 'POST',
  path: '/api/hubspot/connect',
  access: 'admin',
  audit: 'hubspot_connected',
  summary:
    'Looks at a service key, names the scopes that it lacks, and keeps it sealed. Also replaces the key, but never by one of another account.',
  body: z.strictObject({ serviceKey }),
  response: z.object({ connected: z.boolean(), portalId: z.string(), message: z.string() }),
})

export const disconnectHubspot = endpoint({
  method: 'POST',
  path: '/api/hubspot/disconnect',
  access: 'admin',
  audit: 'hubspot_disconnected',
  summary: 'Revokes and forgets the tokens, stops running work and resets the setup.',
  response: done,
})

export const acceptHubspotPortal = endpoint({
  method: 'POST',
  path: '/api/hubspot/accept-portal',
  access: 'admin',
  audit: 'hubspot_account_accepted',
  summary:
    'Says yes to another HubSpot account than before: everything is synced to it again. No is to disconnect.',
  body: z.strictObject({ portalId: id }),
  response: done,
})

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
  hasOtherWays: z.boolean(),
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
