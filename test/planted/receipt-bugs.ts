import type { Bug } from './bug.ts'

const receipts = 'src/domain/mrr/receipts/receipt.test.ts'
const reasons = 'src/domain/mrr/receipts/reasons-of-receipt.test.ts'
const names = 'src/domain/mrr/receipts/rule-names.test.ts'
const properties = [
  'src/domain/mrr/receipts/receipt-properties.test.ts',
  'accounts: the parts of every',
] as const

/** Faults that leave a figure as it is and explain it wrongly. */
export const receiptBugs: readonly Bug[] = [
  {
    name: 'a line in another currency is shown in that of the subscription',
    file: 'src/server/api/figures/receipt.ts',
    text: 'currency: currency ?? receipt.currency',
    replacement: 'currency: receipt.currency',
    caughtBy: [
      'src/web/screens/subscription/subscription-screen.test.tsx',
      'a change is compared with the event',
    ],
  },
  {
    name: 'several periods that are billed ahead are told as a part of one',
    file: 'src/domain/mrr/receipts/rules-of-terms.ts',
    text: 'until > periodsLater(at, cadence)',
    replacement: 'until < at',
    caughtBy: [receipts, 'the rules of the present say'],
  },
  {
    name: 'a change is compared with the event before, whatever changed since',
    file: 'src/domain/mrr/receipts/receipt.ts',
    text: '=== termsText(sum) ? null : sum',
    replacement: '!== null ? null : sum',
    caughtBy: properties,
  },
  {
    name: 'fractions of the smallest unit are cut off in the CRM',
    file: 'src/domain/crm-record.ts',
    text: 'if (shown % 100n === 0n && rest === 0n) return whole',
    replacement: 'if (whole) return whole',
    caughtBy: properties,
  },
  {
    name: 'nobody learns which invoice was not paid',
    file: 'src/domain/mrr/receipts/ignored-lines.ts',
    text: 'if (!notPaid) return []',
    replacement: 'if (notPaid !== null) return []',
    caughtBy: [receipts, 'an end says that it is dated by'],
  },
  {
    name: 'a customer who moves to another subscription has been away',
    file: 'src/domain/mrr/events/new-or-returning.ts',
    text: "...(isReturn ? ['R22'] : [])",
    replacement: "...['R22']",
    caughtBy: [receipts, 'a Reactivation in a new subscription'],
  },
  {
    name: 'a discount that names three rules, of which one made its amount',
    file: 'src/domain/mrr/receipts/rules-of-terms.ts',
    text: "idsOf(discounts).length > 1 ? ['R7'] : ['R4']",
    replacement: "idsOf(discounts).length > 1 ? ['R4', 'R7'] : ['R4', 'R5', 'R7']",
    caughtBy: [names, 'every figure has a receipt that adds up'],
  },
  {
    name: 'a bill that was over, and nothing that says why it still counts',
    file: 'src/domain/mrr/receipts/rules-of-terms.ts',
    text: 'at !== null && until <= at',
    replacement: 'at !== null && until <= 0',
    caughtBy: properties,
  },
  {
    name: 'a discount that lasts is told as one that ends',
    file: 'src/domain/mrr/receipts/kind-of-event.ts',
    text: "if (kind === 'Downgrade' && because.has('temporary'))",
    replacement: 'if (items.length > 0)',
    caughtBy: [reasons, 'a fall to zero says'],
  },
  {
    name: 'a last bill that stands at every event',
    file: 'src/domain/mrr/receipts/receipts-of-customer.ts',
    text: "judged && state.cause === 'end' ? lastBillOf",
    replacement: 'judged ? lastBillOf',
    caughtBy: properties,
  },
  {
    name: 'the comment of a customer who leaves',
    file: 'src/server/providers/stripe/from-stripe/subscription.ts',
    text: 'textOrNull(reason), textOrNull(feedback)]',
    replacement: "textOrNull(reason), textOrNull(at(subscription, 'cancellation_details')['comment'])]",
    caughtBy: [
      'src/server/providers/stripe/from-stripe/from-stripe.test.ts',
      'never the comment of a person',
    ],
  },
]
