import { providerNames } from '../../provider-names.ts'

/**
 * What each version of the rules changed, in words for whoever reads the figures. A change of the rules that gives any
 * ledger or receipt other figures or words is a new version: raise `ruleBookVersion`, say here what is different, and renew
 * `goldenHash`. Then every organization's ledger is recounted, and what changed is reported (docs/mrr.md).
 */
export const ruleBookReleases: readonly { version: number; difference: string }[] = [
  {
    version: 1,
    difference: [
      `All customers are counted by these rules, also those whose ${providerNames.payments} data has not changed since.`,
      'After a change inside a period MRR is that of the whole price from that day on; before, it could be that of the part until the next renewal.',
      'A subscription that was moved from another system is New at its start, one that is not billed at first on its first billing day.',
      'A customer who leaves during a free stretch is a Churn where MRR fell to 0, and a change that waits for its payment counts once it is paid.',
    ].join(' '),
  },
]

/** The version of the rules that this code counts by; 0 is whatever was counted before versions were noted. */
export const ruleBookVersion = 1

/** Stands for the ledgers and receipts that these rules make of fixed accounts; test/rule-book-version.test.ts names the new one. */
export const goldenHash = 'a98015c28fdef1b7'

/** What is different between two versions of the rules, the oldest first. */
export function differencesBetween(from: number, to: number): string[] {
  const [low, high] = [Math.min(from, to), Math.max(from, to)]
  return ruleBookReleases.flatMap(({ version, difference }) =>
    version > low && version <= high ? difference : [],
  )
}
