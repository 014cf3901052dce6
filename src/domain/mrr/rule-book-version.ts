/**
 * What each version of the rules changed, in words for whoever reads the figures. A change of the rules that gives any
 * ledger or receipt other figures or words is a new version: raise `ruleBookVersion`, say here what is different, and renew
 * `goldenHash`. Then every organization's ledger is recounted, and what changed is reported (docs/mrr.md).
 */
export const ruleBookReleases: readonly { version: number; difference: string }[] = [
  {
    version: 1,
    difference:
      "All customers are counted by today's rules. Before, a customer whose Stripe data had not changed kept the figures and receipts of the release that counted it last.",
  },
]

/** The version of the rules that this code counts by; 0 is whatever was counted before versions were noted. */
export const ruleBookVersion = 1

/** Stands for the ledgers and receipts that these rules make of fixed accounts; test/rule-book-version.test.ts names the new one. */
export const goldenHash = '01c8c8e8f68ab6f0'

/** What is different between two versions of the rules, the oldest first. */
export function differencesBetween(from: number, to: number): string[] {
  const [low, high] = [Math.min(from, to), Math.max(from, to)]
  return ruleBookReleases.flatMap(({ version, difference }) =>
    version > low && version <= high ? difference : [],
  )
}
