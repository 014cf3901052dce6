import type pg from 'pg'

/** Exists from the first step of a partitioning to its last, and holds the copies of the tables. */
export const copiesSchema = 'partitioning'

/** Whether a partitioning was begun and has not ended. */
export async function isHalfPartitioned(client: pg.Client): Promise<boolean> {
  const found = await client.query('select from pg_namespace where nspname = $1', [copiesSchema])
  return found.rowCount !== 0
}

/** Throws while the database is half partitioned: rows written now would be missing afterwards. */
export async function refuseHalfPartitioned(client: pg.Client): Promise<void> {
  if (await isHalfPartitioned(client))
    throw new Error(
      'The database is being partitioned, or this was interrupted. Run `tributary partition` to its end, or take it ' +
        'back by `tributary partition --undo`.',
    )
}
