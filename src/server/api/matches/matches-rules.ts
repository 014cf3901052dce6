import { listMatchRules, removeMatchRule, saveMatchRule } from '#contract/matches.ts'
import { type Router, serve } from '../../http/serve.ts'
import { findCurrentPortal } from '../../store/crm/current-portal.ts'
import { listRules } from '../../store/matches/match-rules.ts'
import { decideDomain, removeRule } from '../../work/match/match-rules.ts'
import { readLinks } from '../links.ts'
import { rulesStanding } from '../standing.ts'

export function serveMatchRules(router: Router): void {
  serve(router, listMatchRules, ({ deps, inOrganization }) =>
    inOrganization(async (tenant) => {
      const portalId = await findCurrentPortal(tenant)
      if (portalId === null) return { rules: [] }
      const links = await readLinks(deps, tenant)
      return {
        rules: (await listRules(tenant, portalId)).map((rule) => ({
          domain: rule.domain,
          kind: rule.kind,
          companyName: rule.companyName,
          hubspotCompanyLink: links.hubspotCompany(portalId, rule.companyRecordId),
          createdAt: rule.createdAt.toISOString(),
          createdBy: rule.createdBy,
        })),
      }
    }),
  )

  serve(
    router,
    saveMatchRule,
    async ({ deps, organizationId, role, session }, { body }) => {
      const by = { userId: session.user.id, role }
      const { domain, moved } = await decideDomain(deps, organizationId, body, by)
      const customers = `${moved} ${moved === 1 ? 'customer' : 'customers'}`
      return {
        success: true as const,
        message:
          body.companyRecordId === null
            ? `${domain} is never matched by its domain from now on; ${customers} wait for review again.`
            : `${domain} always belongs to this company from now on; ${customers} attached.`,
      }
    },
    rulesStanding,
  )

  serve(router, removeMatchRule, async ({ deps, organizationId, role }, { body }) => {
    await removeRule(deps, organizationId, body.domain, role)
    return { success: true as const, message: `The rule for ${body.domain} was removed.` }
  })
}
