import { sql } from 'kysely'
import { type Role, roles } from '#domain/membership.ts'
import type { Database, Tenant } from '../postgres/database.ts'
import { roleOf } from './members.ts'

/** `sent` means that a mail server accepted the mail, or that no attempt was made yet. */
export type InvitationMail = 'sent' | 'waiting' | 'failed'
/** Links and the API identify the invitation by its token; the numeric id stays internal. */
export type Invitation = { token: string; email: string; role: Role; expiresAt: Date; mail: InvitationMail }

const validHours = 48

/**
 * Open invitations to the verified address from all organizations, newest first, each with whether its organization
 * has claimed the address's domain.
 */
export async function listInvitationsTo(database: Database, email: string, domain: string | null) {
  const rows = await database
    .selectFrom('invitation')
    .innerJoin('organization', 'organization.id', 'invitation.organizationId')
    .innerJoin('user', 'user.id', 'invitation.inviterId')
    .leftJoin('domain_claims', (join) =>
      join
        .onRef('domain_claims.organization_id', '=', 'organization.id')
        .on('domain_claims.domain', '=', domain),
    )
    .select(['invitation.token', 'invitation.organizationId', 'organization.name as organizationName'])
    .select(['user.email as inviterEmail', 'domain_claims.domain as claimed'])
    .where('invitation.email', '=', email)
    .where('invitation.status', '=', 'pending')
    .where('invitation.expiresAt', '>', sql<Date>`current_timestamp`)
    .orderBy('invitation.id', 'desc')
    .execute()
  return rows.map(({ claimed, ...invitation }) => ({ ...invitation, isFromOwnDomain: claimed !== null }))
}

/** The organizations that the person joined by an invitation to the address, and is still a member of. */
export function listTakenInvitations(database: Database, email: string, userId: number) {
  return database
    .selectFrom('invitation')
    .innerJoin('member', 'member.organizationId', 'invitation.organizationId')
    .select(['invitation.token', 'invitation.organizationId'])
    .where('invitation.email', '=', email)
    .where('invitation.status', '=', 'accepted')
    .where('member.userId', '=', userId)
    .execute()
}

/** Invitations of the organization that are still open, the newest first. */
export async function listOpenInvitations(tenant: Tenant): Promise<Invitation[]> {
  const rows = await tenant.sql
    .selectFrom('invitation')
    .select(['token', 'email', 'role', 'expiresAt', 'mailFailedAt'])
    .select((e) =>
      e
        .exists(
          e
            .selectFrom('outbox')
            .select('outbox.id')
            .whereRef('outbox.invitation_id', '=', 'invitation.id')
            .where('outbox.failed_at', 'is not', null),
        )
        .as('isWaiting'),
    )
    .where('organizationId', '=', tenant.organizationId)
    .where('status', '=', 'pending')
    .where('expiresAt', '>', sql<Date>`current_timestamp`)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ token, email, role, expiresAt, mailFailedAt, isWaiting }) => ({
    token,
    email,
    role: roleOf(role),
    expiresAt,
    mail: mailFailedAt !== null ? 'failed' : isWaiting ? 'waiting' : 'sent',
  }))
}

/**
 * Invites the address for two days. Renews an open invitation to it, so that the link in an earlier mail still works.
 */
export async function addInvitation(
  tenant: Tenant,
  invitation: { token: string; email: string; role: Exclude<Role, 'owner'>; inviterId: number },
): Promise<{ id: number; token: string }> {
  const expiresAt = sql<Date>`current_timestamp + make_interval(hours => ${validHours})`
  const { role, inviterId } = invitation
  const renewed = { role, inviterId, expiresAt, mailFailedAt: null }
  const invited = await tenant.sql
    .insertInto('invitation')
    .values({ ...invitation, organizationId: tenant.organizationId, status: 'pending', expiresAt })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'email']).where('status', '=', 'pending').doUpdateSet(renewed),
    )
    .returning(['id', 'token'])
    .executeTakeFirstOrThrow()
  // The new mail replaces one that still waits.
  await tenant.sql.deleteFrom('outbox').where('invitation_id', '=', invited.id).execute()
  return invited
}

/** Records that a mail server refused the invitation's mail for good. */
export async function noteMailFailed(database: Database, id: number): Promise<void> {
  await database
    .updateTable('invitation')
    .set({ mailFailedAt: sql<Date>`current_timestamp` })
    .where('id', '=', id)
    .execute()
}

/** Withdraws an open invitation; returns its address, or undefined if there is no such invitation. */
export async function cancelInvitation(tenant: Tenant, token: string): Promise<string | undefined> {
  const cancelled = await tenant.sql
    .updateTable('invitation')
    .set({ status: 'canceled' })
    .where('organizationId', '=', tenant.organizationId)
    .where('token', '=', token)
    .where('status', '=', 'pending')
    .returning(['id', 'email'])
    .executeTakeFirst()
  await stopMails(tenant, cancelled === undefined ? [] : [cancelled.id])
  return cancelled?.email
}

/** Mails of withdrawn invitations that no server took yet: an address with a slip in it may be a stranger's. */
async function stopMails(tenant: Tenant, invitationIds: readonly number[]): Promise<void> {
  if (invitationIds.length === 0) return
  await tenant.sql
    .deleteFrom('outbox')
    .where('invitation_id', 'in', [...invitationIds])
    .where('failed_at', 'is not', null)
    .execute()
}

/** Withdraws what a person who may no longer invite has open. */
export async function cancelInvitationsBy(tenant: Tenant, inviterId: number): Promise<void> {
  const cancelled = await tenant.sql
    .updateTable('invitation')
    .set({ status: 'canceled' })
    .where('organizationId', '=', tenant.organizationId)
    .where('inviterId', '=', inviterId)
    .where('status', '=', 'pending')
    .returning('id')
    .execute()
  await stopMails(
    tenant,
    cancelled.map(({ id }) => id),
  )
}

/** Who invites whom to what; undefined unless the token is of an open invitation. */
export function findInvitation(database: Database, token: string) {
  return database
    .selectFrom('invitation')
    .innerJoin('organization', 'organization.id', 'invitation.organizationId')
    .innerJoin('user', 'user.id', 'invitation.inviterId')
    .select(['organization.name as organizationName', 'invitation.email'])
    .select(['user.name as inviterName', 'user.email as inviterEmail'])
    .where('invitation.token', '=', token)
    .where('invitation.status', '=', 'pending')
    .where('invitation.expiresAt', '>', sql<Date>`current_timestamp`)
    .executeTakeFirst()
}

/** The organization of an open invitation to the address; undefined for any other token. */
export async function findInvitationTo(database: Database, token: string, email: string) {
  const found = await database
    .selectFrom('invitation')
    .select('organizationId')
    .where('token', '=', token)
    .where('email', '=', email)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  return found?.organizationId
}

/**
 * Uses an open invitation to the address once; returns its role, or undefined if it was used, withdrawn or expired.
 */
export async function takeInvitation(
  tenant: Tenant,
  token: string,
  email: string,
): Promise<Role | undefined> {
  const used = await tenant.sql
    .updateTable('invitation')
    .set({ status: 'accepted' })
    .where('organizationId', '=', tenant.organizationId)
    .where('token', '=', token)
    .where('email', '=', email)
    .where('status', '=', 'pending')
    .where('expiresAt', '>', sql<Date>`current_timestamp`)
    .returning('role')
    .executeTakeFirst()
  return used && roles.find((role) => role === used.role)
}
