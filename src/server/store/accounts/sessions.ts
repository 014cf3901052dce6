import { sql } from 'kysely'
import type { Database } from '../postgres/database.ts'

/** The open sessions of the user, the one used last first. */
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

/** Ends one session of the user; false where it is none of theirs. */
export async function endSession(database: Database, userId: number, sessionId: number): Promise<boolean> {
  const ended = await database
    .deleteFrom('session')
    .where('id', '=', sessionId)
    .where('userId', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}

/** Ends every session of the user but one; returns how many. */
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

/** Gives the session another token, with which alone it is found from now on, and another active organization. */
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

/** Whether the user has an open session that was begun from this address. */
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

/** Whether the session was begun within the last so many minutes; use and another organization make it no younger. */
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
