import { providerNames } from '../../provider-names.ts'

/**
 * What each version of the rules changed, in words for readers of the figures. A change of any ledger's or receipt's
 * figures or words needs a new version, described here, and a new `goldenHash`; all ledgers are then recounted.
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
  {
    version: 2,
    difference:
      'Where a new item takes the place of another and begins a new billing cycle, the other one ends then, also without a credit; before, both could count until the period of the old one was over.',
  },
]

/** The version of the rules in this code; 0 means counted before versions were recorded. */
export const ruleBookVersion = 2

/**
 * A hash of the ledgers and receipts that these rules make of fixed accounts; test/rule-book-version.test.ts prints the
 * new one.
 */
export const goldenHash = 'ced17a526e756777'

/** The differences between two versions of the rules, oldest first. */
export function differencesBetween(from: number, to: number): string[] {
  const [low, high] = [Math.min(from, to), Math.max(from, to)]
  return ruleBookReleases.flatMap(({ version, difference }) =>
    version > low && version <= high ? difference : [],
  )
}
