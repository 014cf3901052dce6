import { sql } from 'kysely'
import type { Database } from '../postgres/database.ts'

export type OutboxMail = {
  recipient: string
  subject: string
  body: string
  link: string | null
  createdAt: Date
}

const shownMax = 50
/** Links in mail are good for an hour or two days; what is older helps nobody. */
const triedForHours = 48
const retryMaxSeconds = 900

/** Keeps a mail until it is carried away; without a server for mail, for the outbox page. */
export async function addToOutbox(
  database: Database,
  mail: { to: string; subject: string; body: string; link: string | null; invitationId?: number },
): Promise<void> {
  await database
    .insertInto('outbox')
    .values({
      recipient: mail.to,
      subject: mail.subject,
      body: mail.body,
      link: mail.link,
      invitation_id: mail.invitationId ?? null,
    })
    .execute()
}

/** The newest fifty, newest first. */
export function listOutbox(database: Database): Promise<OutboxMail[]> {
  return database
    .selectFrom('outbox')
    .select(['recipient', 'subject', 'body', 'link', 'created_at as createdAt'])
    .orderBy('id', 'desc')
    .limit(shownMax)
    .execute()
}

/**
 * Takes the next mail that is due, for one sender at a time, and puts its next attempt off by ever longer. Whoever
 * delivers it removes it; whoever dies meanwhile leaves it to the next attempt, so that it may arrive twice, never not.
 */
export async function takeDueMail(database: Database) {
  const { rows } = await sql<OutboxMail & { id: number; attempts: number; invitationId: number | null }>`
    update outbox set attempts = attempts + 1,
      next_attempt_at = current_timestamp
        + make_interval(secs => least(${retryMaxSeconds}, 30 * power(2, least(attempts, 10))))
     where id = (select id from outbox where next_attempt_at <= current_timestamp
                    and created_at > current_timestamp - make_interval(hours => ${triedForHours})
                  order by next_attempt_at, id limit 1 for update skip locked)
    returning id, attempts, recipient, subject, body, link, created_at as "createdAt", invitation_id as "invitationId"`.execute(
    database,
  )
  return rows[0]
}

/** Says that an attempt has failed; there will be more. */
export async function noteFailedAttempt(database: Database, id: number): Promise<void> {
  await database
    .updateTable('outbox')
    .set({ failed_at: sql<Date>`current_timestamp` })
    .where('id', '=', id)
    .execute()
}

/** Forgets a mail that a server has taken, or refused for good. */
export async function removeFromOutbox(database: Database, id: number): Promise<void> {
  await database.deleteFrom('outbox').where('id', '=', id).execute()
}

/** Forgets what was tried long enough; returns how many were given up. */
export async function giveUpOldMail(database: Database): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    delete from outbox where created_at <= current_timestamp - make_interval(hours => ${triedForHours})
    returning id`.execute(database)
  return rows.length
}
