import type { Bug } from './bug.ts'

const totals = 'src/server/store/totals/list-totals.ts'
const atTheEnd = 'src/server/work/import/scenarios/totals-at-the-end.test.ts'
const writers = [
  'src/server/store/totals/list-totals.test.ts',
  'are what a count of the rows gives, after every step',
] as const
const beside = [
  'src/server/store/totals/list-totals.test.ts',
  'are what a count gives after writers that run at once',
] as const
const atOnce = 'src/server/store/totals/writers-beside.test.ts'

const movements = 'src/server/store/totals/movement-totals.ts'
const segments = 'src/server/store/totals/segments.ts'
const movementWriters = [
  'src/server/store/totals/movement-totals.test.ts',
  'are what a count of the events gives, after every step',
] as const
const figures = 'src/server/api/figures/movements.test.ts'

const searchSums = 'src/server/store/lists/search-sums.test.ts'

/** Sums of a search that leave out what it finds, or take in what it does not. */
const searchBugs: readonly Bug[] = [
  {
    name: 'what most customers contain, together with what the others do not',
    file: 'src/server/store/lists/list-sums.ts',
    text: 'less(leftOut)]',
    replacement: 'leftOut]',
    caughtBy: [searchSums, 'the sums of a search are those of a plain reading'],
  },
  {
    name: 'events without a customer that contain every text',
    file: 'src/server/store/lists/event-search.ts',
    text: ', without(sql`e.customer_id is null`)]',
    replacement: ']',
    caughtBy: [searchSums, 'the sums of a search are those of a plain reading'],
  },
  {
    name: 'a search that forgets the ids where few customers meet it',
    file: 'src/server/store/lists/list-sums.ts',
    text: 'found.productNames.length === 0 && !(await isOfIds(tenant, found))',
    replacement: 'true',
    caughtBy: [searchSums, 'the sums of a search are those of a plain reading'],
  },
  {
    name: 'what most customers contain, read event by event',
    file: 'src/server/store/lists/list-sums.ts',
    text: '(await sumsBySearch(tenant, query)) ?? ',
    replacement: '',
    caughtBy: [searchSums, 'what most customers contain is summed without reading'],
  },
  {
    name: 'what many customers contain, with a look for ids that no event has',
    file: 'src/server/store/lists/event-search.ts',
    text: '...(hasIds ? [isOfId(found)] : [])',
    replacement: 'isOfId(found)',
    caughtBy: [searchSums, 'is summed from indexes alone'],
  },
  {
    name: 'events of no customer or product whose id is searched',
    file: 'src/server/store/lists/event-search.ts',
    text: '...(hasIds ? [isOfId(found)] : [])',
    replacement: '',
    caughtBy: [searchSums, 'the sums of a search are those of a plain reading'],
  },
]

/** A writer that adds no difference to the totals of movements, or a wrong one. */
const movementBugs: readonly Bug[] = [
  {
    name: 'movements that add what is there now and keep what was there before',
    file: movements,
    text: 'select -1, ${keys}, ${figures}',
    replacement: 'select 0, ${keys}, ${figures}',
    caughtBy: movementWriters,
  },
  {
    name: 'a planned cancellation among the movements',
    file: movements,
    text: `and e.mrr_status <> 'Planned_Cancellation' \${ofThese}`,
    replacement: '${ofThese}',
    caughtBy: movementWriters,
  },
  {
    name: 'events without a rate that count as if they had one',
    file: movements,
    text: `sql.raw('e.reporting_change_cents')`,
    replacement: `sql.raw('coalesce(e.reporting_change_cents, e.mrr_change_cents)')`,
    caughtBy: movementWriters,
  },
  {
    name: 'movements that are added before they were first counted',
    file: movements,
    text: 'if (await isCounted(sql``)) return true',
    replacement: 'if (await isCounted(sql``)) return true\n  if (tenant.organizationId > 0) return true',
    caughtBy: [
      'src/server/store/totals/movement-totals.test.ts',
      'are not kept before they are first counted',
    ],
  },
  {
    name: 'a size that is the last MRR instead of the highest',
    file: segments,
    text: 'case when bool_and(is_converted) then max(level) end as cents',
    replacement: 'case when bool_and(is_converted) then min(level) end as cents',
    caughtBy: ['src/server/store/totals/movement-totals.test.ts', 'are split by the plan in words'],
  },
  {
    name: 'segments that lose the days before a range within a month',
    file: 'src/server/store/totals/read-movements.ts',
    text: "partsOf(tenant, kind, '', { from: null",
    replacement: "partsOf(tenant, kind, 'within', { from: null",
    caughtBy: [figures, 'add up to the movements of the same days'],
  },
  {
    name: 'sums of segments that an earlier version did not keep',
    file: 'db/migrations/0026_segments.sql',
    text: 'e.organization_id = one.id and',
    replacement: 'false and',
    caughtBy: ['test/upgrade/upgrade.test.ts', 'counts the movements of segments'],
  },
  {
    name: 'a period that starts with its own movements',
    file: 'src/domain/movement.ts',
    text: '    start = bridge.end\n',
    replacement: '',
    caughtBy: ['src/domain/movement.test.ts', 'start + moves = end in every period'],
  },
  {
    name: 'GRR that counts expansion',
    file: 'src/domain/retention.ts',
    text: 'shareOfStart(start + contraction)',
    replacement: 'shareOfStart(end)',
    caughtBy: ['src/domain/retention.test.ts', 'NRR is the MRR that is left of the start'],
  },
  {
    name: 'cohorts that forget the customers before the first one shown',
    file: 'src/domain/retention.ts',
    text: "return ['', ...months]",
    replacement: 'return months',
    caughtBy: ['src/domain/retention.test.ts', 'the cohorts of each month add up'],
  },
  {
    name: 'a range that ends before it starts, taken as it is',
    file: 'src/domain/date-range.ts',
    text: 'if (from && to && from > to) return failed(',
    replacement: 'if (from && to && from > to && to > from) return failed(',
    caughtBy: ['src/domain/date-range.test.ts', 'says why'],
  },
]

