import type { MatchEvidence } from './company.ts'

/** A customer for which a company shall be created. */
type Creatable = { domain: string | null; evidence: MatchEvidence | null }

/** Reasons for which two customers of one domain may still be two companies. */
const untelling: readonly (MatchEvidence | null)[] = ['shared_domain', 'doubtful_domain', 'never_rule']

/** Customers that get one company each group: those of one domain, if the domain tells the company. Keeps their order. */
export function groupByCompany<Customer extends Creatable>(customers: readonly Customer[]): Customer[][] {
  const groups = new Map<unknown, Customer[]>()
  for (const customer of customers) {
    const { domain, evidence } = customer
    const key = domain === null || untelling.includes(evidence) ? customer : domain
    groups.set(key, [...(groups.get(key) ?? []), customer])
  }
  return [...groups.values()]
}
