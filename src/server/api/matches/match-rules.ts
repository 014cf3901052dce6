import { countDomain } from '#contract/lists/match-figures.ts'
import { listMatchRules, removeMatchRule, saveMatchRule } from '#contract/matches.ts'
import { type Router, serve } from '../../http/serve.ts'
import { findCurrentPortal } from '../../store/crm/current-portal.ts'
import { listRules } from '../../store/matches/match-rules.ts'
import { countOfDomain } from '../../store/matches/rule-matches.ts'
import { type DomainDecision, decideDomain, removeRule } from '../../work/match/match-rules.ts'
import { ruleSubject } from '../decision-subject.ts'
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

  serve(router, countDomain, ({ inOrganization }, { query }) =>
    inOrganization(async (tenant) => {
      const portalId = await findCurrentPortal(tenant)
      if (portalId === null) return { waitingCustomers: 0, waitingRecords: 0, attachedCustomers: 0 }
      return countOfDomain(tenant, portalId, query)
    }),
  )

  serve(
    router,
    saveMatchRule,
    async ({ deps, organizationId, role, session }, { body }) => {
      const by = { userId: session.user.id, role }
      const decision = await decideDomain(deps, organizationId, body, by)
      return { success: true as const, message: ruleText(decision), decisionId: decision.decisionId }
    },
    rulesStanding,
    ({ body }) => ruleSubject(body.companyRecordId),
  )

  serve(router, removeMatchRule, async ({ deps, organizationId, role }, { body }) => {
    await removeRule(deps, organizationId, body.domain, role)
    return { success: true as const, message: `The rule for ${body.domain} was removed.` }
  })
}

function ruleText({ domain, moved, company, stayed }: DomainDecision): string {
  const customers = (count: number) => `${count} ${count === 1 ? 'customer' : 'customers'}`
  if (company === null)
    return `${domain} is never matched by its domain from now on; ${customers(moved)} wait for review again.`
  const stay = `${customers(stayed.count)} ${stayed.count === 1 ? 'stays' : 'stay'}`
  const rest = stayed.count === 0 ? '' : `; ${stay} with ${stayed.companyName ?? 'the company before'}`
  return `${domain} always belongs to ${company.name ?? 'this company'} from now on; ${customers(moved)} attached${rest}.`
}
