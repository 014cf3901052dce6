import type { Database } from '../postgres/database.ts'

/** The encrypted secrets of all authenticator apps, each with the row's number. */
export function listFactorSecrets(database: Database): Promise<{ id: number; secret: string }[]> {
  return database.selectFrom('twoFactor').select(['id', 'secret']).orderBy('id').execute()
}

/** Replaces the text that was read; false if it changed meanwhile. The secret in it stays the same. */
export async function replaceFactorSecret(
  database: Database,
  { id, secret }: { id: number; secret: string },
  replacement: string,
): Promise<boolean> {
  const replaced = await database
    .updateTable('twoFactor')
    .set({ secret: replacement })
    .where('id', '=', id)
    .where('secret', '=', secret)
    .executeTakeFirst()
  return replaced.numUpdatedRows > 0n
}

/** Turns a person's second factor off and forgets its secret and codes; false if none is on. */
export async function dropSecondFactor(database: Database, userId: number): Promise<boolean> {
  await database.deleteFrom('twoFactor').where('userId', '=', userId).execute()
  const turnedOff = await database
    .updateTable('user')
    .set({ twoFactorEnabled: false })
    .where('id', '=', userId)
    .where('twoFactorEnabled', '=', true)
    .executeTakeFirst()
  return turnedOff.numUpdatedRows > 0n
}
