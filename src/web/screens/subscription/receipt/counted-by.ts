/** Names the two versions behind a figure: our rules, and the policy that the organization has chosen. */
export function countedBy(versions: { ruleBookVersion: number; policyRevision: number }): string {
  const { ruleBookVersion: rules, policyRevision: policy } = versions
  const byRules = rules === 0 ? 'MRR rules of before version 1' : `MRR rules version ${rules}`
  return policy === 0 ? `${byRules} and the default policy` : `${byRules} and policy revision ${policy}`
}
