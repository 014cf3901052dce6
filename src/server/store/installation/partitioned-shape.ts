import type pg from 'pg'

/** A table of one organization's rows that is not partitioned yet. */
export type PlainTable = {
  name: string
  columns: string[]
  /** Storage settings and persistence, which only the parts of a partitioned table can have. */
  options: string
  isUnlogged: boolean
}

/** All that hangs on tables and does not come along with `create table … (like …)`. */
export type Attachments = {
  /** Statements that remove what refers to the old tables, then those that make everything for the new ones. */
  away: string[]
  back: string[]
}

/** Lists the tables that row-level security divides by organization, and that are still plain tables. */
export async function listPlainTables(client: pg.Client): Promise<PlainTable[]> {
  const { rows } = await client.query<PlainTable>(
    `select c.relname::text as name, c.relpersistence = 'u' as "isUnlogged",
            coalesce(array_to_string(c.reloptions, ', '), '') as options,
            array(select a.attname::text from pg_attribute a
                   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                   order by a.attnum) as columns
       from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'own_organization')
      order by 1`,
  )
  return rows
}

/** Statements that make the keys and indexes of the table for its copy in the other schema, by the same names. */
export async function indexesFor(client: pg.Client, table: string, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select case when k.oid is null
              then replace(pg_get_indexdef(i.indexrelid), format(' ON public.%I ', c.relname), format(' ON %I.%I ', $2::text, c.relname))
              else format('alter table %I.%I add constraint %I %s', $2::text, c.relname, k.conname, pg_get_constraintdef(k.oid)) end as text
       from pg_index i join pg_class c on c.oid = i.indrelid
       left join pg_constraint k on k.conindid = i.indexrelid and k.conrelid = c.oid and k.contype in ('p', 'u')
      where c.oid = format('public.%I', $1::text)::regclass
      order by k.oid is null, 1`,
    [table, schema],
  )
  return rows.map(({ text }) => text)
}

/** Reads the foreign keys, triggers, policies and SQL functions that refer to the tables. */
export async function readAttachments(client: pg.Client, tables: string[]): Promise<Attachments> {
  const named = `select c.oid, c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname = any($1)`
  const list = async (text: string) =>
    (await client.query<{ text: string }>(text, [tables])).rows.map((row) => row.text)
  const keys = (change: string) =>
    list(`with named as (${named})
      select format('alter table public.%I ${change}', c.relname, k.conname${change.startsWith('add') ? ', pg_get_constraintdef(k.oid)' : ''}) as text
        from pg_constraint k join pg_class c on c.oid = k.conrelid
       where k.contype = 'f' and (k.conrelid in (select oid from named) or k.confrelid in (select oid from named))
       order by c.relname, k.conname`)
  const functions = await list(`with named as (${named})
    select distinct pg_get_functiondef(p.oid) as text from pg_depend d join pg_proc p on p.oid = d.objid
     where d.classid = 'pg_proc'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid in (select oid from named)
     order by 1`)
  const triggers = await list(`with named as (${named})
    select pg_get_triggerdef(t.oid) as text from pg_trigger t where t.tgrelid in (select oid from named) and not t.tgisinternal
     order by t.tgrelid::regclass::text, t.tgname`)
  const policies = await list(`with named as (${named})
    select format('create policy %I on public.%I as %s for %s to %s', p.policyname, p.tablename, p.permissive, p.cmd, array_to_string(array(
             select case when r = 'public' then 'public' else quote_ident(r) end from unnest(p.roles) r), ', '))
           || coalesce(' using (' || p.qual || ')', '') || coalesce(' with check (' || p.with_check || ')', '') as text
      from pg_policies p where p.schemaname = 'public' and p.tablename in (select relname from named)
     order by p.tablename, p.policyname`)
  const walls = tables.flatMap((table) => {
    const name = `public.${client.escapeIdentifier(table)}`
    return [`alter table ${name} enable row level security`, `alter table ${name} force row level security`]
  })
  return {
    away: await keys('drop constraint %I'),
    back: [...functions, ...(await keys('add constraint %I %s')), ...triggers, ...policies, ...walls],
  }
}

/** Statements that let each number that the database gives go on where the old table ended. */
export async function readNumbers(client: pg.Client, tables: string[]): Promise<string[]> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select c.relname::text as table, a.attname::text as column,
            pg_get_serial_sequence(format('public.%I', c.relname), a.attname) as sequence
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> '' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relname = any($1) order by 1, 2`,
    [tables],
  )
  const statements: string[] = []
  for (const { table, column, sequence } of rows) {
    const last = await client.query<{ value: string; called: boolean }>(
      `select last_value as value, is_called as called from ${sequence}`,
    )
    const { value, called } = last.rows[0] ?? { value: '1', called: false }
    statements.push(
      `select setval(pg_get_serial_sequence(${client.escapeLiteral(`public.${client.escapeIdentifier(table)}`)}, ${client.escapeLiteral(column)}), ${value}, ${called})`,
    )
  }
  return statements
}
