import type { Bug } from './bug.ts'

const law = 'src/server/store/lists/filtered-lists.test.ts'
const customerSums = 'src/server/store/lists/customer-sums.test.ts'
const sumsOfCustomers = 'src/server/store/lists/customers/sum-customers.test.ts'
const covering = 'db/migrations/0023_covering_indexes.sql'
const passed = [
  'src/server/store/lists/passed-rows.test.ts',
  'a page in the middle passes subscriptions without reading them',
] as const

/** Sums of lists that are wrong, or read more than they need. */
export const sumBugs: readonly Bug[] = [
  {
    name: 'sums with the events that their filter leaves out',
    file: 'src/server/store/lists/list-sums.ts',
    text: 'select currency, mrr_status, -count, -reporting',
    replacement: 'select currency, mrr_status, 0 * count, -reporting',
    caughtBy: [law, 'are the same before and after the movements are counted'],
  },
  {
    name: 'sums of a currency that count every currency',
    file: 'src/server/store/totals/event-sums.ts',
    text: 'currency: sql`currency`',
    replacement: "currency: sql`'usd'::text`",
    caughtBy: [law, 'are the same before and after the movements are counted'],
  },
  {
    name: 'sums of segments without the days beside whole months',
    file: 'src/server/store/lists/list-sums.ts',
    text: 'for (const days of known.beside)',
    replacement: 'for (const days of known.beside.slice(1))',
    caughtBy: [law, 'are the same before and after the movements are counted'],
  },
  {
    name: 'sums of segments with the months before the days that are asked for',
    file: 'src/server/store/lists/list-sums.ts',
    text: "const where = [...within('month', months), ...cohorts, ...conditions]",
    replacement: 'const where = [...cohorts, ...conditions]',
    caughtBy: [law, 'are the same before and after the movements are counted'],
  },
  {
    name: 'sums of a cohort that are those of all customers who paid',
    file: 'src/server/store/lists/list-sums.ts',
    text: "const where = [...within('month', months), ...cohorts, ...conditions]",
    replacement: "const where = [...within('month', months), ...conditions]",
    caughtBy: [law, 'are the same before and after the movements are counted'],
  },
  {
    name: 'sums of segments with the events of no subscription',
    file: 'src/server/store/totals/event-sums.ts',
    text: "[sql`value <> ''`, ...ofStatuses, ...where]",
    replacement: '[...ofStatuses, ...where]',
    caughtBy: [law, 'are the same before and after the movements are counted'],
  },
  {
    name: 'sums of customers that have a company, with the events of no customer',
    file: 'src/server/store/lists/list-sums.ts',
    text: 'if (areMeant !== meansCustomerless(meant)) return [ofCustomers]',
    replacement: 'if (areMeant || !meansCustomerless(meant)) return [ofCustomers]',
    caughtBy: [customerSums, 'the sums of customers are those of a plain reading'],
  },
  {
    name: 'sums of customers that count those twice whom the filter leaves out',
    file: 'src/server/store/lists/list-sums.ts',
    text: 'sql`(${customersOfFilter(meant)}) is not true`',
    replacement: 'customersOfFilter(meant)',
    caughtBy: [customerSums, 'the sums of customers are those of a plain reading'],
  },
  {
    name: 'sums of customers that read the rows of their events',
    file: 'db/migrations/0026_segments.sql',
    text: 'include (subscription_id, mrr_status',
    replacement: 'include (mrr_status',
    caughtBy: [customerSums, 'read no row of an event'],
  },
  {
    name: 'a sum of found customers that is the sum of all',
    file: 'src/server/store/lists/customers/sum-customers.ts',
    text: "query.search === '' && isKeptPart(query)",
    replacement: 'isKeptPart(query)',
    caughtBy: [sumsOfCustomers, 'the sums of filtered customers are those of a plain reading'],
  },
  {
    name: 'a sum of all customers that reads every customer',
    file: 'src/server/store/lists/customers/sum-customers.ts',
    text: "query.search === '' && isKeptPart(query)",
    replacement: "query.search === '' && !isKeptPart({}) && isKeptPart(query)",
    caughtBy: [sumsOfCustomers, 'read no customer'],
  },
  {
    name: 'who pays on a day, found by the rows of all events',
    file: 'db/migrations/0025_paying_customers.sql',
    text: ' include (current_mrr_cents)',
    replacement: '',
    caughtBy: [sumsOfCustomers, 'is found without reading a row of an event'],
  },
  {
    name: 'a sum of customers as it was booked, where every other total is revalued',
    file: 'src/server/api/lists/list-sums.ts',
    text: 'worthOf === null ? reportingCents : sumOf(valued.map(({ cents }) => cents))',
    replacement: 'reportingCents',
    caughtBy: ['src/server/api/figures/revalued.test.ts', 'every total is the same amount'],
  },
  {
    name: 'pages in the middle by company that read the subscriptions before them',
    file: covering,
    text: ' include (quantity)',
    replacement: '',
    caughtBy: passed,
  },
  {
    name: 'pages in the middle by MRR that read the subscriptions before them',
    file: covering,
    text: ' include (customer_id)',
    replacement: '',
    caughtBy: passed,
  },
  {
    name: 'sums of what is in HubSpot that count what is not',
    file: 'src/server/store/lists/list-sums.ts',
    text: 'less(read)]',
    replacement: 'read]',
    caughtBy: [law, 'are the same before and after the movements are counted'],
  },
  {
    name: 'changed events that are summed as before where they have no record',
    file: 'db/migrations/0024_unsent_sums.sql',
    text: '         reporting_change_cents = added.reporting_change_cents\n',
    replacement: '         reporting_change_cents = u.reporting_change_cents\n',
    caughtBy: ['src/server/store/crm/unsent.test.ts', 'is what a comparison of all finds'],
  },
  {
    name: 'an upgrade that sums what has no record as nothing',
    file: 'db/migrations/0027_changed_records.sql',
    text: 'perform settle_all_unsent(one.id) where exists',
    replacement: 'perform settle_all_unsent(one.id) where not exists',
    caughtBy: ['test/upgrade/upgrade.test.ts', 'keeps what has no record in the portal that it pushed to'],
  },
]
