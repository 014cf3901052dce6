import nodemailer from 'nodemailer'
import { mailProxy, type ProxySettings } from '../../settings/proxy-settings.ts'
import type { Mail, MailServer } from '../mail.ts'

const timeoutMs = 10_000

/** `check` signs in without sending anything: the server's code if it refuses, null if it lets us in. */
type SmtpServer = MailServer & { check(): Promise<string | null> }

/** The SMTP server of the settings; null when none is set. */
export function createSmtp({
  smtpUrl,
  mailFrom,
  proxy,
}: {
  smtpUrl: string | null
  mailFrom: string
  proxy: ProxySettings | null
}): SmtpServer | null {
  if (smtpUrl === null) return null
  const transport = createTransport(smtpUrl, mailProxy(proxy, smtpUrl))
  return {
    check: () => transport.verify().then(() => null, codeOf),
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

function createTransport(url: string, proxy: string | null) {
  return nodemailer.createTransport({
    url,
    ...(proxy !== null && { proxy }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/**
 * A 5xx for the recipient or the content is final. One for us, such as a wrong password, ends when the operator
 * corrects the settings.
 */
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
