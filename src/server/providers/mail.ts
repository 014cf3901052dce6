/** A mail in plain text with at most one link that changes something. */
export type Mail = {
  to: string
  subject: string
  body: string
  link: string | null
  /** The invitation that the mail belongs to; its state shows whether the mail was delivered. */
  invitationId?: number
}

export type MailPort = {
  /**
   * Stores the mail until a server has accepted it, so that no caller waits for a mail server or fails because of
   * one.
   */
  send(mail: Mail): Promise<void>
  /** Delivers due mails until none is left. Does nothing when mail stays in the outbox. */
  deliver(): Promise<void>
}

/** The result for one mail. Only the server's code may be logged, because its text can repeat the address. */
export type MailOutcome = { isSent: true } | { isSent: false; isRefused: boolean; code: string }

/** A mail server. `isRefused`: the server will never accept this mail. */
export type MailServer = { deliver(mail: Mail): Promise<MailOutcome> }
