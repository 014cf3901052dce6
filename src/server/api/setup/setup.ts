import { getAutoSync, getSetupProgress, setAutoSync, updateSetupProgress } from '#contract/setup.ts'
import { type Router, serve } from '../../http/serve.ts'
import { Refusal } from '../../refusal.ts'
import { getSettings, updateSettings } from '../../store/setup/settings.ts'
import { getRunFacts } from '../../store/setup/setup-facts.ts'
import { settingsStanding, setupStanding } from '../standing.ts'
import { readSetupProgress, type SetupProgress } from './setup-progress.ts'

type Flags = {
  setupComplete?: boolean | undefined
  dataImported?: boolean | undefined
  dataSynced?: boolean | undefined
}

export function serveSetup(router: Router): void {
  serve(router, getSetupProgress, ({ inOrganization }) => inOrganization(readSetupProgress))

  serve(
    router,
    updateSetupProgress,
    ({ inOrganization }, { body }) =>
      inOrganization(async (tenant) => {
        const { currentStep, setupComplete, dataImported, dataSynced } = body
        requireEarned(body, await readSetupProgress(tenant), await getRunFacts(tenant))
        await updateSettings(tenant, {
          ...(currentStep !== undefined && { currentStep }),
          ...(setupComplete !== undefined && { setupComplete }),
          ...(dataImported !== undefined && { dataImported }),
          ...(dataSynced !== undefined && { dataSynced }),
        })
        return readSetupProgress(tenant)
      }),
    setupStanding,
  )

  serve(router, getAutoSync, ({ inOrganization }) =>
    inOrganization(async (tenant) => {
      const { autoSyncEnabled } = await getSettings(tenant)
      return { autoSyncEnabled }
    }),
  )

  serve(
    router,
    setAutoSync,
    ({ inOrganization }, { body }) =>
      inOrganization(async (tenant) => {
        const { autoSyncEnabled } = await updateSettings(tenant, { autoSyncEnabled: body.enabled })
        const message = autoSyncEnabled ? 'Automatic sync is on.' : 'Automatic sync is off.'
        return { success: true as const, message, autoSyncEnabled }
      }),
    settingsStanding,
  )
}

/**
 * A step counts as taken when the facts say so, whatever the request claims. What was done before the setup was reset is
 * claimed again by a client that finds the run: it is answered with how things are.
 */
function requireEarned(
  wanted: Flags,
  progress: SetupProgress,
  facts: Awaited<ReturnType<typeof getRunFacts>>,
): void {
  const { hubspotConnected, stripeConnected, dataImported, dataSynced } = progress
  if (wanted.dataImported && !dataImported && facts.import === 'none') {
    throw new Refusal('not_earned', 'No import has completed yet. Import first.')
  }
  if (wanted.dataSynced && !dataSynced && facts.push === 'none') {
    throw new Refusal('not_earned', 'No sync to HubSpot has completed yet. Sync first.')
  }
  if (wanted.setupComplete && !(hubspotConnected && stripeConnected && dataImported && dataSynced)) {
    throw new Refusal('not_earned', 'The setup has steps that are not done yet. Finish them first.')
  }
}
