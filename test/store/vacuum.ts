import { run as query } from '../database.ts'

/** Vacuums tables until indexes alone can answer for all of their rows; a statement that still runs elsewhere delays that. */
export async function vacuumWhole(ownerUrl: string, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const deadline = Date.now() + 20_000
    for (;;) {
      // Without it, a few pages with rows that were deleted are left for a later vacuum.
      await query(ownerUrl, `vacuum (analyze, index_cleanup on) ${table}`)
      const [pages] = await query<{ unseen: number }>(
        ownerUrl,
        `select relpages - relallvisible as unseen from pg_class where oid = '${table}'::regclass`,
      )
      if (pages?.unseen === 0) break
      if (Date.now() > deadline) throw new Error(`${pages?.unseen} pages of ${table} are not seen by all`)
      await new Promise((done) => setTimeout(done, 100))
    }
  }
}
