import type { Deps } from './deps.ts'
import { forgetOldBudgets } from './store/accounts/attempt-budgets.ts'
import { forgetOldSignUps } from './store/accounts/sign-ups.ts'

const everyMs = 15_000

/** Small recurring work of the web server: retries undelivered mail, and deletes expired budgets and sign-ups. */
export function repeatSmallWork(deps: Pick<Deps, 'mail' | 'database' | 'log'>): () => void {
  const timer = setInterval(() => {
    deps.mail.deliver().catch((error: unknown) => deps.log.error({ error }, 'mail waits in the outbox'))
    forgetOldBudgets(deps.database).catch((error: unknown) => deps.log.error({ error }, 'old budgets stay'))
    forgetOldSignUps(deps.database).catch((error: unknown) => deps.log.error({ error }, 'old sign-ups stay'))
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
