import type { Transaction } from 'kysely'
import type { Database, Tenant } from '../postgres/database.ts'
import type { DB } from '../postgres/tables.ts'

/** Whether an organization has claimed the registrable domain. */
export async function isDomainClaimed(database: Database, domain: string): Promise<boolean> {
  const claim = await database
    .selectFrom('domain_claims')
    .select('domain')
    .where('domain', '=', domain)
    .executeTakeFirst()
  return claim !== undefined
}

/**
 * Claims the domain; false if another organization has it. The primary key lets only one of two parallel claims
 * succeed.
 */
export async function claimDomain(
  transaction: Transaction<DB>,
  domain: string,
  organizationId: number,
): Promise<boolean> {
  const claimed = await transaction
    .insertInto('domain_claims')
    .values({ domain, organization_id: organizationId })
    .onConflict((conflict) => conflict.column('domain').doNothing())
    .returning('domain')
    .executeTakeFirst()
  return claimed !== undefined
}

/** The names of the owners and admins of the organization that has claimed the domain, owners first, at most `max`. */
export async function listInviterNames(database: Database, domain: string, max: number): Promise<string[]> {
  const rows = await database
    .selectFrom('domain_claims')
    .innerJoin('member', 'member.organizationId', 'domain_claims.organization_id')
    .innerJoin('user', 'user.id', 'member.userId')
    .select('user.name')
    .where('domain_claims.domain', '=', domain)
    .where('member.role', 'in', ['owner', 'admin'])
    .orderBy('member.role', 'desc')
    .orderBy('member.id')
    .limit(max)
    .execute()
  return rows.map(({ name }) => name)
}

/** The organization that has claimed the domain. */
export async function findClaimant(database: Database, domain: string): Promise<number | undefined> {
  const claim = await database
    .selectFrom('domain_claims')
    .select('organization_id')
    .where('domain', '=', domain)
    .executeTakeFirst()
  return claim?.organization_id
}

/** Releases the organization's claim of the domain; false if it has none. */
export async function dropClaim(tenant: Tenant, domain: string): Promise<boolean> {
  const dropped = await tenant.sql
    .deleteFrom('domain_claims')
    .where('domain', '=', domain)
    .where('organization_id', '=', tenant.organizationId)
    .executeTakeFirst()
  return dropped.numDeletedRows > 0n
}
