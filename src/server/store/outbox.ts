import type { Database } from './database.ts'

export type OutboxMail = {
  recipient: string
  subject: string
  body: string
  link: string | null
  createdAt: Date
}

const shownMax = 50

/** Keeps a mail of the simulated mode, which no server carries away. */
export async function addToOutbox(
  database: Database,
  mail: { to: string; subject: string; body: string; link: string | null },
): Promise<void> {
  await database
    .insertInto('outbox')
    .values({ recipient: mail.to, subject: mail.subject, body: mail.body, link: mail.link })
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
