import type { Bug } from './bug.ts'

const filters = 'src/server/store/lists/list-filters.ts'
const conditions = 'src/server/store/lists/filter-conditions.ts'
const ofCustomers = 'src/server/store/lists/filtered-customers.ts'
const law = 'src/server/store/lists/filtered-lists.test.ts'
const ofRecords = 'src/server/store/lists/of-record.test.ts'
const drillDown = [
  'src/web/screens/mrr-analytics/drill-down.test.tsx',
  'every figure is the sum of the events that it opens',
] as const
const views = 'src/server/api/lists/list-views.test.ts'
const atSize = 'src/server/store/lists/lists-at-size.test.ts'

/** Filters, exports and views of lists that show something else than they say. */
export const listBugs: readonly Bug[] = [
  {
    name: 'a filtered list whose last day is left out',
    file: conditions,
    text: `::timestamptz + interval '24 hours'`,
    replacement: '::timestamptz',
    caughtBy: [law, 'the filtered events are those of a plain reading'],
  },
  {
    name: 'rows without a product under every product',
    file: conditions,
    text: 'if (named.length === values.length) return [isNamed]',
    replacement: 'if (named.length > 0) return [isNamed]',
    caughtBy: [law, 'the filtered subscriptions are those of a plain reading'],
  },
  {
    name: 'customers of a cohort without those of its last month',
    file: ofCustomers,
    text: '.first_paid_month <= ${firstPaidTo}',
    replacement: '.first_paid_month < ${firstPaidTo}',
    caughtBy: [law, 'the filtered events are those of a plain reading'],
  },
  {
    name: 'an order of the address that is left out without a word',
    file: 'src/web/components/list-page/list-state.ts',
    text: 'return [...filters, ...others]',
    replacement: 'return filters.concat(others.slice(0, 0))',
    caughtBy: [
      'src/web/components/list-page/list-state.test.ts',
      'what cannot be is left out, and the reason is known',
    ],
  },
  {
    name: 'a last day that applies although it is before the first',
    file: 'src/web/components/list-page/filters/day-input.tsx',
    text: 'if (problem !== null || typed === sent) return',
    replacement: 'if (typed === sent) return',
    caughtBy: [
      'src/web/screens/subscriptions/subscriptions-screen.test.tsx',
      'a day applies once its year is typed, and one before the first day stays, with the reason',
    ],
  },
  {
    name: 'a cohort that opens the events of every customer',
    file: 'src/web/screens/mrr-analytics/cohorts/cohorts-table.tsx',
    text: '{ to: eventsAddress({ ...firstPaid, to: day }) }',
    replacement: '{ to: eventsAddress({ to: day }) }',
    caughtBy: drillDown,
  },
  {
    name: 'a planned end at the end of the period, where another day is stated',
    file: 'src/server/store/lists/subscription-list.ts',
    text: "coalesce(to_timestamp((s.body ->> 'cancelAt')::bigint), s.current_period_end)",
    replacement: 's.current_period_end',
    caughtBy: ['src/server/api/figures/attention.test.ts', 'counts planned ends'],
  },
  {
    name: 'ended subscriptions among planned cancellations',
    file: filters,
    text: `s.status not in ('canceled', 'incomplete_expired')`,
    replacement: `s.status <> 'incomplete_expired'`,
    caughtBy: [law, 'the filtered subscriptions are those of a plain reading'],
  },
  {
    name: 'records deleted in HubSpot that count as there',
    file: 'src/server/store/lists/of-record.ts',
    text: `r.record_id is not null and r.state <> 'removed'`,
    replacement: 'r.record_id is not null',
    caughtBy: [ofRecords, 'what has a record is told by what is'],
  },
  {
    name: 'rare events that are looked for by a walk along all',
    file: 'src/server/store/lists/event-list.ts',
    text: "withRecords(tenant, 'event', await withCustomers(tenant, await withSegment(tenant, filter)))",
    replacement: 'withCustomers(tenant, await withSegment(tenant, filter))',
    caughtBy: [ofRecords, 'rare events are found without a look-up'],
  },
  {
    name: 'rows without a record of the portal before',
    file: 'src/server/store/crm/push-due.ts',
    text: ' and portal_id = ${portalId}`.execute(',
    replacement: '`.execute(',
    caughtBy: [ofRecords, 'what has a record is told by what is'],
  },
  {
    name: 'a page that is cut where the first rows of its list end',
    file: 'src/server/store/lists/search-page.ts',
    text: 'if (ids.length === length) return',
    replacement: 'return',
    caughtBy: [ofRecords, 'many events that all stand at the far end'],
  },
  {
    name: 'a history of events whose last columns are off the screen',
    file: 'src/web/screens/subscription/event-history.tsx',
    text: '        wraps\n',
    replacement: '',
    caughtBy: ['e2e/screens/event-history.test.ts', 'shows all of an event at once'],
  },
  {
    name: 'late records where nothing is pushed by itself',
    file: 'src/server/api/freshness.ts',
    text: `return to === 'crm' ? new Date(`,
    replacement: `return to !== null ? new Date(`,
    caughtBy: ['src/server/api/figures/attention.test.ts', 'counts planned ends, refused records'],
  },
  {
    name: 'filters that lose the spaces around a name',
    file: 'src/contract/lists/list-filters.ts',
    text: `  // Names may begin or end with a space.
  storedText(4_000)
`,
    replacement: `  storedText(4_000)
    .transform((value) => value.trim())
`,
    caughtBy: drillDown,
  },
  {
    name: 'an export that repeats the last row of each part',
    file: 'src/server/store/lists/read-onwards.ts',
    text: `if (others.length === 0) return sql<boolean>\`\${key.by} \${beyond} \${given}\``,
    replacement: `if (others.length === 0) return sql<boolean>\`\${key.by} \${beyond}= \${given}\``,
    caughtBy: [law, 'the filtered events are those of a plain reading'],
  },
  {
    name: 'views that everybody of the organization sees',
    file: 'src/server/store/lists/list-views.ts',
    text: ' and user_id = ${userId}',
    replacement: '',
    caughtBy: [views, 'are seen by their owner alone'],
  },
  {
    name: 'an update of a view that changes those of colleagues',
    file: 'src/server/store/lists/list-views.ts',
    text: 'query = ${view.query} where ${viewsOf(tenant, owner)} and',
    replacement: 'query = ${view.query} where list = ${owner.list} and',
    caughtBy: [views, 'keep another query once it is updated'],
  },
  {
    name: 'two views of one name',
    file: 'src/server/api/lists/list-views.ts',
    text: 'if (await isViewNameTaken(tenant, owner, newName, name)) throw taken(newName)',
    replacement: '',
    caughtBy: [views, 'have names of their own'],
  },
  {
    name: 'a last page that reads every customer and every subscription',
    file: 'src/server/store/lists/subscription-order.ts',
    text: "customerName: { of: 'c', key: sql`folded(c.name)`, type: 'text', isEmpty: sql`c.name is null` }",
    replacement:
      "customerName: { of: 'c', key: sql`folded(c.name)`, type: 'text', isEmpty: sql`folded(c.name) is null` }",
    caughtBy: ['src/server/store/lists/last-pages.test.ts', 'are found without reading all'],
  },
  {
    name: 'subscriptions that name no customer on no page by company',
    file: 'src/server/store/lists/subscription-order.ts',
    text: "and s.customer_id = ''`",
    replacement: "and s.customer_id = ' '`",
    caughtBy: [atSize, 'are the same page by page'],
  },
  {
    name: 'a listed subscription whose customer is not stored',
    file: 'src/server/store/payments/subscriptions.ts',
    text: 'quantity = case when ${isListable} then known.quantity end',
    replacement: 'quantity = case when (${isListable}) is not null then known.quantity end',
    caughtBy: [
      'src/server/store/payments/subscriptions.test.ts',
      'leaves the lists with a customer that is not stored',
    ],
  },
  {
    name: 'an amount that is asked for, left out of its list',
    file: conditions,
    text: 'sql`${column} >= ${from}::bigint`',
    replacement: 'sql`${column} > ${from}::bigint`',
    caughtBy: [law, 'the sums of days, months and attributes are the same'],
  },
  {
    name: 'customers of an amount, counted like all',
    file: 'src/server/store/lists/customers/customer-list.ts',
    text: 'payingOn, mrrFrom, mrrTo].every(isAbsent)',
    replacement: 'payingOn].every(isAbsent)',
    caughtBy: [
      'src/server/store/lists/customers/sum-customers.test.ts',
      'the sums of filtered customers are those of a plain reading',
    ],
  },
  {
    name: 'customers on a product and customers that pay in a currency, though by different subscriptions',
    file: 'src/server/store/lists/customers/with-subscription.ts',
    text: '  product,\n  currency,\n',
    replacement: '  product,\n',
    caughtBy: ['src/server/api/customers/customers.test.ts', 'is filtered by what one subscription is'],
  },
  {
    name: 'customers of a frequent product, whose subscriptions are all read',
    file: 'db/migrations/0034_subscribers.sql',
    text: ' include (status, customer_id, quantity)',
    replacement: '',
    caughtBy: ['src/server/store/lists/customers/with-subscription.test.ts', 'reads few subscriptions'],
  },
  {
    name: 'a page that scrolls to an event in sight, away from the name of its subscription',
    file: 'src/web/components/list-page/rows/records-table.module.css',
    text: '10rem var(--mantine-spacing-md)',
    replacement: '10rem 50dvh',
    caughtBy: ['e2e/screens/event-history.test.ts', 'scrolls to the event only where it is outside'],
  },
  {
    name: 'heads of two lines where there is room for one',
    file: 'src/web/components/list-page/rows/records-table.module.css',
    text: '(min-width: 1200px) and (max-width: 1399px)',
    replacement: '(min-width: 1200px) and (max-width: 1599px)',
    caughtBy: ['e2e/screens/lists.test.ts', 'has the columns that it shows first on a usual desktop'],
  },
  {
    name: 'a comparison that the chart leaves out',
    file: 'src/web/screens/mrr-analytics/movements/movements-card.tsx',
    text: ' before={besideOf(answer)}',
    replacement: '',
    caughtBy: [
      'src/web/screens/mrr-analytics/mrr-analytics-screen.test.tsx',
      'the chart draws the net of the period before',
    ],
  },
  {
    name: 'a month that is compared with the bar of other days',
    file: 'src/web/components/charts/movements/align-before.ts',
    text: `  if (names.length !== namesBefore.length) return 'other bars'\n`,
    replacement: '',
    caughtBy: [
      'src/web/components/charts/movements/align-before.test.ts',
      'one month before the ends of two',
    ],
  },
  {
    name: 'bars that are compared with the period before another range',
    file: 'src/web/queries/movements.ts',
    text: 'asked, options)',
    replacement: 'asked, { ...options, placeholderData: keepPreviousData })',
    caughtBy: [
      'src/web/screens/mrr-analytics/mrr-analytics-screen.test.tsx',
      'bars of a new range are compared once the period before it is known',
    ],
  },
  {
    name: 'a decimal comma that makes an amount a hundred times as large',
    file: 'src/domain/currency.ts',
    text: '!decimal.test(number) || ',
    replacement: '',
    caughtBy: ['src/domain/currency.test.ts', 'which may mean something else'],
  },
]
