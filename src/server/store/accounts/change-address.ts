import { sql } from 'kysely'
import type { Database } from '../postgres/database.ts'
import { errorCodeOf, uniqueViolation } from '../postgres/error-code.ts'
import { endBegunSignIns, endOtherSessions } from './sessions.ts'

/** An account, the only session of it that stays (null for all), and its address before and after. */
export type AddressChange = { userId: number; sessionId: number | null; from: string; to: string }

/**
 * Gives the account another address, which its owner has proven, and does `also` in the same transaction. Ends other
 * sessions and mailed links. False if the account lost the earlier address, or another has the new one.
 */
export function changeAddress(
  database: Database,
  { userId, sessionId, from, to }: AddressChange,
  also: (transaction: Database) => Promise<void>,
): Promise<boolean> {
  const changed = database.transaction().execute(async (transaction) => {
    // Two accounts may ask for one address at once; the second waits here and then sees the first.
    await sql`select pg_advisory_xact_lock(hashtextextended(${to}, 0))`.execute(transaction)
    const { numUpdatedRows } = await transaction
      .updateTable('user')
      .set({ email: to, updatedAt: sql<Date>`current_timestamp` })
      .where('id', '=', userId)
      .where('email', '=', from)
      .where((e) =>
        e.not(e.exists(e.selectFrom('user as other').select('other.id').where('other.email', '=', to))),
      )
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await transaction
      .insertInto('former_addresses')
      .values({ user_id: userId, email: from })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    if (sessionId !== null) await endOtherSessions(transaction, userId, sessionId)
    // A link that was mailed to the earlier address could still set a password.
    await endBegunSignIns(transaction, userId)
    await transaction.deleteFrom('sign_ups').where('email', '=', to).execute()
    await also(transaction)
    return true
  })
  return changed.catch((error: unknown) => {
    // A sign-up may take the address while this transaction waits for it.
    if (errorCodeOf(error) === uniqueViolation) return false
    throw error
  })
}
