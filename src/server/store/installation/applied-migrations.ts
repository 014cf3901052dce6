import type pg from 'pg'

/** The names of the migrations that the database has, in order, as the version that applied them named them. */
export async function listAppliedNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from public.migrations order by name')
  return rows.map(({ name }) => name)
}
