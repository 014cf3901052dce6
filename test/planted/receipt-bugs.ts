import type { Bug } from './bug.ts'

const receipts = 'src/domain/mrr/receipts/receipt.test.ts'
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
]
