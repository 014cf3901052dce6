import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError, readConfig } from './config.ts'
import type { Deps } from './deps.ts'
import { createEnqueue } from './jobs/enqueue.ts'
import { createLog } from './log.ts'
import { createHubspotCrm } from './providers/hubspot/create-hubspot-crm.ts'
import { createIdentity } from './providers/identity/create-identity.ts'
import { createMail } from './providers/smtp/create-mail.ts'
import { createStripePayments } from './providers/stripe/create-stripe-payments.ts'
import { createSeal } from './seal.ts'
import { openDatabase } from './store/database.ts'
import { applicationUrl } from './store/migrate.ts'

const poolSize = 20
const statementTimeoutMs = 30_000

/** What a process of the product needs, built from its environment. Ends the process on a bad setting, in one line. */
export function openProcess(options: { name: string; environment: NodeJS.ProcessEnv }): {
  deps: Deps
  close: () => Promise<void>
} {
  const config = configOrExit(options.environment)
  const log = createLog({ level: config.logLevel, name: options.name })
  const seal = createSeal(config.sealKeys)
  const database = openDatabase({
    url: applicationUrl(config.databaseUrl),
    poolSize,
    statementTimeoutMs,
    onError: (error) => log.error({ error }, 'database connection lost'),
  })
  const clock = {
    now: () => new Date(),
    sleep: (ms: number, signal?: AbortSignal) => sleep(ms, undefined, signal && { signal }),
  }
  const mail = createMail({ config, database })
  const deps: Deps = {
    config,
    database,
    ...clock,
    newId: randomUUID,
    log,
    seal,
    mail,
    payments: createStripePayments({ fetch, apiUrl: config.stripe.apiUrl, log, ...clock }),
    crm: createHubspotCrm({ fetch, ...config.hubspot, ...clock }),
    identity: createIdentity({ config, database, mail, seal, log }),
    enqueue: createEnqueue(),
  }
  return { deps, close: () => database.destroy() }
}

function configOrExit(environment: NodeJS.ProcessEnv) {
  try {
    return readConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`Tributary cannot start: setting ${error.message}\n`)
    process.exit(2)
  }
}
