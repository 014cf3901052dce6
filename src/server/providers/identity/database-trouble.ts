import { AsyncLocalStorage } from 'node:async_hooks'
import { isDatabaseAway } from '../../store/postgres/is-database-away.ts'

const calls = new AsyncLocalStorage<{ trouble: Error | undefined }>()

/**
 * The library hides why it failed: it logs the cause and throws words of its own. Where the cause was that the database
 * is away, this throws the cause instead, so that the caller is told to come again and not that we are broken.
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

/** Notes what the library logs in the course of a call. */
export function noteLogged(error: unknown): void {
  const call = calls.getStore()
  if (call && error instanceof Error && isDatabaseAway(error)) call.trouble ??= error
}
