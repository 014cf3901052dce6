/** Mail in plain text with at most one link that does something. */
export type Mail = {
  to: string
  subject: string
  body: string
  link: string | null
  /** The invitation that the mail tells of, which is told in turn how it fares. */
  invitationId?: number
}

export type MailPort = {
  /** Takes the mail over for good: it is kept until a server has it, so that nobody waits for one or fails with it. */
  send(mail: Mail): Promise<void>
  /** Delivers what is due, and resolves when nothing is. Does nothing where mail stays in the outbox. */
  deliver(): Promise<void>
}

/** What became of a mail. Of the server's answer only its code is ours to log: its text may repeat the address. */
export type MailOutcome = { isSent: true } | { isSent: false; isRefused: boolean; code: string }

/** A mail server. `isRefused` says that it will never take this mail. */
export type MailServer = { deliver(mail: Mail): Promise<MailOutcome> }
