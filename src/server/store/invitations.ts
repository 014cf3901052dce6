import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Invitations to the address that are still open, the newest first. */
export function listPendingInvitations(database: Database, email: string) {
  return database
    .selectFrom('invitation')
    .select(['id', 'organizationId', 'role'])
    .where((e) => e(e.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .where('status', '=', 'pending')
    .where('expiresAt', '>', sql<Date>`current_timestamp`)
    .orderBy('id', 'desc')
    .execute()
}

/** Turns an open invitation into a membership, once: false when someone else was faster or it was withdrawn. */
export function acceptInvitation(database: Database, invitationId: number, userId: number): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const accepted = await transaction
      .updateTable('invitation')
      .set({ status: 'accepted' })
      .where('id', '=', invitationId)
      .where('status', '=', 'pending')
      .where('expiresAt', '>', sql<Date>`current_timestamp`)
      .returning(['organizationId', 'role'])
      .executeTakeFirst()
    if (accepted === undefined) return false
    await transaction
      .insertInto('member')
      .values({
        organizationId: accepted.organizationId,
        userId,
        role: accepted.role ?? 'member',
        createdAt: sql<Date>`current_timestamp`,
      })
      .onConflict((conflict) => conflict.columns(['organizationId', 'userId']).doNothing())
      .execute()
    return true
  })
}
