import type { Bug } from './bug.ts'

const sums = [
  'src/server/api/figures/attention.test.ts',
  'counts what its lists show, with their MRR in dollars',
] as const

const health = 'src/server/api/figures/sync-health.test.ts'

/** A figure of the dashboard or of Sync Health that is not that of the list or of the events behind it. */
export const dashboardBugs: readonly Bug[] = [
  {
    name: 'customers of a company in the MRR that waits for a match',
    file: 'src/server/store/lists/attention.ts',
    text: `and m.state = 'pending'`,
    replacement: `and m.state <> 'ignored'`,
    caughtBy: sums,
  },
  {
    name: 'subscriptions past due of one currency alone',
    file: 'src/server/api/figures/attention.ts',
    text: 'count: rows.reduce((sum, { count }) => sum + count, 0)',
    replacement: 'count: rows[0]?.count ?? 0',
    caughtBy: sums,
  },
  {
    name: 'rows that need attention counted without an end',
    file: 'src/server/store/lists/attention.ts',
    text: ' limit ${collectedMax}) as counted\n     group by',
    replacement: ') as counted\n     group by',
    caughtBy: ['src/server/api/figures/attention.test.ts', 'counts no more than 1,000 rows'],
  },
  {
    name: 'a provider that was used and is gone without a word',
    file: 'src/server/api/figures/attention.ts',
    text: 'disconnected: await findDisconnected(tenant, standing)',
    replacement: 'disconnected: []',
    caughtBy: [
      'src/server/api/figures/attention.test.ts',
      'names a provider that was used and is not connected',
    ],
  },
  {
    name: 'a sync that is offered although HubSpot cannot take records',
    file: 'src/web/screens/data-sync/manual-sync-card.tsx',
    text: 'isOff={!canPush || hasNothing || sync.isBusy}',
    replacement: 'isOff={!hasHubspot || !hasStripe || hasNothing || sync.isBusy}',
    caughtBy: [
      'src/web/screens/what-is-so.test.tsx',
      'to a portal without custom objects is not passed off as ready',
    ],
  },
  {
    name: 'figures without Stripe said to be of today',
    file: 'src/web/components/figures/as-of.tsx',
    text: '!isStripeMissing || hasFigures === false',
    replacement: '!isStripeMissing || hasFigures !== undefined',
    caughtBy: [
      'src/web/components/figures/as-of.test.tsx',
      'the current MRR is as of today, and as of the last import from when Stripe is disconnected',
    ],
  },
  {
    name: 'a failed run that is told after a later one has succeeded',
    file: 'src/server/api/figures/attention.ts',
    text: 'last?.problem\n',
    replacement: 'last\n',
    caughtBy: [
      'src/server/api/figures/attention.test.ts',
      'names a connection that is dead, and before that the newest run of a kind if it failed',
    ],
  },
  {
    name: 'subscriptions in sync whose changes are late',
    file: 'src/contract/lists/sync-health.ts',
    text: `inSync: { isInHubspot: 'true', isFailing: 'false', isStale: 'false', isBehind`,
    replacement: `inSync: { isInHubspot: 'true', isFailing: 'false', isBehind`,
    caughtBy: [health, 'shares out all subscriptions'],
  },
  {
    name: 'subscriptions in sync that changed since their record was written',
    file: 'src/contract/lists/sync-health.ts',
    text: `isStale: 'false', isBehind: 'false' }`,
    replacement: `isStale: 'false' }`,
    caughtBy: [health, 'shares out all subscriptions'],
  },
  {
    name: 'the reasons of a portal that is no longer connected',
    file: 'src/server/store/crm/refusals.ts',
    text: ' and portal_id = ${portal} and kind = ${kind}\n         and state',
    replacement: ' and kind = ${kind}\n         and state',
    caughtBy: [health, 'names the largest refused subscriptions'],
  },
  {
    name: 'records refused for themselves that every sync is said to try again',
    file: 'src/server/store/crm/refusal-reasons.ts',
    text: 'refused_hash is null as is_due',
    replacement: 'true as is_due',
    caughtBy: [health, 'sorts what is refused by its reason'],
  },
  {
    name: 'a reason that the failed sync above it says already',
    file: 'src/web/screens/sync-history/failing-section.tsx',
    text: 'isTold={one.reason !== null && failed.message.includes(one.reason)}',
    replacement: 'isTold={one.reason !== null && failed.message === one.reason}',
    caughtBy: [
      'src/web/screens/sync-history/sync-health-screen.test.tsx',
      'a reason that HubSpot gave of many records is told once',
    ],
  },
  {
    name: 'a second button for the failed records beside that of the failed sync',
    file: 'src/web/screens/sync-history/failing-section.tsx',
    text: 'if (!hasButton) return',
    replacement: 'if (hasButton || !hasButton) return',
    caughtBy: [
      'src/web/screens/sync-history/sync-health-screen.test.tsx',
      'what stops every sync comes before all that is failing',
    ],
  },
  {
    name: 'Sync Health that shows first what changed last',
    file: 'src/contract/lists/sync-health.ts',
    text: `sort: 'currentMrr'`,
    replacement: `sort: 'updatedAt'`,
    caughtBy: [health, 'names the largest refused subscriptions'],
  },
  {
    name: 'retention of a month on its last day, before it is over',
    file: 'src/server/api/figures/retention.ts',
    text: 'day === lastDayOf(month) && day < today',
    replacement: 'day === lastDayOf(month)',
    caughtBy: ['src/server/api/figures/generated-movements.test.ts', 'knows whole months alone'],
  },
  {
    name: 'losses of a year that retention forgets',
    file: 'src/server/store/totals/movement-totals.ts',
    text: '(values (0, 1), (months, -1))',
    replacement: '(values (0, 1), (least(months, 3), -1))',
    caughtBy: [
      'src/server/api/figures/generated-movements.test.ts',
      'NRR exceeds GRR by the share of expansion',
    ],
  },
  {
    name: 'customers who pay less, whatever they paid before the days',
    file: 'src/server/store/lists/filtered-customers.ts',
    text: 'const days = within(sql`m.occurred_at`, filter)',
    replacement: 'const days = within(sql`m.occurred_at`, { to: filter.to })',
    caughtBy: [
      'src/server/api/figures/generated-movements.test.ts',
      'the list that an amount of retention opens comes to it',
    ],
  },
  {
    name: 'a free month that no change of the paying subscriptions tells',
    file: 'src/server/store/totals/movement-totals.ts',
    text: 'coalesce(sum(paying_change) filter (where reporting_cents is not null), 0)',
    replacement: "coalesce(sum(paying_change) filter (where movement not in ('Upgrade', 'Downgrade')), 0)",
    caughtBy: [
      'src/server/store/totals/movement-totals.test.ts',
      'are what a count of the events gives, after every step of any writers',
    ],
  },
]
