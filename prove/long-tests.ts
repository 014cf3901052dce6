import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

type LongTest = { says: string; files: readonly string[]; numbers: Readonly<Record<string, string>> }

/** Tests that `npm test` also runs, here with larger numbers; environment variables of the same name win. */
export const tests: Record<string, LongTest> = {
  fuzzer: {
    says: 'hostile requests, none answered with a fault (FUZZ_REQUESTS=20000, 400 in npm test; FUZZ_SEED)',
    files: ['test/safety/fuzzer.test.ts'],
    numbers: { FUZZ_REQUESTS: '20000' },
  },
  patterns: {
    says: 'patterns and schemas on texts as long as any body may be, which npm test looks through at a third (LENGTHS=all)',
    files: ['test/safety/validators.test.ts'],
    numbers: { LENGTHS: 'all' },
  },
  prober: {
    says: 'every place of every call as everybody, with ids of others and of nobody; npm test takes some places in turn (PROBES=all)',
    files: ['test/safety/prober.test.ts'],
    numbers: { PROBES: 'all' },
  },
  membership: {
    says: 'the database against the model of membership (MEMBERSHIP_SEQUENCES=5000, 200; MEMBERSHIP_RACES=500, 30; MEMBERSHIP_SEED)',
    files: ['src/server/work/organization/scenarios/membership-model.test.ts'],
    numbers: { MEMBERSHIP_SEQUENCES: '5000', MEMBERSHIP_RACES: '500' },
  },
  sequences: {
    says: 'what people and matches do in whatever order to companies and contacts (SEQUENCES=2000, 60; SEED)',
    files: ['src/server/work/match/scenarios/never-written-over.test.ts'],
    numbers: { SEQUENCES: '2000' },
  },
  totals: {
    says: 'the totals of lists and movements, and what has no record in the CRM, after every step of any writers (TOTALS_SEQUENCES=500, 12)',
    files: [
      'src/server/store/totals/list-totals.test.ts',
      'src/server/store/totals/movement-totals.test.ts',
      'src/server/store/crm/unsent.test.ts',
    ],
    numbers: { TOTALS_SEQUENCES: '500' },
  },
  lists: {
    says: 'sums of searches and customers with every filter, against a plain reading; npm test takes some in turn (LISTS=all)',
    files: [
      'src/server/store/lists/search-sums.test.ts',
      'src/server/store/lists/customers/with-subscription.test.ts',
    ],
    numbers: { LISTS: 'all' },
  },
  movements: {
    says: 'movements, segments, cohorts and retention of generated accounts add up, and so does each list that a figure opens (ACCOUNTS=40000, 1,000 or 150)',
    files: [
      'src/domain/movement.test.ts',
      'src/domain/retention.test.ts',
      'src/server/api/figures/generated-movements.test.ts',
    ],
    numbers: { ACCOUNTS: '40000' },
  },
  rounds: {
    says: 'rounds of changes on both sides of a push, with faults (ROUNDS=200, 20; SEED)',
    files: ['src/server/work/push/scenarios/rounds.test.ts'],
    numbers: { ROUNDS: '200' },
  },
  unchanged: {
    says: 'an hourly push of an unchanged account reads no table whole (UNCHANGED_CUSTOMERS=3000, 450)',
    files: ['src/server/work/push/scenarios/unchanged.test.ts'],
    numbers: { UNCHANGED_CUSTOMERS: '3000' },
  },
  crashes: {
    says: 'push, import and recount struck at every step in every way; npm test strikes every second, fourth or a later step in one (GOLDEN_CUSTOMERS=3)',
    files: [
      'src/server/work/push/scenarios/crash.test.ts',
      'src/server/work/push/make-room.test.ts',
      'src/server/work/import/scenarios/crashes.test.ts',
      'src/server/work/import/scenarios/refresh-crashes.test.ts',
      'src/server/work/import/scenarios/deletions.test.ts',
      'src/server/work/ledger/recount-ledger.test.ts',
    ],
    numbers: { CRASHES: 'all', GOLDEN: 'all' },
  },
  imports: {
    says: 'every size of page, and an account that changes at every request (GOLDEN=all)',
    files: [
      'src/server/work/import/refresh-payments.test.ts',
      'src/server/work/import/scenarios/golden.test.ts',
      'src/server/work/import/scenarios/rounds.test.ts',
      'src/server/work/import/scenarios/moving.test.ts',
    ],
    numbers: { GOLDEN: 'all' },
  },
  settings: {
    says: 'each command with each wrong setting; npm test takes each command and each setting once (SETTINGS=all)',
    files: ['src/cli/wrong-settings.test.ts'],
    numbers: { SETTINGS: 'all' },
  },
  growth: {
    says: 'two years of runs that change nothing, and how many rows they leave (GROWTH_STEP_HOURS=24, 1,080)',
    files: ['test/growth.test.ts'],
    numbers: { GROWTH_STEP_HOURS: '24' },
  },
  handovers: {
    says: 'imports killed again and again, read by several workers, with faults, while the account moves (HANDOVERS=200, 2; SEED)',
    files: ['src/server/work/import/scenarios/handed-over.test.ts'],
    numbers: { HANDOVERS: '200' },
  },
  forecasts: {
    says: 'what the forecast of new companies says against what a push then makes (FORECASTS=200, 4; SEED)',
    files: ['src/server/work/match/scenarios/forecast.test.ts'],
    numbers: { FORECASTS: '200' },
  },
  tokens: {
    says: 'schedules of processes that renew one token (SCHEDULES=1000, 200)',
    files: ['src/server/work/connections/scenarios/connect-crm-refresh.test.ts'],
    numbers: { SCHEDULES: '1000' },
  },
  outages: {
    says: 'the database brought down under load, processes killed (OUTAGE_RESTARTS=50, 3; OUTAGE_KILLS=40, 3; OUTAGE_SEED)',
    files: ['test/outage/outages.test.ts'],
    numbers: { OUTAGE_RESTARTS: '50', OUTAGE_KILLS: '40' },
  },
  mrr: {
    says: 'generated accounts for each of thirteen properties (MRR_RUNS=50000, 400; PROPERTY_SEED)',
    files: ['src/domain/mrr'],
    numbers: { MRR_RUNS: '50000' },
  },
  documents: {
    says: 'damaged documents for each of three properties (HOSTILE_RUNS=50000, 1,000; PROPERTY_SEED)',
    files: ['src/cli/replay-hostile.test.ts'],
    numbers: { HOSTILE_RUNS: '50000' },
  },
  oracle: {
    says: "accounts against the simulator's own truth, day by day, each read in three ways, in npm test in one (ORACLE_SEEDS=100, 6; WILD_SEEDS=300, 29)",
    files: ['test/oracle.test.ts'],
    numbers: { ORACLE_SEEDS: '100', WILD_SEEDS: '300', READINGS: 'all' },
  },
  hour: {
    says: 'an hour of changes in many organizations while workers die (HOUR_ORGANIZATIONS=200, 5; HOUR_MINUTES=60, 12; HOUR_SEED)',
    files: ['test/hour.test.ts'],
    numbers: { HOUR_ORGANIZATIONS: '200', HOUR_MINUTES: '60' },
  },
  follow: {
    says: 'the same while the account is imported again and again (FOLLOW_SEEDS=20, 1; FOLLOW_DAYS=60, 30)',
    files: ['test/oracle-follow.test.ts'],
    numbers: { FOLLOW_SEEDS: '20', FOLLOW_DAYS: '60', READINGS: 'all' },
  },
}

/** The proofs that are tests; vitest gets the arguments after the name. */
export const longTests = Object.fromEntries(
  Object.entries(tests).map(([name, { says, files, numbers }]) => [
    name,
    { says, load: async () => ({ run: async (options: string[]) => runTests(files, numbers, options) }) },
  ]),
)

function runTests(files: readonly string[], numbers: LongTest['numbers'], options: string[]): boolean {
  const program = join(root, 'node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(process.execPath, [program, 'run', ...files, ...options], {
    cwd: root,
    stdio: 'inherit',
    env: { ...numbers, ...process.env },
  })
  return status === 0
}
