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
