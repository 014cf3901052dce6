import {
  getAutoSync,
  getSetupProgress,
  setAutoSync,
  stepSpelled,
  updateSetupProgress,
} from '#contract/setup.ts'
import { type ClaimedSteps, type DoneSteps, unearnedReason } from '#domain/setup.ts'
import { type Router, serve } from '../../http/serve.ts'
import { Refusal } from '../../refusal.ts'
import { getSettings, updateSettings } from '../../store/setup/settings.ts'
import { getRunFacts } from '../../store/setup/setup-facts.ts'
import { settingsStanding, setupStanding } from '../standing.ts'
import { readSetupProgress, type SetupProgress } from './setup-progress.ts'

export function serveSetup(router: Router): void {
  serve(router, getSetupProgress, ({ inOrganization }) => inOrganization(readSetupProgress))

  serve(
    router,
    updateSetupProgress,
    ({ deps, inOrganization }, { body }) =>
      inOrganization(async (tenant) => {
        const { currentStep, setupComplete, dataImported, dataSynced } = body
        const done = doneIn(await readSetupProgress(tenant))
        const facts = await getRunFacts(tenant)
        const ever = { import: facts.import !== 'none', push: facts.push !== 'none' }
        const reason = unearnedReason(body, done, ever, deps.crm.name)
        if (reason !== undefined) throw new Refusal('not_earned', reason)
        await updateSettings(tenant, {
          ...(currentStep !== undefined && { currentStep: stepSpelled(currentStep) }),
          ...(setupComplete !== undefined && { setupComplete }),
          ...(dataImported !== undefined && { dataImported }),
          ...(dataSynced !== undefined && { dataSynced }),
        })
        return readSetupProgress(tenant)
      }),
    setupStanding,
    ({ body }) => progressText(body),
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

/** What the wizard saved, for the activity log; null for a count alone. */
function progressText(saved: ClaimedSteps & { currentStep?: string | undefined }): string | null {
  const { currentStep, setupComplete, dataImported, dataSynced } = saved
  if (setupComplete) return 'finished'
  if (dataSynced) return 'records synced'
  if (dataImported) return 'history imported'
  return currentStep === undefined ? null : `step ${currentStep}`
}

function doneIn({ hubspotConnected, stripeConnected, dataImported, dataSynced }: SetupProgress): DoneSteps {
  return { crm: hubspotConnected, payments: stripeConnected, dataImported, dataSynced }
}
