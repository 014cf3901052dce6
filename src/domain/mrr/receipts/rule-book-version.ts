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
  {
    version: 3,
    difference: [
      'A trial that ended in a pause is free until it is resumed, also while no invoice shows it; before, it could be New at the end of the trial.',
      'Where one subscription ends and several start within a day at its MRR, one of these is a Reactivation and the others are New; before, all were Reactivations.',
      'Where a coupon comes after a billed one that is gone or used up, the larger of the two counts until the next period; before, both did.',
      'Where the parts of a period name no item, one that came and went inside it beside a single other item adds to MRR and is taken off; before, it replaced the other one.',
      'Such an item that was given back and bought again ends and begins at these instants, also before it is renewed; before, only the renewal showed it.',
      'In a period from the last day of a longer month, a discount inside a second change is kept; before, it could be missing until the renewal.',
      'A trial that ends early, or a new cycle at the full price, counts once it is paid where it waits for that; before, its open invoice counted.',
      'A coupon for certain products ends or begins with a switch between products that no invoice shows; before, it stayed as billed until the renewal.',
      'An amount off a whole invoice stays one amount where an item came or went that no invoice shows; before, more or less of it was taken off until the renewal.',
      'A credit that leaves an item without units ends its MRR on that day also where it is billed again later, for none or after a gap; before, that bill hid it.',
      'A coupon that the prorations of a change used up, or that was taken off before their invoice, counts until the renewal; before, it was left out.',
      'Where the parts of a period name no item, they go to the right one of several also after a switch without proration or before a new cycle; before, one could count twice or not at all.',
      'Where such parts switch a plan twice within a second, the plan in between does not count; before, it could until the renewal.',
      'Unpaid since the first bill after a trial is a Churn when it was first seen; before, it was one seconds after the New.',
      'Bills that begin when a new item was seen to, or that give back an item later than it was seen to end, tell what was sold then; before, what was seen stayed.',
      'Lines of a deleted price that was only billed after its periods are usage; before, they counted.',
      'A last period of a deleted price that a cancellation cuts short costs what its month does; before, it could be a change of price.',
      'An end within a minute of its request was not planned; before, a second made a planned cancellation.',
      'A coupon for certain products is inside a part of one of them also where the item sells another product since; before, it was left out.',
      'A part of a period has the percentage of its coupon and of its included tax by lines, as whole bills have it; before, it could be some cents off.',
      'A renewal like the bill before takes the amount off that it says; before, what an item in between bore of it stayed off the others.',
      'A part of a period has the discounts that its line names, an amount off in full if nothing shared it then; before, some of it could be left out.',
      'A moved subscription that ended before its first bill is New at its start and a Churn at its end whenever it is read; before, it had no events where it was read only afterwards.',
      'A pause that gave money back and was over before it was seen is a Churn at the credit and a Reactivation at the next bill; before, neither was there.',
      'A trial that ends before the first billing day is free until then, also where it is read before; before, it could be New at its end.',
      'Past due subscriptions that end after some days by the settings end by the first open invoice since the last paid one; before, by any older one.',
      'Where an item of another interval takes the place of one on a billing day or within weeks, the other ends then, also without a credit; before, both could count.',
      'Explanations name the coupon of a discount, why a fall to zero is a Churn or not, and why and when a subscription ends; before, they did not.',
      'Explanations name the currency of lines in another one, the rule of a bill of another length, and the credit that took all units; before, some were untrue.',
    ].join(' '),
  },
]

/** The version of the rules in this code; 0 means counted before versions were recorded. */
export const ruleBookVersion = 3

/**
 * A hash of the ledgers and receipts that these rules make of fixed accounts; test/rule-book-version.test.ts prints the
 * new one.
 */
export const goldenHash = '5279680e7e537541'

/** The differences between two versions of the rules, oldest first. */
export function differencesBetween(from: number, to: number): string[] {
  const [low, high] = [Math.min(from, to), Math.max(from, to)]
  return ruleBookReleases.flatMap(({ version, difference }) =>
    version > low && version <= high ? difference : [],
  )
}
