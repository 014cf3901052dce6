import type { Deps } from '../../deps.ts'
import type { PaymentsReader } from '../../providers/payments.ts'
import type { ProviderConnection } from '../../store/connections/connections.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { errorCodeOf } from '../../store/postgres/error-code.ts'
import { type Claim, inRun } from '../../store/runs/runs.ts'

/** What the planner of an import receives. */
export type PlanningContext = {
  deps: Pick<
    Deps,
    'database' | 'payments' | 'now' | 'newId' | 'sleep' | 'log' | 'enlist' | 'seal' | 'observeLags'
  >
  claim: Claim
  /** The connection with the key that the reader uses. */
  connection: ProviderConnection
  reader: PaymentsReader
  signal: AbortSignal
}

/** What every part of a running import receives. */
export type ImportContext = PlanningContext & {
  /** A lower bound, by the provider's clock, of every request that the import makes. */
  askedAfter: Date
}

const writeTriesMax = 3
// PostgreSQL asks to retry after a deadlock or a serialization failure.
const tryAgain = new Set(['40001', '40P01'])

/** The context for parts that make no request to the provider. */
export type RunContext = Omit<PlanningContext, 'connection' | 'reader'>

/** At its end, a run that was taken over counts the lists; one that was not adds up its differences. */
export function totalsAfter({ attempt }: Claim): 'add_up' | 'recount' {
  return attempt > 1 ? 'recount' : 'add_up'
}

/** Runs one write of the run under its claim, and repeats it after a conflict with another transaction. */
export async function write<T>(
  { deps, claim, signal }: RunContext,
  work: (tenant: Tenant) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted()
    try {
      return await inRun(deps.database, claim, work, 'repeatable')
    } catch (error) {
      if (tries === writeTriesMax || !tryAgain.has(errorCodeOf(error))) throw error
    }
  }
}
