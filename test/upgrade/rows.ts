import type pg from 'pg'
import { asOwner } from '#server/store/installation/as-owner.ts'

/**
 * All rows of a database as SQL for an empty one with the same schema, one per line. Load it without triggers and foreign
 * keys: the rows include the triggers' results. `url` is for the superuser, who sees all rows.
 */
export async function rowsAsSql(url: string): Promise<string> {
  return await asOwner(url, 'test', async (client) => {
    const texts: string[] = []
    for (const { name, columns } of await listTables(client)) {
      const { rows } = await client.query<{ row: string }>(
        `select row_to_json(t)::text as row from (select ${columns} from "${name}") t order by 1`,
      )
      if (rows.length === 0) continue
      if (rows.some(({ row }) => row.includes('$rows$'))) throw new Error(`${name} cannot be quoted`)
      texts.push(
        `insert into "${name}" (${columns}) overriding system value`,
        `select ${columns} from json_populate_recordset(null::"${name}", $rows$[`,
        rows.map(({ row }) => row).join(',\n'),
        `]$rows$);`,
      )
    }
    return `${texts.join('\n')}\n`
  })
}

/** The contents of a database, table by table: the number of rows, and a hash of the named columns. */
export async function printRows(url: string, tables: readonly Table[]): Promise<Record<string, unknown>> {
  return await asOwner(url, 'test', async (client) => {
    const prints: [string, unknown][] = []
    for (const { name, columns } of tables) {
      const { rows } = await client.query(
        `select count(*)::int as rows, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash
           from (select ${columns} from "${name}") t`,
      )
      prints.push([name, rows[0]])
    }
    return Object.fromEntries(prints)
  })
}

export type Table = { name: string; columns: string }

/** Every table with its writable columns, except the list of migrations and the installation's own role. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname::text as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relkind in ('r', 'p') and c.relname not in ('migrations', 'application_role') group by 1 order by 1`,
  )
  return rows
}
