import { run as query } from '../database.ts'

type Row = Record<string, string>

/** Tables in which every row belongs to an organization, with the column that names it. */
export function listTenantTables(ownerUrl: string): Promise<{ name: string; column: string }[]> {
  return query(
    ownerUrl,
    `select c.table_name as name, c.column_name as column from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
        and c.column_name in ('organization_id', 'organizationId') order by 1`,
  )
}

/** A fingerprint of each table's rows of the organization. The activity log is separate. */
export async function fingerprintOf(ownerUrl: string, organizationId: number): Promise<Row> {
  const tables = (await listTenantTables(ownerUrl)).filter(({ name }) => name !== 'audit_log')
  const parts = tables.map(
    ({ name, column }) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as print
         from "${name}" t where "${column}" = ${organizationId}`,
  )
  const rows = await query<{ name: string; print: string }>(ownerUrl, parts.join(' union all '))
  return Object.fromEntries(rows.map(({ name, print }) => [name, print]))
}
