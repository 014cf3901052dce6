import type { Log } from '../../log.ts'
import type { Mail, MailPort, MailServer } from '../../providers/mail.ts'
import { noteMailFailed } from '../../store/accounts/invitations.ts'
import {
  addToOutbox,
  giveUpOldMail,
  noteFailedAttempt,
  removeFromOutbox,
  takeDueMail,
} from '../../store/accounts/outbox.ts'
import type { Database } from '../../store/postgres/database.ts'

type MailOptions = {
  /** With null all mail stays in the outbox, which a page shows. */
  server: MailServer | null
  database: Database
  log: Log
  /** Whether mail stays in the outbox for now. */
  isHeld?: () => Promise<boolean>
}

/** Saves mail in the outbox and delivers it from there to the server. */
export function createMail({ server, database, log, isHeld }: MailOptions): MailPort {
  const keep = (mail: Mail) => addToOutbox(database, mail)
  if (server === null) return { send: keep, deliver: async () => {} }
  const deliver = async () => {
    if (await isHeld?.()) return
    const givenUp = await giveUpOldMail(database)
    if (givenUp > 0) log.error({ givenUp }, 'mail was given up: no server took it in two days')
    for (let due = await takeDueMail(database); due !== undefined; due = await takeDueMail(database)) {
      const { id, attempts, recipient: to, subject, body, link, invitationId } = due
      const outcome = await server.deliver({ to, subject, body, link })
      if (outcome.isSent) {
        await removeFromOutbox(database, id)
        continue
      }
      if (!outcome.isRefused) await noteFailedAttempt(database, id)
      else {
        if (invitationId !== null) await noteMailFailed(database, invitationId)
        await removeFromOutbox(database, id)
      }
      log.error({ mailId: id, attempts, code: outcome.code }, 'mail was not delivered')
    }
  }
  return {
    deliver,
    async send(mail) {
      await keep(mail)
      // The caller does not wait, because the server's response time would reveal whether an account exists.
      deliver().catch((error: unknown) => log.error({ error }, 'mail waits in the outbox'))
    },
  }
}
