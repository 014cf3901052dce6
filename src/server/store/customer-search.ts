import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from './database.ts'
import { containing } from './like-pattern.ts'

/**
 * Ids of the customers whose name, address, domain or decided company contains the text. As a set of its own it is
 * found once, and a million events are then only looked up in it.
 */
export function customersMatching(tenant: Tenant, search: string): RawBuilder<unknown> {
  const pattern = containing(search)
  return sql`(
    select id from customers
     where organization_id = ${tenant.organizationId}
       and (name ilike ${pattern} or email ilike ${pattern} or domain ilike ${pattern})
    union all
    select customer_id from matches
     where organization_id = ${tenant.organizationId} and state = 'linked' and company_name ilike ${pattern})`
}
