import type { Bug } from './bug.ts'

const customers = [
  'src/server/api/customers/customers.test.ts',
  'has a history that ends at its present MRR',
] as const

/** The names of its tests are cut after about forty characters. */
const ruleBook = 'src/domain/mrr/rule-book.test.ts'
const accounts = 'src/cli/replay-public-accounts.test.ts'

/** Faults that make figures wrong. */
export const mrrBugs: readonly Bug[] = [
  {
    name: 'the unit of a line for a part of a period is taken for the price',
    file: 'src/domain/mrr/terms/charge-amount.ts',
    text: 'const list = amountByPrice(charge) ?? amountByBills(charge, pricing)',
    replacement:
      "const unit = rationalOfDecimal(charge.lines[0]?.unitAmountDecimal ?? '')\n  const list = (unit && times(unit, whole(charge.quantity))) ?? amountByPrice(charge)",
    caughtBy: [accounts, 'public accounts'],
  },
  {
    name: 'a price that is gone is not looked up in its regular bills',
    file: 'src/domain/mrr/terms/charge-amount.ts',
    text: 'const list = amountByPrice(charge) ?? amountByBills(charge, pricing)',
    replacement: 'const list = amountByPrice(charge)',
    caughtBy: [ruleBook, 'nor is it where the plan is gone'],
  },
  {
    name: 'a short first period tells how often its plan is billed',
    file: 'src/domain/mrr/terms/charge-amount.ts',
    text: 'if (gone?.cadence) return gone.cadence',
    replacement: 'if (isProration && gone?.cadence) return gone.cadence',
    caughtBy: [accounts, 'public accounts'],
  },
  {
    name: 'the order of lines decides',
    file: 'src/domain/mrr/bills/sort-bills.ts',
    text: 'lines: lines.length > 1 ? lines.sort(compareLines) : lines',
    replacement: 'lines',
    caughtBy: ['src/domain/mrr/invariance-properties.test.ts', 'so does any order of invoices and lines'],
  },
  {
    name: 'a credit of nothing in other words is a seat',
    file: 'src/domain/mrr/bills/settle-parts.ts',
    text: 'if (credit && (kept.length > 1 || isReplaced)) take(credit)',
    replacement: 'if (credit && kept.length > 9) take(credit)',
    caughtBy: [accounts, 'same-tier-more-seats-in-other-words'],
  },
  {
    name: 'a trial line of nothing bears its coupon',
    file: 'src/domain/mrr/terms/charge-amount.ts',
    text: 'if (charge.amountCents !== 0 || !isPositive(list)) return false',
    replacement:
      'if (charge.amountCents !== 0 || charge.discountCents !== 0 || !isPositive(list)) return false',
    caughtBy: [ruleBook, 'a trial line of 0 that names a coupon'],
  },
  {
    name: 'a late first bill dates a backdated subscription',
    file: 'src/domain/mrr/bills/first-bill.ts',
    text: 'return isFirst && isOfStart ? { ...charge, countsFrom: startedAt } : charge',
    replacement: 'return charge',
    caughtBy: [ruleBook, 'moved from another system and billed'],
  },
  {
    name: 'what is not billed until the first billing day counts before it',
    file: 'src/domain/mrr/bills/first-bill.ts',
    text: 'return anchorAt !== null && anchorAt > startedAt + sameRequestSeconds ? anchorAt : startedAt',
    replacement: 'return startedAt',
    caughtBy: [ruleBook, 'nothing is billed until the first'],
  },
  {
    name: 'the open invoice of a change that waits for its payment counts',
    file: 'src/domain/mrr/bills/line-owner.ts',
    text: 'if (pendingInvoiceId === undefined) return false',
    replacement: 'if (pendingInvoiceId !== null) return false',
    caughtBy: [ruleBook, 'the open invoice of a change that'],
  },
  {
    name: 'a coupon that a change used up is left out',
    file: 'src/domain/mrr/terms/discounts/included-discount.ts',
    text: 'isExplained ? known : nearest(readingsOfLostDiscounts(charge, gross, pricing), known)',
    replacement: 'known',
    caughtBy: [ruleBook, 'a one-time coupon that the prorations'],
  },
  {
    name: 'usage of a deleted price counts',
    file: 'src/domain/mrr/bills/read-invoices.ts',
    text: "|| usage.has(line.priceId ?? '')",
    replacement: '',
    caughtBy: [ruleBook, 'a deleted price that is only billed'],
  },
  {
    name: 'a last period that is cut short counts back from its end',
    file: 'src/domain/mrr/terms/charge-amount.ts',
    text: 'if (full > until) return',
    replacement: 'if (full < until) return',
    caughtBy: [ruleBook, 'a last period that a cancellation'],
  },
  {
    name: 'an end at once is planned a second before',
    file: 'src/domain/mrr/events/planned-cancellation.ts',
    text: 'at < endedAt - sameRequestSeconds',
    replacement: 'at < endedAt',
    caughtBy: [ruleBook, 'an end at once that takes effect'],
  },
  {
    name: 'the last day of a month counts as the same day of the month before',
    file: 'src/domain/mrr/exact/interval.ts',
    text: 'return anchored(end) === end ? anchored(start) : start',
    replacement: 'return start',
    caughtBy: [ruleBook, 'a second change in a February that'],
  },
  {
    name: 'a trial that ends early counts before it is paid',
    file: 'src/domain/mrr/bills/line-owner.ts',
    text: 'if (isProration || !isSubscriptionItem) return isProration',
    replacement: 'if (isProration || items.length >= 0) return isProration',
    caughtBy: [ruleBook, 'a trial that ends early once it'],
  },
  {
    name: 'a coupon for other products is carried to a new one',
    file: 'src/domain/mrr/terms/discounts/charge-discount.ts',
    text: 'return !coupon || appliesTo(coupon, productId)',
    replacement: 'return coupon !== undefined || productId !== undefined',
    caughtBy: [ruleBook, 'a coupon for the old product alone'],
  },
  {
    name: 'an amount off counts twice beside an item that no invoice shows',
    file: 'src/domain/mrr/timeline/timeline.ts',
    text: 'if (heldBefore && outcome.datedBy && !outcome.isEnd) {',
    replacement: 'if (heldBefore && outcome.datedBy && outcome.isEnd) {',
    caughtBy: [ruleBook, 'an item added beside an amount off'],
  },
  {
    name: 'a credit says nothing where the item is billed again',
    file: 'src/domain/mrr/timeline/timeline.ts',
    text: 'if (next && !showsGap(next, at, prior, isForTrial)) return prior',
    replacement: 'if (next) return prior',
    caughtBy: [ruleBook, 'the same once it was renewed'],
  },
  {
    name: 'parts without a length take the coupon of a renewal away',
    file: 'src/domain/mrr/bills/why-ignored.ts',
    text: 'const isRenewed = all.some(',
    replacement: 'const isRenewed = [].some(',
    caughtBy: [ruleBook, 'parts without a length at a renewal'],
  },
  {
    name: 'a payer who leaves in a free stretch is never a Churn',
    file: 'src/domain/mrr/events/mrr-change.ts',
    text: "const isLeft = !isRestored && later.at(-1)?.cause === 'end'",
    replacement: 'const isLeft = false',
    caughtBy: [ruleBook, 'a free stretch of a payer who then'],
  },
  {
    name: 'a chart of steps that adds up currencies',
    file: 'src/server/store/ledger/mrr-history.ts',
    text: 'partition by currency order by day',
    replacement: 'order by day',
    caughtBy: customers,
  },
  {
    name: 'a chart of steps that ends before the present',
    file: 'src/server/api/figures/mrr-history.ts',
    text: 'last.day < today',
    replacement: 'last.day > today',
    caughtBy: customers,
  },
  {
    name: 'a trial that ended in a pause counts from its end',
    file: 'src/domain/mrr/bills/first-bill.ts',
    text: 'anchorAt > until + renewalDriftSeconds ? anchorAt : until',
    replacement: 'anchorAt > until + renewalDriftSeconds ? until : until',
    caughtBy: [ruleBook, 'a trial that ended in a pause is free'],
  },
  {
    name: 'one subscription that ended moves to all that start',
    file: 'src/domain/mrr/events/new-or-returning.ts',
    text: 'if (end) moved.add(end)',
    replacement: 'if (end) moved.delete(end)',
    caughtBy: [ruleBook, 'one that ends moves to one that starts'],
  },
  {
    name: 'a coupon in place of a billed one counts beside it',
    file: 'src/domain/mrr/terms/discounts/discounts-added.ts',
    text: 'if (addedIds.size === 0 || !isReplaced) return bothOf',
    replacement: 'if (addedIds.size === 0 || !isReplaced || gross) return bothOf',
    caughtBy: [ruleBook, 'a larger coupon in place of a billed'],
  },
  {
    name: 'a coupon for certain products asks for what its item sells now',
    file: 'src/domain/mrr/terms/discounts/discounts-in-force.ts',
    text: 'inForceOn({ item, productId, at }, ',
    replacement: 'inForceOn({ item, productId: item?.price.productId ?? null, at }, ',
    caughtBy: [ruleBook, 'a coupon of certain products is inside'],
  },
  {
    name: 'a renewal keeps the share of an amount off that an item in between left',
    file: 'src/domain/mrr/timeline/timeline.ts',
    text: 'prior !== undefined && !prior.isSpread',
    replacement: 'prior !== undefined',
    caughtBy: [ruleBook, 'a renewal like the bill before takes'],
  },
]
