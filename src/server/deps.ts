import type { Config } from './config.ts'
import type { Log } from './log.ts'
import type { CrmPort } from './providers/crm.ts'
import type { IdentityPort } from './providers/identity.ts'
import type { MailPort } from './providers/mail.ts'
import type { PaymentsPort } from './providers/payments.ts'
import type { Seal } from './seal.ts'
import type { Database, Tenant } from './store/postgres/database.ts'
import type { RunKind } from './store/runs/runs.ts'

/** What work is given, in whichever process it runs. Built once by the program, or by a test. */
export type Deps = {
  config: Config
  database: Database
  now: () => Date
  /** A new random identifier. */
  newId: () => string
  /** Waits; a test may let it pass at once. Ends early, by rejection, when the signal aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  log: Log
  seal: Seal
  payments: PaymentsPort
  crm: CrmPort
  mail: MailPort
  /** Hands a run to the workers, in the transaction that created it. */
  enqueue: (tenant: Tenant, run: { id: string; kind: RunKind }) => Promise<void>
  /** Asks other workers to help with a run that one of them works on, in the transaction that shares it out. */
  enlist: (tenant: Tenant, runId: string) => Promise<void>
}

/** What answers people is given besides: no worker asks who somebody is, and the library that knows is a large one. */
export type ServerDeps = Deps & { identity: IdentityPort }
