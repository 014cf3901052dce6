type Versions = { fromRules: number; toRules: number; fromPolicy: number; toPolicy: number }

/** Says why figures were calculated again: 'MRR rules 1 → 2', 'Policy 0 → 1', or both. */
export function versionsText({ fromRules, toRules, fromPolicy, toPolicy }: Versions): string {
  const changes = [
    ...(fromRules === toRules ? [] : [`MRR rules ${fromRules} → ${toRules}`]),
    ...(fromPolicy === toPolicy ? [] : [`Policy ${fromPolicy} → ${toPolicy}`]),
  ]
  return changes.length === 0 ? `MRR rules ${toRules}` : changes.join(', ')
}
