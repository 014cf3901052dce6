import { sql } from 'kysely'
import type { Database } from '../postgres/database.ts'

/** The lifetime of a mailed link. */
const validHours = 1
const expiresAt = sql<Date>`current_timestamp + make_interval(hours => ${validHours})`

/** What a person chose at a sign-up whose address is not verified yet. It stores only hashes of link and browser. */
export type SignUp = {
  email: string
  name: string
  passwordHash: string
  linkHash: string
  browserHash: string
}

/** Saves a sign-up and replaces an earlier one with the address, whose link becomes invalid. */
export async function keepSignUp(database: Database, signUp: SignUp): Promise<void> {
  const kept = {
    name: signUp.name,
    password_hash: signUp.passwordHash,
    link_hash: signUp.linkHash,
    browser_hash: signUp.browserHash,
    expires_at: expiresAt,
  }
  await database
    .insertInto('sign_ups')
    .values({ email: signUp.email, ...kept })
    .onConflict((conflict) => conflict.column('email').doUpdateSet(kept))
    .execute()
}

/** Replaces the link of an open sign-up; false if there is none with the address. */
export async function renewSignUpLink(database: Database, email: string, linkHash: string): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('sign_ups')
    .set({ link_hash: linkHash, expires_at: expiresAt })
    .where('email', '=', email)
    .where('expires_at', '>', sql<Date>`current_timestamp`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The sign-up that a link belongs to, even if it has expired. */
export function findSignUpByLink(database: Database, linkHash: string) {
  return database
    .selectFrom('sign_ups')
    .select(['email', 'browser_hash as browserHash'])
    .select((e) => e('expires_at', '<=', sql<Date>`current_timestamp`).as('isOver'))
    .where('link_hash', '=', linkHash)
    .executeTakeFirst()
}

/** The password hash of an open sign-up whose address no account has verified. */
export async function findUnprovenPassword(database: Database, email: string): Promise<string | undefined> {
  const found = await database
    .selectFrom('sign_ups')
    .select('password_hash')
    .where('email', '=', email)
    .where('expires_at', '>', sql<Date>`current_timestamp`)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('user')
            .select('user.id')
            .whereRef('user.email', '=', 'sign_ups.email')
            .where('user.emailVerified', '=', true),
        ),
      ),
    )
    .executeTakeFirst()
  return found?.password_hash
}

/**
 * Creates the account of a link's sign-up, once, with what was chosen then or, in another browser, is `chosen` now.
 * Deletes everything else under the unverified address. Undefined if the link is invalid or the address verified.
 */
export function completeSignUp(
  database: Database,
  linkHash: string,
  chosen: { name: string | null; passwordHash: string } | null,
): Promise<{ userId: number; email: string } | undefined> {
  return database.transaction().execute(async (transaction) => {
    const signUp = await transaction
      .deleteFrom('sign_ups')
      .where('link_hash', '=', linkHash)
      .where('expires_at', '>', sql<Date>`current_timestamp`)
      .returning(['email', 'name', 'password_hash'])
      .executeTakeFirst()
    if (signUp === undefined) return undefined
    const { email } = signUp
    const name = chosen === null ? signUp.name : (chosen.name ?? email.slice(0, email.lastIndexOf('@')))
    const user = await transaction
      .insertInto('user')
      .values({ email, name, emailVerified: true })
      .onConflict((conflict) =>
        conflict
          .column('email')
          .doUpdateSet({ name, emailVerified: true, image: null })
          .where('user.emailVerified', '=', false),
      )
      .returning('id')
      .executeTakeFirst()
    if (user === undefined) return undefined
    await transaction.deleteFrom('session').where('userId', '=', user.id).execute()
    await transaction.deleteFrom('account').where('userId', '=', user.id).execute()
    await transaction
      .insertInto('account')
      .values({
        userId: user.id,
        accountId: String(user.id),
        providerId: 'credential',
        password: chosen?.passwordHash ?? signUp.password_hash,
        updatedAt: sql<Date>`current_timestamp`,
      })
      .execute()
    return { userId: user.id, email }
  })
}

/** Deletes unfinished sign-ups a day after their last link expired; until then the link can say that it expired. */
export async function forgetOldSignUps(database: Database): Promise<void> {
  await database
    .deleteFrom('sign_ups')
    .where('expires_at', '<', sql<Date>`current_timestamp - interval '1 day'`)
    .execute()
}