/** A writer that adds no difference to the totals of lists, or a wrong one. */
export const totalsBugs: readonly Bug[] = [
  ...movementBugs,
  ...searchBugs,
  {
    name: 'events that vanish and stay in the totals',
    file: 'src/server/store/ledger/events.ts',
    text: "await writeCounted<{ id: string; subscription_id: string }>(tenant, 'events', write)",
    replacement:
      '(await sql<{ id: string; subscription_id: string }>`${statement} returning id, subscription_id`.execute(tenant.sql)).rows',
    caughtBy: writers,
  },
  {
    name: 'written events that no total counts',
    file: 'src/server/store/ledger/events.ts',
    text: "await writeCounted<WrittenEvent>(tenant, 'events', write)",
    replacement:
      '(await sql<WrittenEvent>`${changed} returning id, subscription_id, updated_at, true as "isNew"`.execute(tenant.sql)).rows',
    caughtBy: writers,
  },
  {
    name: 'figures that no total counts',
    file: 'src/server/store/ledger/subscription-figures.ts',
    text: `writeCounted(tenant, 'subscriptions', { which, statement: changed, isFrequent: true })`,
    replacement: 'sql`${which.constructor === Object ? sql`` : changed}`.execute(tenant.sql)',
    caughtBy: writers,
  },
  {
    name: 'settled customers that no total counts',
    file: 'src/server/store/payments/customers.ts',
    text: `writeCounted(tenant, 'customers', { which, statement: settled, isFrequent: true })`,
    replacement: 'sql`${which.constructor === Object ? sql`` : settled}`.execute(tenant.sql)',
    caughtBy: writers,
  },
  {
    name: 'subscriptions without a customer that totals still count with their MRR',
    file: 'src/server/store/payments/subscriptions.ts',
    text: `writeCounted(tenant, 'subscriptions', { which, statement })`,
    replacement: 'statement.execute(tenant.sql)',
    caughtBy: writers,
  },
  {
    name: 'a deletion that adds to the totals',
    file: totals,
    text: `? each(-1, 'written')`,
    replacement: `? each(1, 'written')`,
    caughtBy: writers,
  },
  {
    name: 'a row that two writers insert at once, counted twice',
    file: totals,
    text: '  if ((await lock()) < inserts) {\n',
    replacement: '  if ((await lock()) < inserts * 0) {\n',
    caughtBy: [atOnce, 'a row that two writers insert at once'],
  },
  {
    name: 'a row that somebody changes between the look before and the write',
    file: totals,
    text: ' order by ${keys} for update of known',
    replacement: ' order by ${keys}',
    caughtBy: [atOnce, 'a row that two writers change at once'],
  },
  {
    name: 'events of a customer that two writers write at once',
    file: 'src/server/store/ledger/events.ts',
    text: '     order by id for update`',
    replacement: '     order by id`',
    caughtBy: [atOnce, 'an event that two writers of its customer insert'],
  },
  {
    name: 'an account that leaves its totals behind',
    file: 'src/server/store/payments/payment-account.ts',
    text: '  await recountTotals(tenant)\n',
    replacement: '',
    caughtBy: ['src/server/store/totals/list-totals.test.ts', 'of what an account had go with it'],
  },
  {
    name: 'totals that count the row after a change and not the row before it',
    file: totals,
    text: `each(-1, 'replaced')`,
    replacement: `each(0, 'replaced')`,
    caughtBy: writers,
  },
  {
    name: 'subscriptions without figures in the totals',
    file: totals,
    text: `where \${of('quantity')} is not null`,
    replacement: `where \${of('status')} is not null`,
    caughtBy: writers,
  },
  {
    name: 'a first import that never counts its totals',
    file: 'src/server/work/import/close.ts',
    text: "mode === 'first' ? 'recount' : totalsAfter(context.claim)",
    replacement: "mode === 'first' ? 'add_up' : totalsAfter(context.claim)",
    caughtBy: [atTheEnd, 'a first import counts the lists at its end'],
  },
  {
    name: 'a run that was taken over and does not count its totals',
    file: 'src/server/work/runs/run-context.ts',
    text: "return attempt > 1 ? 'recount' : 'add_up'",
    replacement: "return 'add_up'",
    caughtBy: [atTheEnd, 'a later import counts them only if it was taken over'],
  },
  {
    name: 'a night that counts no totals',
    file: 'src/server/jobs/schedules.ts',
    text: 'await inOrganization(deps.database, organizationId, recountTotals)',
    replacement: '',
    caughtBy: ['src/server/jobs/schedules.test.ts', 'each night the lists are counted'],
  },
  {
    name: 'totals that two processes replace at once',
    file: totals,
    text: `await sql\`select pg_advisory_xact_lock(\${totalsLock}::integer, \${organizationId}::integer)\`.execute(
    transaction,
  )`,
    replacement: `await sql\`select \${totalsLock}::integer, \${organizationId}::integer\`.execute(transaction)`,
    caughtBy: beside,
  },
  {
    name: 'a total that takes MRR from no company when another portal is connected',
    file: 'db/migrations/0007_customers.sql',
    text: `'unmatched' end, -1),`,
    replacement: `'unmatched' end, 0),`,
    caughtBy: writers,
  },
]
