import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const syncSettings = z.object({ autoCreateContacts: z.boolean(), autoCreateCompanies: z.boolean() })

export const getSyncSettings = endpoint({
  method: 'GET',
  path: '/api/settings/sync',
  access: 'member',
  summary: 'Whether missing contacts and companies are created in HubSpot.',
  response: z.object({ syncSettings }),
})

export const saveSyncSettings = endpoint({
  method: 'PUT',
  path: '/api/settings/sync',
  access: 'admin',
  audit: 'settings_changed',
  summary: 'Saves the sync settings; a key that is left out keeps its value.',
  body: z.strictObject({
    syncSettings: z.strictObject({
      autoCreateContacts: z.boolean().optional(),
      autoCreateCompanies: z.boolean().optional(),
    }),
  }),
  response: z.object({ syncSettings }),
})
