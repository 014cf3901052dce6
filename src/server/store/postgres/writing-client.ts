import pg from 'pg'
import { errorCodeOf, readOnly } from './error-code.ts'

/**
 * A connection that ends when its server turns out to be read-only. After a failover, an open connection can lead to a
 * server that no longer writes, and a pool would keep it for good.
 */
export class WritingClient extends pg.Client {
  // Keeps the library's signature; our calls wait for the promise.
  override query(...given: unknown[]): never {
    const query: (...given: unknown[]) => unknown = super.query
    const result = query.apply(this, given)
    if (result instanceof Promise)
      result.catch((error: unknown) => {
        if (errorCodeOf(error) === readOnly) void this.end()
      })
    return result as never
  }
}
