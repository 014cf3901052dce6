import { sql } from 'kysely'
import type { Database } from '../postgres/database.ts'

/** A link of a mail is good for so long. */
const validHours = 1
const expiresAt = sql<Date>`current_timestamp + make_interval(hours => ${validHours})`

/** What somebody chose at a sign-up whose address is not proven yet. Link and browser are known by hashes alone. */
export type SignUp = {
  email: string
  name: string
  passwordHash: string
  linkHash: string
  browserHash: string
}

/** Keeps a sign-up in place of an earlier one with the address, whose link is void from then on. */
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

/** Puts another link in place of the one of an open sign-up; false where there is none with the address. */
export async function renewSignUpLink(database: Database, email: string, linkHash: string): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('sign_ups')
    .set({ link_hash: linkHash, expires_at: expiresAt })
    .where('email', '=', email)
    .where('expires_at', '>', sql<Date>`current_timestamp`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The sign-up that a link belongs to, also one that came to nothing in time. */
export function findSignUpByLink(database: Database, linkHash: string) {
  return database
    .selectFrom('sign_ups')
    .select(['email', 'browser_hash as browserHash'])
    .select((e) => e('expires_at', '<=', sql<Date>`current_timestamp`).as('isOver'))
    .where('link_hash', '=', linkHash)
    .executeTakeFirst()
}

/** The hash of the password of an open sign-up with an address that no account has proven. */
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
 * Makes the account of the sign-up that a link belongs to, once, with what was chosen at it or, in another browser, with
 * what is `chosen` now. Whatever stood under the unproven address goes. Undefined where the link is void, or the address
 * has been proven meanwhile: no link replaces the password of a proven account.
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

/** Forgets sign-ups that came to nothing, a day after their last link ended: until then their link says so. */
export async function forgetOldSignUps(database: Database): Promise<void> {
  await database
    .deleteFrom('sign_ups')
    .where('expires_at', '<', sql<Date>`current_timestamp - interval '1 day'`)
    .execute()
}
