import type { Config } from './config.ts'
import type { Log } from './log.ts'
import type { CrmPort } from './providers/crm.ts'
import type { IdentityPort } from './providers/identity.ts'
import type { MailPort } from './providers/mail.ts'
import type { PaymentsPort } from './providers/payments.ts'
import type { RatesPort } from './providers/rates.ts'
import type { Seal } from './seal.ts'
import type { Database, Tenant } from './store/postgres/database.ts'
import type { Arrival } from './store/runs/freshness.ts'
import type { RunKind } from './store/runs/runs.ts'

/** Everything that work depends on, in any process. The program, or a test, builds it once. */
export type Deps = {
  config: Config
  database: Database
  now: () => Date
  /** A new random identifier. */
  newId: () => string
  /** Waits. A test may let the time pass at once. Rejects early when the signal aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  log: Log
  seal: Seal
  payments: PaymentsPort
  crm: CrmPort
  mail: MailPort
  /** Who publishes exchange rates for everybody; null reads none. */
  rates: RatesPort | null
  /** Queues a run for the workers, in the transaction that created the run. */
  enqueue: (tenant: Tenant, run: { id: string; kind: RunKind; options: unknown }) => Promise<void>
  /** Asks other workers to help with a run, in the transaction that divides the run into shares. */
  enlist: (tenant: Tenant, runId: string) => Promise<void>
  /** Tells the metrics how long an organization's changes took. */
  observeLags: (lags: ObservedLags) => void
}

/** In seconds: what each change took to the ledger or to the CRM, and how long the oldest that waits for the CRM did. */
export type ObservedLags = {
  organizationId: number
  to: Arrival
  seconds: readonly number[]
  waitingSeconds: number
}

/**
 * What the web server needs in addition. Workers go without it, because they ask for no identity and the identity
 * library is large.
 */
export type ServerDeps = Deps & { identity: IdentityPort }
