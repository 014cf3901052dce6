import nodemailer from 'nodemailer'
import type { Log } from '../../log.ts'
import type { Database } from '../../store/postgres/database.ts'
import { noteMailFailed } from '../../store/accounts/invitations.ts'
import {
  addToOutbox,
  giveUpOldMail,
  noteFailedAttempt,
  removeFromOutbox,
  takeDueMail,
} from '../../store/accounts/outbox.ts'
import type { Mail, MailPort } from '../../providers/mail.ts'

const timeoutMs = 10_000

type MailOptions = {
  config: { smtpUrl: string | null; mailFrom: string }
  database: Database
  log: Log
  /** Whether mail stays in the outbox for now. */
  isHeld?: () => Promise<boolean>
}

/** Real mail where an SMTP server is configured, the outbox otherwise. */
export function createMail({ config, database, log, isHeld }: MailOptions): MailPort {
  const keep = (mail: Mail) => addToOutbox(database, mail)
  if (config.smtpUrl === null) return { send: keep, deliver: async () => {} }
  const transport = createTransport(config.smtpUrl)
  const deliver = async () => {
    if (await isHeld?.()) return
    const givenUp = await giveUpOldMail(database)
    if (givenUp > 0) log.error({ givenUp }, 'mail was given up: no server took it in two days')
    for (let due = await takeDueMail(database); due !== undefined; due = await takeDueMail(database)) {
      const { id, attempts, recipient: to, subject, body, link, invitationId } = due
      try {
        await transport.sendMail({
          from: config.mailFrom,
          to,
          subject,
          text: textOf({ to, subject, body, link }),
        })
        await removeFromOutbox(database, id)
      } catch (error) {
        if (!isRefusedForGood(error)) await noteFailedAttempt(database, id)
        else {
          if (invitationId !== null) await noteMailFailed(database, invitationId)
          await removeFromOutbox(database, id)
        }
        // Of the server's answer only its code is ours to log: its text may repeat the address.
        log.error({ mailId: id, attempts, code: codeOf(error) }, 'mail was not delivered')
      }
    }
  }
  return {
    deliver,
    async send(mail) {
      await keep(mail)
      // Nobody waits: how long a server takes would tell whether there is an account.
      deliver().catch((error: unknown) => log.error({ error }, 'mail waits in the outbox'))
    },
  }
}

function createTransport(url: string) {
  return nodemailer.createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** A 5xx to the recipient or the content stays; one to us, as for a wrong password, is mended by whoever runs us. */
function isRefusedForGood(error: unknown): boolean {
  const { responseCode, command } = Object(error)
  return typeof responseCode === 'number' && responseCode >= 550 && ['RCPT TO', 'DATA'].includes(command)
}

function codeOf(error: unknown): string {
  const { responseCode, code } = Object(error)
  return String(responseCode ?? code ?? 'unknown')
}

function textOf(mail: Mail): string {
  return mail.link === null ? mail.body : `${mail.body}\n\n${mail.link}\n`
}
