import { listCompanyNames } from '../../store/crm/crm-index.ts'
import { findCurrentPortal } from '../../store/crm/current-portal.ts'
import { namesOfCustomers } from '../../store/lists/customer-names.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { type LoggedDecision, readDecision, readRule } from '../decision-subject.ts'

/** Writes subjects of activity lines in words, with the names that customers and companies have now. */
export async function decisionTexts(
  tenant: Tenant,
  subjects: readonly (string | null)[],
): Promise<(subject: string | null) => string | null> {
  const decisions = subjects.map(readDecision).filter((one) => one !== null)
  const customers = decisions.map(({ about }) => about).filter((about) => typeof about === 'string')
  const rules = subjects.map(readRule).filter((one) => one !== undefined)
  const companies = [...decisions, ...rules]
    .map(({ companyRecordId }) => companyRecordId)
    .filter((id) => id !== null)
  const portalId = companies.length === 0 ? null : await findCurrentPortal(tenant)
  const names = await namesOfCustomers(tenant, customers)
  const companyNames = portalId === null ? null : await listCompanyNames(tenant, portalId, companies)
  const companyOf = (id: string | null) => (id === null ? null : (companyNames?.get(id) ?? id))
  return (subject) => {
    const rule = readRule(subject)
    if (rule) return ruleText(companyOf(rule.companyRecordId))
    const decision = readDecision(subject)
    if (decision === null) return subject
    const { about, companyRecordId } = decision
    const who = typeof about === 'number' ? `${about} customers` : names.get(about) || about
    return textOf(decision, who, companyOf(companyRecordId))
  }
}

function ruleText(company: string | null): string {
  return company === null ? 'never matched by it' : `always ${company}`
}

function textOf({ deed, about }: LoggedDecision, who: string, company: string | null): string {
  const isMany = typeof about === 'number'
  if (deed === 'attach') return `${who} attached to ${company ?? (isMany ? 'their companies' : 'a company')}`
  if (deed === 'always') return `all of the domain of ${who} attached to ${company ?? 'a company'}, by a rule`
  if (deed === 'create') return `${isMany ? 'companies' : 'a company'} created for ${who}`
  if (deed === 'undo') return who
  if (deed === 'ignore') return `${who} ignored`
  if (deed === 'restore') return `${who} to be reviewed again`
  return `${who} detached from ${isMany ? 'their companies' : 'the company'}`
}
