import { z } from 'zod'
import type { SetupStep } from '#domain/setup.ts'
import { endpoint } from './endpoint.ts'
import { done } from './fields.ts'

/** The wizard's steps as calls and addresses spell them: those of a connection by the brand that is connected there. */
const spellings = {
  crm: 'hubspot',
  payments: 'stripe',
  objects: 'objects',
  import: 'import',
  sync: 'sync',
  finish: 'finish',
} as const satisfies Record<SetupStep, string>

export const stepSpellings = Object.values(spellings)
export type StepSpelling = (typeof stepSpellings)[number]

export function spellStep(step: SetupStep): StepSpelling {
  return spellings[step]
}

/** The step that is spelled so, or undefined. */
export function stepSpelled(spelling: StepSpelling): SetupStep
export function stepSpelled(spelling: string): SetupStep | undefined
export function stepSpelled(spelling: string): SetupStep | undefined {
  const steps = Object.keys(spellings) as SetupStep[]
  return steps.find((step) => spellings[step] === spelling)
}

export const setupProgress = z.object({
  currentStep: z.enum(stepSpellings),
  setupComplete: z.boolean(),
  hubspotConnected: z.boolean(),
  /** Whether a person has to say whether another HubSpot account than before is meant. Until then nothing is written. */
  hubspotUndecided: z.boolean(),
  /** Whether HubSpot no longer accepts our key or tokens. */
  hubspotRefused: z.boolean(),
  /** Whether the last try to create the custom objects of the connected HubSpot account failed. */
  hubspotObjectsMissing: z.boolean(),
  stripeConnected: z.boolean(),
  dataImported: z.boolean(),
  /** Whether anything was imported, also before a reset of the setup. */
  hasRecords: z.boolean(),
  dataSynced: z.boolean(),
  syncedSubscriptions: z.int(),
  syncedTransactions: z.int(),
  pendingMatchCount: z.int(),
})

export const getSetupProgress = endpoint({
  method: 'GET',
  path: '/api/setup/progress',
  access: 'member',
  summary: 'How far the setup of the organization has come.',
  response: setupProgress,
})

export const updateSetupProgress = endpoint({
  method: 'PATCH',
  path: '/api/setup/progress',
  access: 'admin',
  audit: 'setup_changed',
  summary:
    'Saves where the wizard stands. A flag that was never earned is refused; of one that was reset since, the answer tells how it stands.',
  body: z.strictObject({
    currentStep: z.enum(stepSpellings).optional(),
    setupComplete: z.boolean().optional(),
    dataImported: z.boolean().optional(),
    dataSynced: z.boolean().optional(),
    syncedSubscriptions: z.int().nonnegative().optional(),
    syncedTransactions: z.int().nonnegative().optional(),
  }),
  response: setupProgress,
})

export const getAutoSync = endpoint({
  method: 'GET',
  path: '/api/setup/auto-sync',
  access: 'member',
  summary: 'Whether new records are pushed to HubSpot on a schedule.',
  response: z.object({ autoSyncEnabled: z.boolean() }),
})

export const setAutoSync = endpoint({
  method: 'POST',
  path: '/api/setup/auto-sync',
  access: 'admin',
  audit: 'settings_changed',
  summary: 'Switches the scheduled push on or off.',
  body: z.strictObject({ enabled: z.boolean() }),
  response: done.extend({ autoSyncEnabled: z.boolean() }),
})
