/** Names the two versions behind a figure: our rules, and the policy that the organization has chosen. */
export function countedBy(versions: { ruleBookVersion: number; policyRevision: number }): string {
  const { ruleBookVersion: rules, policyRevision: policy } = versions
  const byRules = rules === 0 ? 'MRR rules before v1' : `MRR rules v${rules}`
  return policy === 0 ? `${byRules} and the default policy` : `${byRules} and policy revision ${policy}`
}
