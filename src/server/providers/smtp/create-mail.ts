import nodemailer from 'nodemailer'
import type { Database } from '../../store/database.ts'
import { addToOutbox } from '../../store/outbox.ts'
import type { Mail, MailPort } from '../mail.ts'

const timeoutMs = 10_000

/** Real mail where an SMTP server is configured, the outbox otherwise. */
export function createMail(options: {
  config: { smtpUrl: string | null; mailFrom: string }
  database: Database
}): MailPort {
  const { smtpUrl, mailFrom } = options.config
  return smtpUrl === null ? createOutboxMail(options.database) : createSmtpMail(smtpUrl, mailFrom)
}

/** Hands mail to an SMTP server; `from` is an address with or without a name. */
function createSmtpMail(url: string, from: string): MailPort {
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail) {
      await transport.sendMail({ from, to: mail.to, subject: mail.subject, text: textOf(mail) })
    },
  }
}

/** Keeps mail in the database, where the outbox page shows it. */
function createOutboxMail(database: Database): MailPort {
  return { send: (mail) => addToOutbox(database, mail) }
}

function textOf(mail: Mail): string {
  return mail.link === null ? mail.body : `${mail.body}\n\n${mail.link}\n`
}
