import { type Kysely, sql } from 'kysely'
import type { Role } from '#domain/membership.ts'
import type { Tenant } from '../postgres/database.ts'
import type { DB } from '../postgres/tables.ts'

export type Member = { id: number; userId: number; name: string; email: string; role: Role; joinedAt: Date }

/** The organization's members, oldest first. */
export async function listMembers(tenant: Tenant): Promise<Member[]> {
  const rows = await tenant.sql
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select(['member.id', 'user.id as userId', 'user.name', 'user.email', 'member.role'])
    .select('member.createdAt as joinedAt')
    .where('member.organizationId', '=', tenant.organizationId)
    .orderBy('member.id')
    .execute()
  return rows.map((row) => ({ ...row, role: roleOf(row.role) }))
}

/**
 * Locks the organization until the transaction ends, so that each change to its members sees the one before.
 * Otherwise two owners who leave at once would leave it without an owner.
 */
export async function lockMembership(tenant: Tenant): Promise<void> {
  await tenant.sql
    .selectFrom('organization')
    .select('id')
    .where('id', '=', tenant.organizationId)
    .forUpdate()
    .executeTakeFirst()
}

export async function setRole(tenant: Tenant, memberId: number, role: Role): Promise<void> {
  await tenant.sql
    .updateTable('member')
    .set({ role })
    .where('organizationId', '=', tenant.organizationId)
    .where('id', '=', memberId)
    .execute()
}

export async function removeMember(tenant: Tenant, memberId: number): Promise<void> {
  await tenant.sql
    .deleteFrom('member')
    .where('organizationId', '=', tenant.organizationId)
    .where('id', '=', memberId)
    .execute()
}

/** Makes the user a member; an existing member does not change. */
export async function addMember(
  sqlOf: Kysely<DB>,
  member: { organizationId: number; userId: number; role: Role },
) {
  await sqlOf
    .insertInto('member')
    .values({ ...member, createdAt: sql<Date>`current_timestamp` })
    .onConflict((conflict) => conflict.columns(['organizationId', 'userId']).doNothing())
    .execute()
}

/** The database accepts only these roles. */
export function roleOf(text: string): Role {
  return text === 'owner' || text === 'admin' ? text : 'member'
}
