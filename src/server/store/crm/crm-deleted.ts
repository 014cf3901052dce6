import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** The CRM's own kinds of record whose deletion we remember. */
export type DeletedKind = 'company' | 'contact'

/** What identifies a deleted record: a contact's addresses; a company's hosts and the key we created it under. */
const valuesOf: Readonly<Record<DeletedKind, string>> = {
  contact: 'emails',
  company: `domains || array_remove(array[created_for], null)`,
}

export const indexTables = { company: 'crm_companies', contact: 'crm_contacts' } as const

const hashOf = sql`sha256(convert_to(value, 'UTF8'))`

/** Remembers what identified records that somebody deleted in the CRM, before they leave the index. */
export async function rememberDeleted(
  tenant: Tenant,
  portalId: string,
  kind: DeletedKind,
  condition: ReturnType<typeof sql<boolean>>,
  at: Date,
): Promise<void> {
  await sql`
    insert into crm_deleted (organization_id, portal_id, kind, value_hash, noticed_at)
    select distinct ${tenant.organizationId}::integer, ${portalId}, ${kind}, ${hashOf}, ${at}::timestamptz
      from ${sql.table(indexTables[kind])} as i cross join lateral unnest(${sql.raw(valuesOf[kind])}) as value
     where i.organization_id = ${tenant.organizationId} and i.portal_id = ${portalId} and ${condition}
    on conflict do nothing`.execute(tenant.sql)
}

/** Forgets a deletion when a record with the same identity exists again. */
export async function forgetDeleted(
  tenant: Tenant,
  portalId: string,
  kind: DeletedKind,
  values: readonly string[],
): Promise<void> {
  if (values.length === 0) return
  await sql`
    delete from crm_deleted
     where organization_id = ${tenant.organizationId} and portal_id = ${portalId} and kind = ${kind}
       and value_hash in (select ${hashOf} from unnest(${values}::text[]) as value)`.execute(tenant.sql)
}

/** The addresses or domains among these whose record somebody deleted. */
export async function listDeleted(
  tenant: Tenant,
  portalId: string,
  kind: DeletedKind,
  values: readonly string[],
): Promise<Set<string>> {
  if (values.length === 0) return new Set()
  const { rows } = await sql<{ value: string }>`
    select value from unnest(${values}::text[]) as value
      join crm_deleted d on d.organization_id = ${tenant.organizationId} and d.portal_id = ${portalId}
                        and d.kind = ${kind} and d.value_hash = ${hashOf}`.execute(tenant.sql)
  return new Set(rows.map(({ value }) => value))
}
