import { type SetupStep, setupSteps } from '#domain/setup.ts'
import type { Tenant } from '../postgres/database.ts'
import { findNewestCompletedRunId } from './setup-facts.ts'

/** What an organization has chosen, and where its wizard stands. */
export type OrganizationSettings = {
  currentStep: SetupStep
  setupComplete: boolean
  autoSyncEnabled: boolean
  autoCreateContacts: boolean
  autoCreateCompanies: boolean
  /** Whether whoever is deleted at the payment provider is erased. */
  erasesDeletedCustomers: boolean
}

/**
 * What may be changed. Whether data was imported or pushed is read from the runs: `false` forgets the runs so far,
 * `true` changes nothing.
 */
export type SettingsPatch = Partial<OrganizationSettings> & { dataImported?: boolean; dataSynced?: boolean }

/** The setup from its beginning: nothing done but a connection that still stands. */
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

/** The settings of the organization; the defaults while it has saved none. */
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

/** Changes the named settings and leaves the others; returns all of them as they are then. */
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
