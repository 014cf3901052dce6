import { getAlertChoice, saveAlertChoice } from '#contract/account.ts'
import { type Router, serve } from '../../http/serve.ts'
import { findWantsAlerts, setWantsAlerts } from '../../store/accounts/alerts.ts'

export function serveAlerts(router: Router): void {
  serve(router, getAlertChoice, ({ session, inOrganization }) =>
    inOrganization(async (tenant) => ({ wantsAlerts: await findWantsAlerts(tenant, session.user.id) })),
  )

  serve(router, saveAlertChoice, ({ session, inOrganization }, { body }) =>
    inOrganization(async (tenant) => {
      await setWantsAlerts(tenant, session.user.id, body.wantsAlerts)
      return body
    }),
  )
}
