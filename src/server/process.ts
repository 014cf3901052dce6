import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from './config.ts'
import { createDatabaseClock } from './database-clock.ts'
import type { Deps } from './deps.ts'
import { serveMetrics } from './http/metrics-server.ts'
import type { Turns } from './http/turns.ts'
import { createInstallationFigures } from './installation-figures.ts'
import { createEnlist, createEnqueue } from './jobs/enqueue.ts'
import { createLog } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createOutbound } from './outbound.ts'
import { takeProxy } from './outgoing-network.ts'
import { createEcbRates } from './providers/ecb/create-ecb-rates.ts'
import { createHubspotCrm } from './providers/hubspot/create-hubspot-crm.ts'
import type { Fetch } from './providers/hubspot/exchange.ts'
import { type Send, send } from './providers/send.ts'
import { createSmtp } from './providers/smtp/create-smtp.ts'
import { createStripePayments } from './providers/stripe/create-stripe-payments.ts'
import { requireKnownMigrations } from './require-known-migrations.ts'
import { createSeal } from './seal.ts'
import { ConfigError } from './settings/config-error.ts'
import { trustAuthorities } from './settings/trust-authorities.ts'
import { createRateLimits } from './store/connections/rate-limits.ts'
import { applicationUrl } from './store/installation/application-role.ts'
import { openDatabase } from './store/postgres/database.ts'
import { readDatabaseTime } from './store/postgres/ping-database.ts'
import { noTraces, type Tracing, traceAnswers } from './traces.ts'
import { createMail } from './work/mail/carry-mail.ts'

const poolSize = 20
const statementTimeoutMs = 30_000

/**
 * Builds what a process needs from its environment, with the database's clock. A wrong setting ends the process
 * with one line.
 */
export async function openProcess(options: {
  name: string
  environment: NodeJS.ProcessEnv
  /**
   * The organizations' turns at the database, for the web server. Workers need none, because their queue limits
   * them.
   */
  inTurn?: Turns
  /** Server and worker may start before the database answers, and look then; the doctor tells. All others refuse here. */
  isNewerToldLater?: boolean
}): Promise<{ deps: Deps; metrics: Metrics; traces: Tracing; close: () => Promise<void> }> {
  const config = configOrExit(options.environment)
  const log = createLog({ level: config.logLevel, name: options.name })
  const seal = createSeal(config.sealKeys, config.sealWith)
  const metrics = createMetrics()
  // The code that sends traces is large, so it is loaded only where somebody wants them.
  const traces =
    config.traces === null
      ? noTraces
      : (await import('./open-telemetry.ts')).createTraces(config.traces, options.name)
  const { inSpan } = traces
  const database = openDatabase({
    url: () => applicationUrl(config.databaseUrl),
    poolSize,
    statementTimeoutMs,
    ...(options.inTurn && { inTurn: options.inTurn }),
    onError: (error) => log.error({ error }, 'database connection lost'),
    onConnection: metrics.observeConnection,
  })
  const databaseClock = createDatabaseClock(() => readDatabaseTime(database), log, {
    wall: () => Date.now(),
    steady: () => performance.now(),
  })
  await databaseClock.set()
  if (!options.isNewerToldLater) await requireKnownMigrations({ database })
  const clock = {
    now: databaseClock.now,
    sleep: (ms: number, signal?: AbortSignal) => sleep(ms, undefined, signal && { signal }),
  }
  metrics.watchInstallation(createInstallationFigures(database, () => performance.now()))
  const closeMetrics = config.metrics && serveMetrics(metrics, config.metrics)
  const outbound = createOutbound(database, log, () => performance.now())
  const mail = createMail({ server: createSmtp(config), database, log, isHeld: outbound.isHeld })
  const paces = createRateLimits(database)
  const sendCounted: Send = metrics.countAnswers('stripe', send)
  const askStripe: Send = traceAnswers(inSpan, 'stripe', ({ url }) => ({ method: 'GET', url }), sendCounted)
  const fetchCounted: Fetch = metrics.countAnswers('hubspot', fetch)
  const askHubspot: Fetch = traceAnswers(inSpan, 'hubspot', (request) => request, fetchCounted)
  const deps: Deps = {
    config,
    database,
    ...clock,
    newId: randomUUID,
    log,
    seal,
    mail,
    payments: createStripePayments({
      send: outbound.guard(askStripe),
      apiUrl: config.stripe.apiUrl,
      dashboardUrl: config.stripe.dashboardUrl,
      log,
      paces,
      ...clock,
    }),
    crm: createHubspotCrm({
      fetch: outbound.guard(askHubspot),
      ...config.hubspot,
      paces,
      ...clock,
    }),
    rates:
      config.ratesPlace === null
        ? null
        : createEcbRates({
            place: config.ratesPlace,
            fetch: outbound.guard(metrics.countAnswers('ecb', fetch)),
          }),
    enqueue: createEnqueue(),
    enlist: createEnlist(),
    observeLags: metrics.observeLags,
  }
  const close = async (): Promise<void> => {
    closeMetrics?.()
    databaseClock.stop()
    await Promise.all([database.destroy(), traces.close()])
  }
  return { deps, metrics, traces, close }
}

function configOrExit(environment: NodeJS.ProcessEnv) {
  try {
    const config = readConfig(environment)
    trustAuthorities(config)
    takeProxy(config)
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`Tributary cannot start: setting ${error.message}\n`)
    process.exit(2)
  }
}
