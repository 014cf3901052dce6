import { type SetupStep, setupSteps } from '#domain/setup.ts'
import type { Tenant } from '../postgres/database.ts'
import { findNewestCompletedRunId } from './setup-facts.ts'

/** An organization's choices, and the current step of its wizard. */
export type OrganizationSettings = {
  currentStep: SetupStep
  setupComplete: boolean
  autoSyncEnabled: boolean
  autoCreateContacts: boolean
  autoCreateCompanies: boolean
  /** Whether to erase customers that were deleted at the payment provider. */
  erasesDeletedCustomers: boolean
}

/**
 * The settings that may be changed. Runs determine whether data was imported or pushed: `false` ignores the runs so
 * far, `true` changes nothing.
 */
export type SettingsPatch = Partial<OrganizationSettings> & { dataImported?: boolean; dataSynced?: boolean }

/** Starts the setup again; existing connections stay. */
export const setupReset = {
  currentStep: 'crm',
  setupComplete: false,
  dataImported: false,
  dataSynced: false,
} satisfies SettingsPatch

const defaults: OrganizationSettings = {
  currentStep: 'crm',
  setupComplete: false,
  autoSyncEnabled: true,
  autoCreateContacts: true,
  autoCreateCompanies: true,
  erasesDeletedCustomers: false,
}

/** The organization's settings; the defaults until it has saved some. */
export async function getSettings(tenant: Tenant): Promise<OrganizationSettings> {
  const row = await tenant.sql
    .selectFrom('organization_settings')
    .selectAll()
    .where('organization_id', '=', tenant.organizationId)
    .executeTakeFirst()
  if (row === undefined) return defaults
  return {
    currentStep: stepStoredAs(row.current_step) ?? defaults.currentStep,
    setupComplete: row.setup_complete,
    autoSyncEnabled: row.auto_sync_enabled,
    autoCreateContacts: row.auto_create_contacts,
    autoCreateCompanies: row.auto_create_companies,
    erasesDeletedCustomers: row.erases_deleted_customers,
  }
}

/** Changes the named settings and returns all of them. */
export async function updateSettings(tenant: Tenant, patch: SettingsPatch): Promise<OrganizationSettings> {
  const set = {
    ...(patch.currentStep !== undefined && { current_step: storedStep(patch.currentStep) }),
    ...(patch.setupComplete !== undefined && { setup_complete: patch.setupComplete }),
    ...(patch.autoSyncEnabled !== undefined && { auto_sync_enabled: patch.autoSyncEnabled }),
    ...(patch.autoCreateContacts !== undefined && { auto_create_contacts: patch.autoCreateContacts }),
    ...(patch.autoCreateCompanies !== undefined && { auto_create_companies: patch.autoCreateCompanies }),
    ...(patch.erasesDeletedCustomers !== undefined && {
      erases_deleted_customers: patch.erasesDeletedCustomers,
    }),
    ...(patch.dataImported === false && {
      forgotten_import_id: await findNewestCompletedRunId(tenant, 'import'),
    }),
    ...(patch.dataSynced === false && {
      forgotten_push_id: await findNewestCompletedRunId(tenant, 'push'),
    }),
  }
  if (Object.keys(set).length > 0) {
    await tenant.sql
      .insertInto('organization_settings')
      .values({ organization_id: tenant.organizationId, ...set })
      .onConflict((conflict) =>
        conflict.column('organization_id').doUpdateSet((e) => ({ ...set, updated_at: e.fn<Date>('now') })),
      )
      .execute()
  }
  return getSettings(tenant)
}

/** Rows name the steps of the connections by brand, as they did before the roles had names. */
const storedSteps: Partial<Record<SetupStep, string>> = { crm: 'hubspot', payments: 'stripe' }

function storedStep(step: SetupStep): string {
  return storedSteps[step] ?? step
}

function stepStoredAs(stored: string): SetupStep | undefined {
  return setupSteps.find((step) => storedStep(step) === stored)
}
