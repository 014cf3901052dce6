import { sql } from 'kysely'
import type { Database } from '../postgres/database.ts'

export type OutboxMail = {
  id: number
  recipient: string
  subject: string
  body: string
  link: string | null
  createdAt: Date
}

const shownMax = 50
/** Links in mails are valid for one hour or two days, so older mail is useless. */
const triedForHours = 48
const retryMaxSeconds = 900

/** Saves a mail until it is delivered; without a mail server, the outbox page shows it. */
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
    .select(['id', 'recipient', 'subject', 'body', 'link', 'created_at as createdAt'])
    .orderBy('id', 'desc')
    .limit(shownMax)
    .execute()
}

/**
 * Takes the next due mail for one sender and schedules its next attempt after a growing pause. The sender removes the
 * mail after delivery. If it dies first, the mail may arrive twice but is never lost.
 */
export async function takeDueMail(database: Database) {
  const { rows } = await sql<OutboxMail & { attempts: number; invitationId: number | null }>`
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

/** Records a failed attempt; more attempts follow. */
export async function noteFailedAttempt(database: Database, id: number): Promise<void> {
  await database
    .updateTable('outbox')
    .set({ failed_at: sql<Date>`current_timestamp` })
    .where('id', '=', id)
    .execute()
}

/** Deletes a mail that a server accepted, or refused for good. */
export async function removeFromOutbox(database: Database, id: number): Promise<void> {
  await database.deleteFrom('outbox').where('id', '=', id).execute()
}

/** Deletes mails that are too old to try again; returns their number. */
export async function giveUpOldMail(database: Database): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    delete from outbox where created_at <= current_timestamp - make_interval(hours => ${triedForHours})
    returning id`.execute(database)
  return rows.length
}
