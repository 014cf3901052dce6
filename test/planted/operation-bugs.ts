import type { Bug } from './bug.ts'

const newerTest = 'src/cli/newer-database.test.ts'
const doctorTest = 'src/cli/doctor.test.ts'
const retentionTest = 'src/server/store/erasure/retention.test.ts'
const tracesTest = 'test/traces/traces.test.ts'
const figuresTest = 'src/server/installation-figures.test.ts'
const databaseTest = 'src/cli/doctor/judge-database.test.ts'

/** Faults of what an operator relies on to see that something is wrong. */
export const operationBugs: readonly Bug[] = [
  {
    name: 'a doctor to whom a collector that refuses every span is well',
    file: 'src/cli/doctor/look-at-traces.ts',
    text: 'if (answer.ok) return',
    replacement: 'if (answer.status > 0) return',
    caughtBy: [doctorTest, 'a collector of traces at an address that takes none'],
  },
  {
    name: 'a doctor to whom a file without rates is well',
    file: 'src/cli/doctor/look-at-rates.ts',
    text: 'parseEcbFile(await newest.read(), dayOfDate(now))',
    replacement: '[await newest.read()]',
    caughtBy: [doctorTest, 'rates in a file that has none'],
  },
  {
    name: "a command that works on a newer version's tables as their owner",
    file: 'src/cli/as-owner.ts',
    text: "newer === 'refused' ? await findNewerMigrations(url) : []",
    replacement: '[] as string[]',
    caughtBy: [newerTest, 'backup does no work by old rules'],
  },
  {
    name: "a command that works on a newer version's tables as a process",
    file: 'src/server/process.ts',
    text: 'if (!options.isNewerToldLater) await',
    replacement: 'if (options.isNewerToldLater) await',
    caughtBy: [newerTest, 'revoke-all does no work by old rules'],
  },
  {
    name: 'a brake that writes into a table which a newer version changed',
    file: 'src/cli/outbound.ts',
    text: '!(await isHoldAsKnown(database))',
    replacement: 'false',
    caughtBy: [newerTest, 'outbound refuses too where the newer version changed its table'],
  },
  {
    name: 'a doctor whose exit code says that all is well',
    file: 'src/cli/doctor.ts',
    text: "symptoms.some(({ state }) => state === 'wrong') ? 1 : 0",
    replacement: '0',
    caughtBy: [doctorTest, 'ends with exit code 1 for a wrong setting'],
  },
  {
    name: 'a doctor that calls others after a restore',
    file: 'src/cli/doctor/examine.ts',
    text: '(await findOutboundHold(deps.database)) !== undefined',
    replacement: 'false',
    caughtBy: [doctorTest, 'asks nobody after a restore'],
  },
  {
    name: "a doctor that compares the machine's clock with itself",
    file: 'src/cli/doctor/look-at-clocks.ts',
    text: 'clocks.machineNow() - clocks.now().getTime()',
    replacement: 'clocks.machineNow() * 0',
    caughtBy: [doctorTest, "sees this machine's clock two hours ahead"],
  },
  {
    name: 'an old PostgreSQL that is taken',
    file: 'src/cli/doctor/judge-database.ts',
    text: 'versionNumber >= oldestPostgres',
    replacement: 'versionNumber > 0',
    caughtBy: [databaseTest, 'names what is wrong'],
  },
  {
    name: 'a process that calls somebody else',
    file: 'src/server/process.ts',
    text: '  const metrics = createMetrics()\n',
    replacement: "  const metrics = createMetrics()\n  fetch('http://updates.example').catch(() => {})\n",
    caughtBy: ['e2e/main-journey.test.ts', 'goes from signing up to records in HubSpot'],
  },
  {
    name: 'a late job that is counted as due',
    file: 'src/server/jobs/count-due-jobs.ts',
    text: "and j.state in ('created', 'retry') and j.start_after <= clock_timestamp()",
    replacement: "and j.state in ('created', 'retry')",
    caughtBy: [figuresTest, 'tell how long the oldest due job has waited'],
  },
  {
    name: 'figures of the database that stay while it is away',
    file: 'src/server/metrics.ts',
    text: 'for (const one of [backup, held]) one.remove()',
    replacement: '',
    caughtBy: [figuresTest, 'show no old figures while the database is away'],
  },
  {
    name: 'a metric under another name than the alert asks for',
    file: 'src/server/metrics.ts',
    text: "'tributary_queue_oldest_due_seconds'",
    replacement: "'tributary_queue_oldest_seconds'",
    caughtBy: ['test/metrics/grafana.test.ts', 'asks only for what a process shows'],
  },
  {
    name: 'traces that go past the proxy',
    file: 'src/server/open-telemetry.ts',
    text: "(protocol === 'https:' ? https.globalAgent : http.globalAgent)",
    replacement: "(protocol === 'https:' ? new https.Agent() : new http.Agent())",
    caughtBy: ['test/outgoing/outgoing.test.ts', 'every call to a provider goes through the proxy'],
  },
  {
    name: 'the whole path of a request in a span',
    file: 'src/server/traces.ts',
    text: "pathname.split('/').slice(0, 3).join('/')",
    replacement: 'pathname',
    caughtBy: [tracesTest, 'show that a request failed'],
  },
  {
    name: 'the words of an error in a span',
    file: 'src/server/open-telemetry.ts',
    text: "error instanceof Error ? error.name : 'unknown')",
    replacement: 'String(error))',
    caughtBy: [tracesTest, 'show that a request failed'],
  },
  {
    name: 'runs that are never gathered',
    file: 'src/server/jobs/schedules.ts',
    text: '      await gatherOldRuns(tenant, deps.now())\n',
    replacement: '',
    caughtBy: ['test/growth.test.ts', 'nothing grows by time alone'],
  },
  {
    name: 'a day that is counted again each night',
    file: 'src/server/store/erasure/retention.ts',
    text: "coalesce((options ->> 'runsOfDay')::bigint, 1)",
    replacement: '1',
    caughtBy: [retentionTest, 'is kept of a day whose last run was long the newest'],
  },
  {
    name: 'details of runs with errors that go early',
    file: 'src/server/store/erasure/retention.ts',
    text: "status = 'completed' and failed_records = 0\n",
    replacement: "status = 'completed'\n",
    caughtBy: [retentionTest, 'is kept for 30 days of the details of runs without changes'],
  },
  {
    name: 'a file that is missing taken for a database that is away',
    file: 'src/server/store/postgres/is-database-away.ts',
    text: "'syscall' in error && error.syscall === 'connect'",
    replacement: "error.message !== ''",
    caughtBy: [
      'src/server/store/postgres/database-fault.test.ts',
      'is a socket file that is not there, but no other file',
    ],
  },
  {
    name: 'a webhook that stops without a word',
    file: 'src/server/store/connections/payment-webhooks.ts',
    text: "    .where('c.received_at', 'is', null)\n",
    replacement: "    .where('c.received_at', 'is not', null)\n",
    caughtBy: ['src/server/api/runs/freshness.test.ts', 'the webhook is silent'],
  },
  {
    name: 'a promise of runs that no worker keeps',
    file: 'src/server/api/runs/reading-trouble.ts',
    text: 'return isSilent ?',
    replacement: 'return agoSeconds < 0 ?',
    caughtBy: ['src/server/api/runs/freshness.test.ts', 'as often as automatic sync promises'],
  },
  {
    name: 'a clock put back that nothing automatic survives',
    file: 'src/server/store/runs/import-times.ts',
    text: "    .where('created_at', '<=', until)\n",
    replacement: '',
    caughtBy: ['src/server/jobs/schedules.test.ts', 'to which a clock was ahead'],
  },
  {
    name: 'a queue that waits for the time of a clock put back',
    file: 'src/server/jobs/times-ahead.ts',
    text: "state in ('created', 'retry') and created_on",
    replacement: "state in ('created', 'retry') and started_on",
    caughtBy: ['src/server/jobs/times-ahead.test.ts', 'after the clock was put back'],
  },
]
