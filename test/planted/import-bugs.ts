import type { Bug } from './bug.ts'

const windows = 'src/server/store/runs/import-windows.test.ts'
const choice = 'src/server/work/import/next-windows.test.ts'

const following = 'src/server/jobs/webhook-to-crm.test.ts'
const afterRun = 'src/server/jobs/follow-run.test.ts'

/** Faults that let two readers of an import read or save the same, or rebuild a customer too early. */
export const importBugs: readonly Bug[] = [
  {
    name: 'a look that goes through every phase although nothing changed',
    file: 'src/server/work/import/plan.ts',
    text: 'if (planned.isUnchanged && options.isHint',
    replacement: 'if (!planned.isUnchanged && options.isHint',
    caughtBy: ['src/server/work/import/unchanged-look.test.ts', 'takes few statements when nothing changed'],
  },
  {
    name: 'a window that a second reader takes from the first',
    file: 'src/server/store/runs/import-windows.ts',
    text: 'and not is_done and ${isFree(lease.holder)}',
    replacement: 'and not is_done',
    caughtBy: [windows, 'gives free windows'],
  },
  {
    name: 'a page of a reader who has lost its window',
    file: 'src/server/store/runs/import-windows.ts',
    text: 'and known.id = given.id and known.holder = ${lease.holder}',
    replacement: 'and known.id = given.id',
    caughtBy: [windows, 'takes nothing from who has lost it'],
  },
  {
    name: 'a history that is taken for read up to the second at its cursor',
    file: 'src/server/work/import/next-windows.ts',
    text: 'cursorAt + 1',
    replacement: 'cursorAt',
    caughtBy: [choice, 'is after the second at the cursor'],
  },
  {
    name: 'an import that no push follows before the hour',
    file: 'src/server/jobs/follow-run.ts',
    text: 'ended.processed_records > 0 && pushAfterImport(deps, organizationId)',
    replacement: 'false',
    caughtBy: [following, 'goes through import and push'],
  },
  {
    name: 'an announced change that names nothing, imported again and again',
    file: 'src/server/work/import/changes-since.ts',
    text: '[...listed.marks, ...announced]',
    replacement: 'listed.marks',
    caughtBy: ['src/server/jobs/fair-queue.test.ts', 'puts one job into the queue'],
  },
  {
    name: 'a delivery of an old event that goes with the run beside which it came',
    file: 'src/server/store/payments/payment-changes.ts',
    text: '(settled_at is not null or received_at is null)',
    replacement: 'true',
    caughtBy: ['src/server/work/import/scenarios/dated-events.test.ts', 'keeps a delivery dated long ago'],
  },
  {
    name: 'a change whose object cannot be read yet, and is never asked for again',
    file: 'src/server/store/payments/payment-changes.ts',
    text: 'happened_at >= ${since} and happened_at between',
    replacement: 'false and happened_at between',
    caughtBy: ['src/server/work/import/scenarios/late-objects.test.ts', 'arrives with the next look'],
  },
  {
    name: 'a page that is taken for a repeated one because its cursor went',
    file: 'src/server/work/import/import-window.ts',
    text: 'if (page.isRepeating) seen.clear()',
    replacement: '',
    caughtBy: [
      'src/server/work/import/scenarios/gaps.test.ts',
      'reads on where the object at the cursor goes',
    ],
  },
  {
    name: 'all requests slowed down for an object that is locked',
    file: 'src/server/providers/stripe/call-stripe.ts',
    text: 'if (limited && !limited.isLock) await',
    replacement: 'if (limited) await',
    caughtBy: ['src/server/providers/stripe/create-stripe-payments.test.ts', 'slows down what'],
  },
  {
    name: 'looks that end for an hour because Stripe was away for a minute',
    file: 'src/server/work/import/refresh-payments.ts',
    text: "last?.status === 'failed' && !wasProviderAway(last)",
    replacement: "last?.status === 'failed'",
    caughtBy: ['src/server/work/import/follow-hints.test.ts', 'after an import of changes that failed'],
  },
  {
    name: 'an id with a NUL that ends every import',
    file: 'src/server/providers/stripe/guarded-client.ts',
    text: 'mayHoldNul(body) ? parseJson(body.toString()) : parseAnswer(body)',
    replacement: 'parseAnswer(body)',
    caughtBy: ['src/server/work/import/scenarios/hostile-ids.test.ts', 'stops no import'],
  },
  {
    name: 'an import for each change',
    file: 'src/server/work/import/refresh-payments.ts',
    text: 'return isGathering ? undefined : findReadySince(tenant, deps.now())',
    replacement: 'return findReadySince(tenant, deps.now())',
    caughtBy: ['src/server/work/import/follow-hints.test.ts', 'waits as long as the import before'],
  },
  {
    name: 'a push after an import though automatic sync is off',
    file: 'src/server/work/push/push-after-import.ts',
    text: 'return autoSyncEnabled && setupComplete ? findOwedImport(tenant, deps.now()) : undefined',
    replacement: 'return setupComplete ? findOwedImport(tenant, deps.now()) : undefined',
    caughtBy: [following, 'HubSpot does not'],
  },
  {
    name: 'a push tried again and again by hints while HubSpot refuses',
    file: 'src/server/store/runs/owed-push.ts',
    text: ' and pushed.is_stuck is not true',
    replacement: '',
    caughtBy: [afterRun, 'the last push failed'],
  },
  {
    name: 'a push that made way and is forgotten',
    file: 'src/server/store/runs/owed-push.ts',
    text: "         and options ->> 'displaced' is distinct from 'working'\n",
    replacement: '',
    caughtBy: [afterRun, 'makes way too'],
  },
]
