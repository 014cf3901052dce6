import { sql } from 'kysely'
import { type Database, type Tenant, tenantOf } from '../postgres/database.ts'
import { errorCodeOf, uniqueViolation } from '../postgres/error-code.ts'
import { type Actor, recordAudit } from './audit.ts'
import { claimDomain } from './domain-claims.ts'

export type NewOrganization = {
  name: string
  /** Unique over all organizations. */
  slug: string
  /** The user that becomes its owner. */
  founder: Actor
  /** The registrable domain that it claims; null if it can claim none. */
  domain: string | null
}

export type CreatedOrganization = {
  id: number
  name: string
  slug: string
  createdAt: Date
  memberId: number
}

class NotCreated extends Error {
  readonly reason: 'slug_taken' | 'domain_claimed'
  constructor(reason: 'slug_taken' | 'domain_claimed') {
    super(reason)
    this.reason = reason
  }
}

/** Creates organization, owner, domain claim and settings together or not at all, and returns what prevented it. */
export async function createOrganizationRow(
  database: Database,
  wanted: NewOrganization,
): Promise<CreatedOrganization | 'slug_taken' | 'domain_claimed'> {
  try {
    return await database.transaction().execute(async (transaction) => {
      const now = sql<Date>`current_timestamp`
      const organization = await transaction
        .insertInto('organization')
        .values({ name: wanted.name, slug: wanted.slug, createdAt: now })
        .onConflict((conflict) => conflict.column('slug').doNothing())
        .returning(['id', 'name', 'slug', 'createdAt'])
        .executeTakeFirst()
      if (organization === undefined) throw new NotCreated('slug_taken')
      const { id } = organization
      if (wanted.domain !== null && !(await claimDomain(transaction, wanted.domain, id))) {
        throw new NotCreated('domain_claimed')
      }
      const member = await transaction
        .insertInto('member')
        .values({ organizationId: id, userId: wanted.founder.userId, role: 'owner', createdAt: now })
        .returning('id')
        .executeTakeFirstOrThrow()
      const tenant = await tenantOf(transaction, id)
      await transaction.insertInto('organization_settings').values({ organization_id: id }).execute()
      await recordAudit(tenant, wanted.founder, { action: 'organization_created', subject: wanted.name })
      return { ...organization, memberId: member.id }
    })
  } catch (error) {
    if (error instanceof NotCreated) return error.reason
    throw error
  }
}

export type OrganizationProfile = { name: string; slug: string; logo: string | null }

export function getOrganization(tenant: Tenant): Promise<OrganizationProfile> {
  return tenant.sql
    .selectFrom('organization')
    .select(['name', 'slug', 'logo'])
    .where('id', '=', tenant.organizationId)
    .executeTakeFirstOrThrow()
}

/** Returns false if another organization has the slug; the transaction then accepts no more statements. */
export async function saveOrganization(tenant: Tenant, wanted: OrganizationProfile): Promise<boolean> {
  try {
    await tenant.sql
      .updateTable('organization')
      .set(wanted)
      .where('id', '=', tenant.organizationId)
      .executeTakeFirst()
    return true
  } catch (error) {
    // Only the index decides between two that ask at once.
    if (errorCodeOf(error) === uniqueViolation) return false
    throw error
  }
}

/** The user's organizations, oldest membership first. */
export function listMemberships(database: Database, userId: number) {
  return database
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .select(['organization.id', 'organization.name', 'member.role'])
    .where('member.userId', '=', userId)
    .orderBy('member.id')
    .execute()
}

/** The current membership; undefined once it has ended. */
export function findMembership(database: Database, userId: number, organizationId: number) {
  return database
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .select(['organization.id', 'organization.name', 'member.role'])
    .where('member.userId', '=', userId)
    .where('member.organizationId', '=', organizationId)
    .orderBy('member.id')
    .executeTakeFirst()
}

/** All organizations, for work that goes through each of them. */
export async function listOrganizationIds(database: Database): Promise<number[]> {
  const rows = await database.selectFrom('organization').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** The same, with the time of creation: after a restore, an id alone could belong to another organization. */
export function listOrganizations(database: Database): Promise<{ id: number; createdAt: Date }[]> {
  return database.selectFrom('organization').select(['id', 'createdAt']).orderBy('id').execute()
}
