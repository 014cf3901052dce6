import { getSyncSettings, saveSyncSettings } from '#contract/settings.ts'
import { type Router, serve } from '../../http/serve.ts'
import { getSettings, type OrganizationSettings, updateSettings } from '../../store/setup/settings.ts'
import { settingsStanding } from '../standing.ts'

export function serveSettings(router: Router): void {
  serve(router, getSyncSettings, ({ inOrganization }) =>
    inOrganization(async (tenant) => toWire(await getSettings(tenant))),
  )

  serve(
    router,
    saveSyncSettings,
    ({ inOrganization }, { body }) =>
      inOrganization(async (tenant) => {
        const { autoCreateContacts, autoCreateCompanies } = body.syncSettings
        return toWire(
          await updateSettings(tenant, {
            ...(autoCreateContacts !== undefined && { autoCreateContacts }),
            ...(autoCreateCompanies !== undefined && { autoCreateCompanies }),
          }),
        )
      }),
    settingsStanding,
  )
}

function toWire({ autoCreateContacts, autoCreateCompanies }: OrganizationSettings) {
  return { syncSettings: { autoCreateContacts, autoCreateCompanies } }
}
