import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { bitsAskedBy, gramsOf } from './text-grams.ts'

/** The target size of a packed row: about a third of a PostgreSQL page. */
const packedBytes = 2_600
const customersPerRead = 500
/** Searches stay fast with this many rows without grams, plus this share of the packed rows. */
const loose = { rows: 50, ofPacked: 0.1 }

/** The rows of `customer_texts`, as `t`, that may contain the text; no row that contains it is missing. */
export function textsThatMayContain(tenant: Tenant, text: string): RawBuilder<unknown> {
  const bits = bitsAskedBy(text)
  const ofTenant = sql`organization_id = ${tenant.organizationId}`
  if (bits.length === 0) return sql`(select * from customer_texts where ${ofTenant}) as t`
  const hasBits = sql.join(
    bits.map((bit) => sql`get_bit(grams, ${sql.lit(bit)}) = 1`),
    sql` and `,
  )
  return sql`(
    select number from customer_text_grams where ${ofTenant} and ${hasBits}
    union all select number from customer_texts where ${ofTenant} and not is_packed) as chosen
    cross join lateral (select * from customer_texts where ${ofTenant} and number = chosen.number offset 0) as t`
}

/**
 * Packs the texts of all customers again, without earlier names, after many were added or changed. Customers that
 * change meanwhile get an additional row.
 */
export async function packCustomerTexts(tenant: Tenant): Promise<void> {
  const { rows } = await sql<{ isDue: boolean }>`
    select count(*) filter (where not is_packed)
           > ${loose.rows}::integer + ${loose.ofPacked}::numeric * count(*) filter (where is_packed) as "isDue"
      from customer_texts where organization_id = ${tenant.organizationId}`.execute(tenant.sql)
  if (!rows[0]?.isDue) return
  await tenant.sql
    .deleteFrom('customer_text_grams')
    .where('organization_id', '=', tenant.organizationId)
    .execute()
  await tenant.sql.deleteFrom('customer_texts').where('organization_id', '=', tenant.organizationId).execute()
  let customers: Line[]
  let after = ''
  do {
    customers = await listLines(tenant, after)
    after = customers.at(-1)?.id ?? after
    await addPacked(tenant, packed(customers))
  } while (customers.length === customersPerRead)
}

/** Removes earlier names of these customers from the searched texts. */
export async function forgetFormerTexts(tenant: Tenant, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { organizationId } = tenant
  await sql`
    with gone as (
      delete from customer_texts where organization_id = ${organizationId} and ids && ${ids}::text[]
      returning number, ids),
    without_grams as (
      delete from customer_text_grams
       where organization_id = ${organizationId} and number in (select number from gone))
    insert into customer_texts (organization_id, ids, texts)
    select organization_id, array_agg(id), string_agg(translate(search_text, chr(30), ' '), chr(30))
      from (select organization_id, id, search_text, row_number() over () / 25 as part from customers
             where organization_id = ${organizationId} and id in (select unnest(gone.ids) from gone)
               and btrim(search_text, chr(10)) <> '') as named
     group by organization_id, part`.execute(tenant.sql)
}

type Line = { id: string; text: string }

async function listLines(tenant: Tenant, after: string): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select id, translate(search_text, chr(30), ' ') as text from customers
     where organization_id = ${tenant.organizationId} and id > ${after}
     order by id limit ${customersPerRead}`.execute(tenant.sql)
  return rows
}

/** Groups lines into rows of the target size. Omits customers without text, because no search can find them. */
function packed(lines: readonly Line[]): Line[][] {
  const packs: Line[][] = []
  let bytesLeft = 0
  for (const line of lines) {
    if (line.text.replaceAll('\n', '') === '') continue
    const bytes = Buffer.byteLength(line.id) + Buffer.byteLength(line.text) + 12
    if (bytes > bytesLeft) {
      packs.push([])
      bytesLeft = packedBytes
    }
    packs.at(-1)?.push(line)
    bytesLeft -= bytes
  }
  return packs
}

async function addPacked(tenant: Tenant, packs: readonly Line[][]): Promise<void> {
  const rows = packs.map((lines) => {
    const texts = lines.map(({ text }) => text).join('\x1e')
    return { ids: lines.map(({ id }) => id), texts, grams: Buffer.from(gramsOf(texts)).toString('base64') }
  })
  await sql`
    with packed as materialized (
      select nextval(pg_get_serial_sequence('customer_texts', 'number')) as number, ids, texts, grams
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (ids text[], texts text, grams text)),
    added as (
      insert into customer_text_grams (organization_id, number, grams)
      select ${tenant.organizationId}, number, decode(grams, 'base64') from packed)
    insert into customer_texts (organization_id, number, ids, texts, is_packed)
    overriding system value select ${tenant.organizationId}, number, ids, texts, true from packed`.execute(
    tenant.sql,
  )
}
