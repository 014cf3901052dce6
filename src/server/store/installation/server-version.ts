/**
 * The oldest PostgreSQL that the product runs on, as PostgreSQL counts in `server_version_num`. Since then a statement can
 * return rows as they were before it and as they are after it.
 */
export const oldestPostgres = 180_000

/** Throws in one line if the server is older. */
export function refuseOldServer(versionNumber: number): void {
  if (versionNumber >= oldestPostgres) return
  const [found, needed] = [versionNumber, oldestPostgres].map((number) => Math.floor(number / 10_000))
  throw new Error(
    `This is PostgreSQL ${found}, and Tributary needs ${needed} or newer. Upgrade it, or restore a backup into a newer one.`,
  )
}
