/** Names each rule of MRR and states it in a sentence, by the number that receipts and docs/mrr.md use. */
export const ruleTexts: Readonly<Record<string, { name: string; text: string }>> = {
  R1: {
    name: 'Divided by its months',
    text: 'What is billed for a year or several months is divided by the months that the price is for, never by days.',
  },
  R2: {
    name: 'Weeks and days',
    text: 'A week counts as 12/52 of a month and a day as 12/365 of one.',
  },
  R3: {
    name: 'One history each',
    text: 'Each subscription has a history of its own, all its items summed.',
  },
  R4: {
    name: 'Line discounts',
    text: 'Every discount that the invoice line carries lowers MRR for as long as it is there.',
  },
  R5: {
    name: 'Invoice discount shared out',
    text: 'A discount of the whole invoice is spread over the lines that it is for; no line falls below zero.',
  },
  R6: {
    name: 'Discount starts or ends',
    text: 'A discount that starts or ends is a change of price, dated at the first period in which it shows, or when it was first seen where no invoice has it yet.',
  },
  R7: {
    name: 'Discounts as invoiced',
    text: 'Where an invoice exists, its own discounts count; before one does, they are worked out from the coupons.',
  },
  R8: {
    name: 'Recurring lines only',
    text: 'Only recurring lines of subscription items count; setup fees, credits and other one-off lines do not.',
  },
  R9: {
    name: 'Tax left out',
    text: 'Tax does not count; tax that is included in the price is taken off.',
  },
  R10: {
    name: 'Free is no revenue',
    text: 'A free plan is no revenue; the first amount above zero is New.',
  },
  R11: {
    name: 'Fall to zero',
    text: 'A lasting fall to zero is Churn; one that a temporary discount makes is a Downgrade and an Upgrade back.',
  },
  R12: {
    name: 'Proration ignored',
    text: 'A proration shows the new price and quantity, which count for a whole period; its own amount does not.',
  },
  R13: {
    name: 'Read from the line',
    text: 'Period, price and quantity are read from the line itself, in whichever form Stripe wrote it.',
  },
  R14: {
    name: 'Items added up',
    text: 'Each item counts by its own interval until its own period ends or it is given back; all items are summed.',
  },
  R15: {
    name: 'Each subscription counts',
    text: 'A further subscription of a customer is New, and its end is Churn.',
  },
  R16: {
    name: 'Trials and free time',
    text: 'A trial, or other time that is not charged, is worth nothing until the next paid period; what was paid before a trial goes on.',
  },
  R17: {
    name: 'Status decides',
    text: 'Active and past due count, also while only the collection of payments is paused; unpaid, paused, incomplete and canceled do not.',
  },
  R18: {
    name: 'Churn at the real end',
    text: 'Churn is dated at the real end of the subscription and is its full MRR then, whatever was refunded.',
  },
  R19: {
    name: 'Kind of change',
    text: 'A change is a plan, price or quantity change, in that order; another product or billing interval is another plan. Whether it is up or down follows the MRR.',
  },
  R20: {
    name: 'No change, no event',
    text: 'Renewals without a change are silent, and a missing invoice carries the last value on.',
  },
  R21: {
    name: 'Dated where it shows',
    text: 'A change is dated at the start of the period in which it first shows, never at the invoice; where no invoice shows it yet, when it was first seen.',
  },
  R22: {
    name: 'Customer returned',
    text: 'A customer who paid before, pays nothing now and pays again is a Reactivation, after any time.',
  },
  R23: {
    name: 'Usage left out',
    text: 'Metered usage does not count; the fixed price of the same subscription does.',
  },
  R24: {
    name: 'All tiers count',
    text: 'Tiered prices count with all their tiers and flat fees at the quantity that was bought.',
  },
  R25: {
    name: 'Packages counted',
    text: 'Where seats are sold in packages, the packages are counted and the seats are shown.',
  },
  R26: {
    name: 'Issued invoices count',
    text: 'Issued invoices count, paid or not; drafts and void ones never do.',
  },
  R27: {
    name: 'Month lengths ignored',
    text: 'Short months and leap years change nothing.',
  },
  R28: {
    name: 'Rounded once',
    text: 'Amounts stay exact until all items are summed, and are then rounded once to whole cents, half up.',
  },
  R29: {
    name: 'Refunds left out',
    text: 'Refunds, credit notes and account balances change nothing.',
  },
  R30: {
    name: 'Planned cancellation',
    text: 'A planned cancellation is noted when it is asked for; MRR changes when the subscription ends.',
  },
  R31: {
    name: 'One price change',
    text: 'Price and quantity that change together are one price change.',
  },
  R32: {
    name: 'Backdated start',
    text: 'A backdated subscription begins at its start date with the MRR of one period.',
  },
  R33: {
    name: 'Scheduled phase',
    text: 'A scheduled phase counts from the day on which it starts; periods that are billed ahead count one at a time.',
  },
  R34: {
    name: 'Currency kept',
    text: 'An amount keeps its currency. Totals are converted, where an exchange rate is known.',
  },
  R35: {
    name: 'Goes on as before',
    text: 'A first part of a period counts as a whole one; a new billing day, or the same MRR in a new subscription within a day, is no new sale.',
  },
  R36: {
    name: 'Customer as in Stripe',
    text: 'A customer is who Stripe says it is.',
  },
  R37: {
    name: 'Same second, one event',
    text: 'What goes up and down in the same second counts together.',
  },
  R38: {
    name: 'Sum of all changes',
    text: 'The current MRR is the sum of all changes, and a snapshot is the state at 00:00 UTC of the 1st.',
  },
}
