import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

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
  /** All metrics in the text format of Prometheus. */
  render(): Promise<{ text: string; contentType: string }>
}

const runBucketsSeconds = [1, 5, 15, 60, 300, 900, 3_600, 4 * 3_600]
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
    help: 'Imports and pushes by how they ended, from their start to their end.',
    labelNames: ['kind', 'status'],
    buckets: runBucketsSeconds,
    registers: [registry],
  })
  const records = new Counter({
    name: 'tributary_run_records_total',
    help: 'Records of ended imports and pushes; failed ones count among the processed.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  return {
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
    render: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  }
}
