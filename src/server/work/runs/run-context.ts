import type { Deps } from '../../deps.ts'
import type { PaymentsReader } from '../../providers/payments.ts'
import type { ProviderConnection } from '../../store/connections/connections.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { errorCodeOf } from '../../store/postgres/error-code.ts'
import { type Claim, inRun } from '../../store/runs/runs.ts'

/** What the plan of an import is made with. */
export type PlanningContext = {
  deps: Pick<Deps, 'database' | 'payments' | 'now' | 'newId' | 'sleep' | 'log' | 'enlist' | 'seal'>
  claim: Claim
  /** With the key that the reader asks with. */
  connection: ProviderConnection
  reader: PaymentsReader
  signal: AbortSignal
}

/** What every part of a running import is given. */
export type ImportContext = PlanningContext & {
  /** By the provider's clock: whatever the import reads, it asks for then or later. */
  askedAfter: Date
}

const writeTriesMax = 3
// Two transactions met in a deadlock, or were serialized out: PostgreSQL asks to try again.
const tryAgain = new Set(['40001', '40P01'])

/** What those parts are given that ask the provider nothing. */
export type RunContext = Omit<PlanningContext, 'connection' | 'reader'>

/** A write of the import, fenced by its claim; repeated whole when it met another transaction. */
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
