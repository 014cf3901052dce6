import { sql } from 'kysely'
import type { Database } from '../postgres/database.ts'

export function findUserByEmail(database: Database, email: string) {
  return database
    .selectFrom('user')
    .select(['id', 'email', 'emailVerified'])
    .where('email', '=', email)
    .executeTakeFirst()
}

/** The address of an account; undefined if there is no such account. */
export async function findAddressOf(database: Database, userId: number): Promise<string | undefined> {
  const found = await database.selectFrom('user').select('email').where('id', '=', userId).executeTakeFirst()
  return found?.email
}

/** The name and address of an account; undefined if there is no such account. */
export function findPerson(database: Database, userId: number) {
  return database.selectFrom('user').select(['name', 'email']).where('id', '=', userId).executeTakeFirst()
}

/** Adds a user with a verified address and an already hashed password. Returns the user's id. */
export function addVerifiedUser(
  database: Database,
  user: { email: string; name: string; passwordHash: string },
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const { id } = await transaction
      .insertInto('user')
      .values({ email: user.email, name: user.name, emailVerified: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    await transaction
      .insertInto('account')
      .values({
        userId: id,
        accountId: String(id),
        providerId: 'credential',
        password: user.passwordHash,
        updatedAt: sql<Date>`current_timestamp`,
      })
      .execute()
    return id
  })
}
