import nodemailer from 'nodemailer'
import type { Mail, MailServer } from '../mail.ts'

const timeoutMs = 10_000

/** The SMTP server of the settings; null where there is none. */
export function createSmtp({
  smtpUrl,
  mailFrom,
}: {
  smtpUrl: string | null
  mailFrom: string
}): MailServer | null {
  if (smtpUrl === null) return null
  const transport = createTransport(smtpUrl)
  return {
    async deliver(mail) {
      const { to, subject } = mail
      try {
        await transport.sendMail({ from: mailFrom, to, subject, text: textOf(mail) })
        return { isSent: true }
      } catch (error) {
        return { isSent: false, isRefused: isRefusedForGood(error), code: codeOf(error) }
      }
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
