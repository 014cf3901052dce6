import { sql } from 'kysely'
import type { Database } from '../postgres/database.ts'

/** The user's open sessions, the last used one first. */
export function listSessions(database: Database, userId: number) {
  return database
    .selectFrom('session')
    .select(['id', 'ipAddress as address', 'userAgent', 'createdAt', 'updatedAt as lastSeenAt'])
    .where('userId', '=', userId)
    .where('expiresAt', '>', sql<Date>`current_timestamp`)
    .orderBy('updatedAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Ends one session of the user; false if the session is not theirs. */
export async function endSession(database: Database, userId: number, sessionId: number): Promise<boolean> {
  const ended = await database
    .deleteFrom('session')
    .where('id', '=', sessionId)
    .where('userId', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}

/** Ends all sessions of the user; returns their number. */
export async function endSessions(database: Database, userId: number): Promise<number> {
  const ended = await database.deleteFrom('session').where('userId', '=', userId).executeTakeFirst()
  return Number(ended.numDeletedRows)
}

/** Ends all other sessions of the user; returns their number. */
export async function endOtherSessions(
  database: Database,
  userId: number,
  keptSessionId: number,
): Promise<number> {
  const ended = await database
    .deleteFrom('session')
    .where('userId', '=', userId)
    .where('id', '<>', keptSessionId)
    .returning('id')
    .execute()
  return ended.length
}

/** Ends what could still sign in by an earlier password or mailbox: mailed links, and sign-ins that wait for a code. */
export async function endBegunSignIns(database: Database, userId: number): Promise<void> {
  await database.deleteFrom('verification').where('value', '=', String(userId)).execute()
}

/** Replaces the session's token, which invalidates the old one, and its active organization. */
export async function rotateSession(
  database: Database,
  session: { id: number; token: string; organizationId: number | null },
): Promise<void> {
  await database
    .updateTable('session')
    .set({
      token: session.token,
      activeOrganizationId: session.organizationId === null ? null : String(session.organizationId),
      updatedAt: sql<Date>`current_timestamp`,
    })
    .where('id', '=', session.id)
    .execute()
}

/** Whether the user has an open session that started from this address. */
export async function hasSessionFrom(database: Database, email: string, address: string): Promise<boolean> {
  const found = await database
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .select('session.id')
    .where('user.email', '=', email)
    .where('session.ipAddress', '=', address)
    .where('session.expiresAt', '>', sql<Date>`current_timestamp`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether the session started within this many minutes; use, or a switch of organization, does not renew it. */
export async function isSessionFresh(
  database: Database,
  sessionId: number,
  minutes: number,
): Promise<boolean> {
  const found = await database
    .selectFrom('session')
    .select('id')
    .where('id', '=', sessionId)
    .where('createdAt', '>', sql<Date>`current_timestamp - make_interval(mins => ${minutes})`)
    .executeTakeFirst()
  return found !== undefined
}
