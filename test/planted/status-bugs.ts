import type { Bug } from './bug.ts'

/** The names of its tests are cut after about forty characters. */
const ruleBook = 'src/domain/mrr/rule-book.test.ts'
const seen = 'src/domain/mrr/timeline/observations-of-status.test.ts'

/** Ends and pauses of subscriptions at a wrong time. */
export const statusBugs: readonly Bug[] = [
  {
    name: 'a bill after a trial that is not paid ends the subscription as it begins',
    file: 'src/domain/mrr/timeline/status-proof.ts',
    text: 'return first === invoice && !isBackdated(subscription)',
    replacement: 'return first === null',
    caughtBy: [ruleBook, 'unpaid since the first bill after'],
  },
  {
    name: 'a moved subscription that left before its first bill never was',
    file: 'src/domain/mrr/rebuild-subscription.ts',
    text: 'invoices.length === 0 && isBackdated(subscription)',
    replacement: 'invoices.length < 0',
    caughtBy: [ruleBook, 'the same where the customer leaves'],
  },
  {
    name: 'a pause that is over leaves no trace',
    file: 'src/domain/mrr/timeline/timeline.ts',
    text: 'return !isRenewal && !isForTrial',
    replacement: 'return isRenewal && !isForTrial',
    caughtBy: [ruleBook, 'a pause that gave money back and is'],
  },
  {
    name: 'a pause that the end of its subscription followed leaves no trace',
    file: 'src/domain/mrr/timeline/timeline.ts',
    text: 'next || isEndedLater || item.quantity',
    replacement: 'next || item.quantity',
    caughtBy: [ruleBook, 'a pause that gave money back, and the'],
  },
  {
    name: 'the end of a trial is taken for the first billing day',
    file: 'src/domain/mrr/timeline/unbilled-changes.ts',
    text: 'return at > asOf ? undefined : {',
    replacement: 'return at > asOf ? { at: bill.until, isInside: false, isShown: true } : {',
    caughtBy: [ruleBook, 'a trial that ends before the first bill'],
  },
  {
    name: 'the credit of a pause takes the place of its Churn',
    file: 'src/domain/mrr/timeline/revenue-end.ts',
    text: "endedAs === 'paused'",
    replacement: "endedAs === 'on hold'",
    caughtBy: [seen, 'a pause that gave money back keeps its Churn'],
  },
  {
    name: 'an old open invoice ends what was paid since',
    file: 'src/domain/mrr/timeline/revenue-status.ts',
    text: 'invoicesSincePaid(invoices).find(',
    replacement: 'invoices.find(',
    caughtBy: [ruleBook, 'past due ends after the first'],
  },
  {
    name: 'a pause after a trial is forgotten',
    file: 'src/domain/mrr/rebuild-subscription.ts',
    text: "end?.fresh?.endedAs === 'paused' && states.length > 0",
    replacement: "end?.fresh?.endedAs === 'paused' && states.length > 9",
    caughtBy: [seen, 'goes on in the period of its pause is New when'],
  },
]
