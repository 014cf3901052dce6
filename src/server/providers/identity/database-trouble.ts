import { AsyncLocalStorage } from 'node:async_hooks'
import { isDatabaseAway } from '../../store/postgres/is-database-away.ts'

const calls = new AsyncLocalStorage<{ trouble: Error | undefined }>()

/**
 * The library logs the cause of a failure and throws a general error. When the database was away, this throws the
 * cause instead, so that callers are asked to try again.
 */
export function tellingDatabaseTrouble<T>(call: () => Promise<T>): Promise<T> {
  const seen: { trouble: Error | undefined } = { trouble: undefined }
  return calls.run(seen, async () => {
    try {
      return await call()
    } catch (error) {
      throw seen.trouble ?? error
    }
  })
}

/** Collects what the library logs during a call. */
export function noteLogged(error: unknown): void {
  const call = calls.getStore()
  if (call && error instanceof Error && isDatabaseAway(error)) call.trouble ??= error
}
