/**
 * The oldest PostgreSQL that the product runs on, as PostgreSQL counts in `server_version_num`: the oldest that its makers
 * still mend. Nothing that newer ones added may be used.
 */
export const oldestPostgres = 150_000

/** Throws in one line if the server is older. */
export function refuseOldServer(versionNumber: number): void {
  if (versionNumber >= oldestPostgres) return
  const [found, needed] = [versionNumber, oldestPostgres].map((number) => Math.floor(number / 10_000))
  throw new Error(
    `This is PostgreSQL ${found}, and Tributary needs ${needed} or newer. Upgrade it, or restore a backup into a newer one.`,
  )
}

/** Throws in one line if the database cannot store every name that a customer may have. */
export function refuseOtherEncoding(encoding: string): void {
  if (encoding === 'UTF8') return
  throw new Error(
    `The database of DATABASE_URL stores texts as ${encoding}, and Tributary needs UTF8. Create it by: createdb --encoding=UTF8 --template=template0 NAME.`,
  )
}
