import { getAutoSync, getSetupProgress, setAutoSync, updateSetupProgress } from '#contract/setup.ts'
import { type Router, serve } from '../http/serve.ts'
import { Refusal } from '../refusal.ts'
import { getSettings, updateSettings } from '../store/settings.ts'
import { readSetupProgress, type SetupProgress } from './setup-progress.ts'

type Flags = {
  setupComplete?: boolean | undefined
  dataImported?: boolean | undefined
  dataSynced?: boolean | undefined
}

export function serveSetup(router: Router): void {
  serve(router, getSetupProgress, ({ inOrganization }) => inOrganization(readSetupProgress))

  serve(router, updateSetupProgress, ({ inOrganization }, { body }) =>
    inOrganization(async (tenant) => {
      const { currentStep, setupComplete, dataImported, dataSynced } = body
      requireEarned(body, await readSetupProgress(tenant))
      await updateSettings(tenant, {
        ...(currentStep !== undefined && { currentStep }),
        ...(setupComplete !== undefined && { setupComplete }),
        ...(dataImported !== undefined && { dataImported }),
        ...(dataSynced !== undefined && { dataSynced }),
      })
      return readSetupProgress(tenant)
    }),
  )

  serve(router, getAutoSync, ({ inOrganization }) =>
    inOrganization(async (tenant) => {
      const { autoSyncEnabled } = await getSettings(tenant)
      return { autoSyncEnabled }
    }),
  )

  serve(router, setAutoSync, ({ inOrganization }, { body }) =>
    inOrganization(async (tenant) => {
      const { autoSyncEnabled } = await updateSettings(tenant, { autoSyncEnabled: body.enabled })
      const message = autoSyncEnabled ? 'Automatic sync is on.' : 'Automatic sync is off.'
      return { success: true as const, message, autoSyncEnabled }
    }),
  )
}

/** A step counts as taken when the facts say so, whatever the request claims. */
function requireEarned(wanted: Flags, progress: SetupProgress): void {
  if (wanted.dataImported && !progress.dataImported) {
    throw new Refusal('not_earned', 'No import has completed yet. Import first.')
  }
  if (wanted.dataSynced && !progress.dataSynced) {
    throw new Refusal('not_earned', 'No sync to HubSpot has completed yet. Sync first.')
  }
  const { hubspotConnected, stripeConnected, dataImported, dataSynced } = progress
  if (wanted.setupComplete && !(hubspotConnected && stripeConnected && dataImported && dataSynced)) {
    throw new Refusal('not_earned', 'The setup has steps that are not done yet. Finish them first.')
  }
}
