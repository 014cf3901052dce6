import type { Tenant } from '../postgres/database.ts'

/** What these customers are called now: the name, else the email; an erased one has a pseudonym. */
export async function namesOfCustomers(
  tenant: Tenant,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map()
  const rows = await tenant.sql
    .selectFrom('customers')
    .select((e) => ['id', e.fn.coalesce('name', 'email').as('called')])
    .where('organization_id', '=', tenant.organizationId)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, called }) => [id, called]))
}
