import type { Deps } from '../deps.ts'
import { heldMessage } from '../outbound.ts'
import { findOutboundHold } from '../store/installation/outbound-hold.ts'
import { findPendingMigrations } from '../store/installation/pending-migrations.ts'
import type { Routes } from './serve.ts'
import { sharedFor } from './shared-for.ts'

/** Anybody may ask at any rate; the database is asked at most once a second. */
const keptMs = 1_000

/**
 * For orchestrators and load balancers. `/healthz`: the process answers. `/readyz`: it can serve, so its database
 * answers and has the schema of the code, and the process is not stopping. The only reason shown is that provider
 * calls are off.
 */
export function serveHealth(
  hono: Routes,
  deps: Pick<Deps, 'database' | 'log'>,
  isStopping: () => boolean,
): void {
  const shared = <T>(find: () => Promise<T>) => sharedFor(keptMs, () => performance.now(), find)
  const findPending = shared(() => findPendingMigrations(deps.database))
  const findHold = shared(() => findOutboundHold(deps.database))
  hono.get('/healthz', (c) => c.text('ok'))
  hono.get('/readyz', async (c) => {
    if (isStopping()) return c.text('stopping', 503)
    try {
      const pending = await findPending()
      if (pending.length === 0) {
        const isHeld = (await findHold()) !== undefined
        return c.text(isHeld ? `ready; ${heldMessage}` : 'ready')
      }
      deps.log.error({ pending }, 'the database is behind the code')
    } catch (error) {
      deps.log.error({ error }, 'not ready')
    }
    return c.text('not ready', 503)
  })
}
