import type pg from 'pg'
import type { Deps } from '#server/deps.ts'
import { asOwner } from '#server/store/installation/as-owner.ts'
import { paymentsSealPlace } from '#server/work/connections/payments-connection.ts'
import { crmSealPlace } from '#server/work/crm/sealed-tokens.ts'

/** Tables whose rows belong to people, or to a queue of their own. */
const leftOut = [
  'domain_claims',
  'webhook_addresses',
  'payment_webhooks',
  'runs',
  'run_logs',
  'run_errors',
  'run_records',
  'audit_log',
]
const places = { payments: paymentsSealPlace, crm: crmSealPlace }

/**
 * Copies a filled organization in SQL, without triggers, and returns the ids of the copies. Each gets an account and a portal
 * of its own name, so that the copies share no budget of requests.
 */
export async function copyOrganization(
  ownerUrl: string,
  deps: Pick<Deps, 'seal'>,
  { from, count }: { from: number; count: number },
): Promise<number[]> {
  return await asOwner(ownerUrl, 'bench', async (client) => {
    await client.query(`set session_replication_role = replica`)
    const { rows: made } = await client.query<{ id: number }>(
      `insert into "organization" (name, slug, "createdAt")
       select 'Copy ' || n, 'copy-' || n, now() from generate_series(1, $1::integer) n returning id`,
      [count],
    )
    const ids = made.map(({ id }) => id)
    for (const { table, columns } of await tablesOf(client))
      await client.query(
        `insert into ${table} (organization_id, ${columns.map(({ name }) => name).join(', ')})
         select c.id, ${columns.map(copied).join(', ')} from ${table} t, unnest($1::integer[]) c (id)
          where t.organization_id = $2`,
        [ids, from],
      )
    await sealAgain(client, deps, from, ids)
    await client.query('analyze')
    return ids
  })
}

type Column = { name: string; column: string }

async function tablesOf(client: pg.Client): Promise<{ table: string; columns: Column[] }[]> {
  const { rows } = await client.query<{ table: string; columns: Column[] }>(
    `select quote_ident(t.table_name) as table,
            json_agg(json_build_object('name', quote_ident(c.column_name), 'column', c.column_name)) as columns
       from information_schema.tables t
       join information_schema.columns c using (table_schema, table_name)
      where t.table_schema = 'public' and t.table_type = 'BASE TABLE' and t.table_name <> all($1)
        and c.column_name <> 'organization_id' and c.is_generated = 'NEVER' and c.is_identity = 'NO'
        and exists (select from information_schema.columns o
                     where o.table_schema = 'public' and o.table_name = t.table_name
                       and o.column_name = 'organization_id')
      group by 1`,
    [leftOut],
  )
  return rows
}

/** Accounts and portals get the number of their organization. */
function copied({ name, column }: Column): string {
  return column === 'account_id' || column === 'portal_id' ? `t.${name} || '0' || c.id` : `t.${name}`
}

/** A secret opens only for the organization for which it was sealed. */
async function sealAgain(
  client: pg.Client,
  { seal }: Pick<Deps, 'seal'>,
  from: number,
  ids: readonly number[],
): Promise<void> {
  const { rows } = await client.query<{ provider: keyof typeof places; sealed: string }>(
    'select provider, sealed_secret as sealed from connections where organization_id = $1',
    [from],
  )
  for (const { provider, sealed } of rows) {
    const secret = seal.open(places[provider](from), sealed)
    for (const id of ids)
      await client.query(
        'update connections set sealed_secret = $3 where organization_id = $1 and provider = $2',
        [id, provider, seal.seal(places[provider](id), secret)],
      )
  }
}
