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

/** A writer that adds no difference to the totals of lists, or a wrong one. */
export const totalsBugs: readonly Bug[] = [
  {
    name: 'events that vanish and stay in the totals',
    file: 'src/server/store/ledger/events.ts',
    text: `await counted(tenant, 'events', vanished).execute(tenant.sql)`,
    replacement: 'await vanished.execute(tenant.sql)',
    caughtBy: writers,
  },
  {
    name: 'written events that no total counts',
    file: 'src/server/store/ledger/events.ts',
    text: `await sql\`\${prepared} \${counted(tenant, 'events', changed)}\`.execute(tenant.sql)`,
    replacement: 'await sql`${prepared} ${changed}`.execute(tenant.sql)',
    caughtBy: writers,
  },
  {
    name: 'figures that no total counts',
    file: 'src/server/store/ledger/subscription-figures.ts',
    text: `await sql\`\${prepared} \${counted(tenant, 'subscriptions', changed)}\`.execute(tenant.sql)`,
    replacement: 'await sql`${prepared} ${changed}`.execute(tenant.sql)',
    caughtBy: writers,
  },
  {
    name: 'subscriptions that are read in another status, and totals keep the old one',
    file: 'src/server/store/payments/subscriptions.ts',
    text: `const saving = counted(tenant, 'subscriptions', written, ['id', 'customer_id'])`,
    replacement: 'const saving = sql`${written} returning id, customer_id`',
    caughtBy: writers,
  },
  {
    name: 'ended subscriptions that totals count in their old status',
    file: 'src/server/store/payments/subscriptions.ts',
    text: `counted<{ customer_id: string }>(tenant, 'subscriptions', written, [
    'customer_id',
  ])`,
    replacement: 'sql<{ customer_id: string }>`${written} returning customer_id`',
    caughtBy: writers,
  },
  {
    name: 'companies that are gone, and totals still count their customers as linked',
    file: 'src/server/store/crm/crm-index-changes.ts',
    text: `counted<{ customer_id: string }>(tenant, 'matches', released, [
    'customer_id',
  ])`,
    replacement: 'sql<{ customer_id: string }>`${released} returning customer_id`',
    caughtBy: writers,
  },
  {
    name: 'subscriptions without a customer that totals still count with their MRR',
    file: 'src/server/store/payments/subscriptions.ts',
    text: `await counted(tenant, 'subscriptions', marked).execute(tenant.sql)`,
    replacement: 'await marked.execute(tenant.sql)',
    caughtBy: writers,
  },
  {
    name: 'settled customers whose MRR no total of attached MRR counts',
    file: 'src/server/store/payments/customers.ts',
    text: `await sql\`\${prepared} \${counted(tenant, 'attached', settled)}\`.execute(tenant.sql)`,
    replacement: 'await sql`${prepared} ${settled}`.execute(tenant.sql)',
    caughtBy: writers,
  },
  {
    name: 'matches of a run that no total counts',
    file: 'src/server/store/matches/matches.ts',
    text: `await counted(tenant, 'matches', changed).execute(tenant.sql)`,
    replacement: 'await changed.execute(tenant.sql)',
    caughtBy: writers,
  },
  {
    name: 'decisions on matches that no total counts',
    file: 'src/server/store/matches/match-decisions.ts',
    text: `const { rows } = await counted<{ count: number }>(tenant, 'matches', statement).execute(tenant.sql)`,
    replacement: `const { rows } = await sql<{ count: number }>\`
    with written as (\${statement} returning 1) select count(*) as count from written\`.execute(tenant.sql)`,
    caughtBy: writers,
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
    text: `select -1, removed.* from`,
    replacement: `select 0, removed.* from`,
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
    file: 'src/server/jobs/follow-clock.ts',
    text: 'await inOrganization(deps.database, organizationId, recountTotals)',
    replacement: '',
    caughtBy: ['src/server/jobs/follow-clock.test.ts', 'each night the lists are counted'],
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
    file: 'db/migrations/0005_list_totals.sql',
    text: 'is_attached::integer - was_attached::integer as one',
    replacement: 'is_attached::integer as one',
    caughtBy: writers,
  },
]
