import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The metrics of a process for Prometheus. Labels come from our own tables, never from callers. */
export type Metrics = {
  /** One answered request. `route` is the matched pattern, `seconds` the duration. */
  observeRequest(request: { method: string; route: string; status: number; seconds: number }): void
  /** Wraps the requests to a provider to count answers by status; 0 means no answer or an incomplete one. */
  countAnswers<Q extends unknown[], A extends { status: number }>(
    provider: string,
    ask: (...question: Q) => Promise<A>,
  ): (...question: Q) => Promise<A>
  /** Records that a run of this process has ended, and how many seconds after its start. */
  observeRun(run: { kind: string; status: string; seconds: number; processed: number; failed: number }): void
  /** A connection to the database was waited for. */
  observeConnection(seconds: number): void
  /** Asks for the figures of the whole installation each time that the metrics are read. */
  watchInstallation(read: () => Promise<InstallationFigures>): void
  /** Records how long changes of an organization took, and how long the oldest that the CRM lacks has waited. */
  observeLags(lags: {
    organizationId: number
    to: string
    seconds: readonly number[]
    waitingSeconds: number
  }): void
  /** All metrics in the text format of Prometheus. */
  render(): Promise<{ text: string; contentType: string }>
}

/** The same in every process; a board takes the largest. */
export type InstallationFigures = {
  dueJobs: readonly { queue: string; count: number; oldestSeconds: number }[]
  refusedConnections: readonly { provider: string; connections: number }[]
  lastBackupAt: Date | null
  isOutboundHeld: boolean
}

const connectionBucketsSeconds = [0.001, 0.01, 0.05, 0.25, 1, 2.5, 5]
const runBucketsSeconds = [1, 5, 15, 60, 300, 900, 3_600, 4 * 3_600]
const lagBucketsSeconds = [1, 2, 5, 10, 15, 30, 60, 315, 900, 3_600, 6 * 3_600, 24 * 3_600]
/** The worst organization is the worst of this time, so that it does not stay the worst for ever. */
const worstOfMs = 15 * 60_000
const requestBucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Each app has its own registry, so that two apps in one process (as in tests) do not share counts. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'tributary_http_request_duration_seconds',
    help: 'Answered requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: requestBucketsSeconds,
    registers: [registry],
  })
  const answers = new Counter({
    name: 'tributary_provider_answers_total',
    help: 'Answers of payment provider and CRM by status; 0 where none came whole.',
    labelNames: ['provider', 'status'],
    registers: [registry],
  })
  const runs = new Histogram({
    name: 'tributary_run_duration_seconds',
    help: 'Imports and syncs by how they ended, from their start to their end.',
    labelNames: ['kind', 'status'],
    buckets: runBucketsSeconds,
    registers: [registry],
  })
  const records = new Counter({
    name: 'tributary_run_records_total',
    help: 'Records of ended imports and syncs; failed ones count among the processed.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  const connections = new Histogram({
    name: 'tributary_database_connection_wait_seconds',
    help: 'How long work waited for a connection to the database.',
    buckets: connectionBucketsSeconds,
    registers: [registry],
  })
  const readFigures = gaugesOf(registry)
  let watched: (() => Promise<InstallationFigures>) | undefined
  return {
    observeLags: createLags(registry),
    observeConnection: (seconds) => connections.observe(seconds),
    watchInstallation: (read) => {
      watched = read
    },
    observeRun({ kind, status, seconds, processed, failed }) {
      runs.observe({ kind, status }, seconds)
      records.inc({ kind, outcome: 'processed' }, processed)
      records.inc({ kind, outcome: 'failed' }, failed)
    },
    observeRequest({ method, route, status, seconds }) {
      requests.observe({ method, route, status: String(status) }, seconds)
    },
    countAnswers:
      (provider, ask) =>
      async (...question) => {
        try {
          const answer = await ask(...question)
          answers.inc({ provider, status: String(answer.status) })
          return answer
        } catch (error) {
          answers.inc({ provider, status: '0' })
          throw error
        }
      },
    render: async () => {
      if (watched) await readFigures(watched)
      return { text: await registry.metrics(), contentType: registry.contentType }
    },
  }
}

/** Gauges whose values are the database's. While it is away they have none, so that nobody takes old ones for new. */
function gaugesOf(registry: Registry) {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const up = gauge('tributary_database_up', 'Whether the database answered: 1 or 0.')
  const jobs = gauge('tributary_queue_due_jobs', 'Due jobs that no worker has taken.', ['queue'])
  const oldest = gauge('tributary_queue_oldest_due_seconds', 'Age of the oldest due job.', ['queue'])
  const refused = gauge(
    'tributary_connections_refused',
    'Connections whose key or token the provider no longer accepts.',
    ['provider'],
  )
  const backup = gauge(
    'tributary_last_backup_timestamp_seconds',
    'When the last backup was complete, as a Unix time; 0 for never.',
  )
  const held = gauge('tributary_outbound_held', 'Whether calls to the providers are off: 1 or 0.')
  return async (read: () => Promise<InstallationFigures>): Promise<void> => {
    const figures = await read().catch(() => null)
    for (const one of [jobs, oldest, refused]) one.reset()
    for (const one of [backup, held]) one.remove()
    up.set(figures === null ? 0 : 1)
    if (figures === null) return
    for (const { queue, count, oldestSeconds } of figures.dueJobs) {
      jobs.set({ queue }, count)
      oldest.set({ queue }, oldestSeconds)
    }
    for (const { provider, connections } of figures.refusedConnections) refused.set({ provider }, connections)
    backup.set((figures.lastBackupAt?.getTime() ?? 0) / 1_000)
    held.set(figures.isOutboundHeld ? 1 : 0)
  }
}

/** How long changes took, and which organization, of those that this process worked for lately, did worst. */
function createLags(registry: Registry): Metrics['observeLags'] {
  const lags = new Histogram({
    name: 'tributary_freshness_seconds',
    help: 'How long changes took from the payment provider to the ledger and to the CRM.',
    labelNames: ['to'],
    buckets: lagBucketsSeconds,
    registers: [registry],
  })
  const noted = new Map<number, { seconds: number; atMs: number }>()
  const worst = new Gauge({
    name: 'tributary_freshness_worst_seconds',
    help: 'The longest that a change took or has waited within the last 15 minutes, with its organization.',
    labelNames: ['organization'],
    registers: [registry],
    collect() {
      for (const [organizationId, { atMs }] of noted)
        if (performance.now() - atMs > worstOfMs) noted.delete(organizationId)
      const [first] = [...noted].sort(([, one], [, other]) => other.seconds - one.seconds)
      worst.reset()
      if (first) worst.set({ organization: String(first[0]) }, first[1].seconds)
    },
  })
  return ({ organizationId, to, seconds, waitingSeconds }) => {
    for (const one of seconds) lags.observe({ to }, one)
    const longest = Math.max(waitingSeconds, ...seconds)
    const before = noted.get(organizationId)
    // What arrived meanwhile still counts for a while, unless the same organization did worse.
    if (before && before.seconds > longest && performance.now() - before.atMs < worstOfMs) return
    noted.set(organizationId, { seconds: longest, atMs: performance.now() })
  }
}
